/** Azure's own emulator of its storage, in memory, which `.ci/install-servers` installs. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { Effect, type Scope } from "effect"
import * as SharedKey from "../../src/internal/objects/azure/sharedKey.ts"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started } from "../fixtures/started.ts"

const entry = "/opt/docsluice/azurite/node_modules/azurite/dist/src/blob/main.js"

/** The emulator's account and key, which are the same everywhere. */
export const account = "devstoreaccount1"
export const key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

export const missing = (): string | null => (existsSync(entry) ? null : `no ${entry}`)

export interface Azurite {
  /** Address of its account. */
  readonly endpoint: string
  /** Sends a request with a body; keys of paths are in the encoding of addresses. */
  readonly send: (method: string, path: string, body?: string) => Promise<number>
}

const sender =
  (endpoint: string): Azurite["send"] =>
  async (method, path, body) => {
    const url = new URL(`${endpoint}${path}`)
    const headers: Record<string, string> = {
      "x-ms-date": new Date().toUTCString(),
      "x-ms-version": "2021-12-02",
      ...(body !== undefined && {
        "x-ms-blob-type": "BlockBlob",
        "content-type": "text/plain"
      })
    }
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const authorization = SharedKey.authorization(account, key, url, { ...headers, ...length }, method)
    // `fetch` adds the length by itself; some of its versions refuse a second one.
    const answer = await fetch(url, { method, headers: { ...headers, authorization }, body: body ?? null })
    await answer.arrayBuffer()
    return answer.status
  }

/** Starts it; ended with the scope. */
export const scoped: Effect.Effect<Azurite, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const port = await freePort()
    const flags = ["--silent", "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"]
    const child = spawn(process.execPath, [entry, ...flags, "--blobPort", String(port)], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    return { child, log: logOf(child), endpoint: `http://127.0.0.1:${port}/${account}` }
  }),
  ({ child }) =>
    Effect.promise(async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve))
      if (child.kill("SIGKILL")) await ended
    })
).pipe(
  Effect.flatMap(({ child, endpoint, log }) =>
    Effect.promise(async () => {
      const send = sender(endpoint)
      const ready = async () => (await send("PUT", "/ready?restype=container").catch(() => 0)) > 0
      await started("azurite", [child], log, ready)
      return { endpoint, send }
    })
  )
)
