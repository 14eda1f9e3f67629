import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../fixtures/freePort.ts"
import { logOf, started } from "../fixtures/started.ts"

/** A Redis server of one's own, with a folder of its own. */
export interface Redis {
  readonly url: string
  readonly port: number
  /** Kills it at once; what it had acknowledged is in its append-only file. */
  readonly kill: () => Promise<void>
  /** Starts it again at the same port, with all it held. */
  readonly up: () => Promise<void>
  /** Bytes of its process in memory. */
  readonly memory: () => number
  /** Ends it, and deletes its folder. */
  readonly stop: () => Promise<void>
}

const binary = "/usr/bin/redis-server"

/** Why there can be no server here; null when there can. */
export const missing = (): string | null => (existsSync(binary) ? null : `no Redis at ${binary}`)

/** Runs the server until the function that it gives is called, or this process ends. */
const launch = async (folder: string, port: number, settings: ReadonlyArray<string>) => {
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""]
  const child = spawn("setpriv", ["--pdeathsig", "KILL", binary, ...own, ...settings], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const kill = () => void child.kill("SIGKILL")
  process.once("exit", kill)
  const log = logOf(child)
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  await started("redis-server", [child], log, () => log().includes("Ready to accept connections"))
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      kill()
      await ended
      process.off("exit", kill)
    }
  }
}

/**
 * Starts a server for one file that kills it, or for a whole run of tests; others take a database of `fixtures/servers.ts`. It ends with
 * this process at the latest. `settings`: words of its command line.
 */
export const start = async (settings: ReadonlyArray<string> = []): Promise<Redis> => {
  const problem = missing()
  if (problem !== null) throw new Error(problem)
  const folder = mkdtempSync(join(tmpdir(), "docsluice-redis-"))
  const port = await freePort()
  let server = await launch(folder, port, settings)
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: () => server.kill(),
    up: async () => {
      server = await launch(folder, port, settings)
    },
    memory: () => {
      const line = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]
      return Number(line ?? 0) * 1024
    },
    stop: async () => {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Asks a server with its own client. */
export const ask = (port: number, words: ReadonlyArray<string>): string =>
  spawnSync("/usr/bin/redis-cli", ["-p", String(port), ...words], { encoding: "utf8" }).stdout.trim()
