import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Duration, Effect, Schedule } from "effect"

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

const freePort = Effect.async<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** A server of its own with a data folder of its own, both of which end with the scope. */
export const chromaEngine = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const [program, parameters] = command(["run", "--path", folder, "--host", "127.0.0.1", "--port", String(port)])
  let running: ChildProcess | null = null
  const stop = Effect.async<void>((resume) => {
    const server = running
    if (server === null || server.exitCode !== null) return resume(Effect.void)
    server.once("exit", () => resume(Effect.void))
    server.kill("SIGKILL")
  })
  const heartbeat = Effect.filterOrFail(
    Effect.tryPromise(() => fetch(`${url}/api/v2/heartbeat`)),
    (response) => response.ok
  )
  const start = Effect.zipRight(
    Effect.sync(() => {
      running = spawn(program, parameters, { stdio: "ignore" })
    }),
    Effect.retry(heartbeat, Schedule.spaced("100 millis")).pipe(Effect.timeout(Duration.seconds(60)))
  )
  yield* Effect.addFinalizer(() => stop)
  yield* start
  return { url, stop, start: Effect.asVoid(start) }
}).pipe(Effect.provide(NodeContext.layer))

/** The address of such a server. */
export const chromaServer = Effect.map(chromaEngine, ({ url }) => url)
