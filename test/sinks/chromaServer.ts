import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started } from "../fixtures/started.ts"

const cli = join(dirname(createRequire(import.meta.url).resolve("chromadb")), "..", "cli.mjs")

/**
 * A folder with a newer C library than the machine's: the server in the package asks for 2.39, Debian 12 has 2.36. Without
 * such a folder the machine's own is used.
 */
const library = process.env["DOCSLUICE_GLIBC"] ?? "/opt/docsluice/glibc"
const loader = join(library, "ld-linux-x86-64.so.2")

const command = (parameters: ReadonlyArray<string>): readonly [string, ReadonlyArray<string>] =>
  existsSync(loader)
    ? [
        loader,
        [
          "--library-path",
          `${library}:/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu`,
          process.execPath,
          cli,
          ...parameters
        ]
      ]
    : [process.execPath, [cli, ...parameters]]

/** Why the server cannot run on this machine; null when it can. */
export const unavailable: string | null = (() => {
  const [program, parameters] = command(["--help"])
  const { status, stderr } = spawnSync(program, parameters, { encoding: "utf8" })
  if (status === 0) return null
  return /version `GLIBC_[\d.]+' not found/u.exec(stderr)?.[0] ?? "the server inside chromadb does not start here"
})()

/** A server of its own with a data folder of its own, both of which end with the scope. */
export const chromaEngine = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const port = yield* Effect.promise(freePort)
  const url = `http://127.0.0.1:${port}`
  const [program, parameters] = command(["run", "--path", folder, "--host", "127.0.0.1", "--port", String(port)])
  let running: ChildProcess | null = null
  const stop = Effect.async<void>((resume) => {
    const server = running
    if (server === null || server.exitCode !== null) return resume(Effect.void)
    server.once("exit", () => resume(Effect.void))
    server.kill("SIGKILL")
  })
  const alive = () =>
    fetch(`${url}/api/v2/heartbeat`).then(
      ({ ok }) => ok,
      () => false
    )
  const start = Effect.promise(async () => {
    const child = (running = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"] }))
    await started("chroma", [child], logOf(child), alive)
  })
  yield* Effect.addFinalizer(() => stop)
  yield* start
  return { url, stop, start }
}).pipe(Effect.provide(NodeContext.layer))

/** The address of such a server. */
export const chromaServer = Effect.map(chromaEngine, ({ url }) => url)
