import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

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

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Runs the server until the function that it gives is called, or this process ends. */
const launch = async (folder: string, port: number, settings: ReadonlyArray<string>) => {
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""]
  const child = spawn("setpriv", ["--pdeathsig", "KILL", binary, ...own, ...settings], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"]
  })
  const kill = () => void child.kill("SIGKILL")
  process.once("exit", kill)
  let log = ""
  child.stdout.on("data", (part: Buffer) => (log += part.toString()))
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  for (let waited = 0; !log.includes("Ready to accept connections"); waited += 20) {
    if (child.exitCode !== null || waited > 20_000) throw new Error(`redis-server did not start: ${log}`)
    // oxlint-disable-next-line eslint/no-await-in-loop -- it waits for the server
    await sleep(20)
  }
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      kill()
      await ended
      process.off("exit", kill)
    }
  }
}

/** Starts the server, which ends with this process at the latest. `settings`: words of its command line. */
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
