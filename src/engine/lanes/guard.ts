/**
 * Main thread of a lane's process: it starts the thread that parses, and never parses itself, so that it can always end the process.
 *
 * @since 0.1.0
 */
import { Socket } from "node:net"
import * as Entry from "./Entry.ts"
import * as Transport from "./Transport.ts"

const checkEvery = 25

/** A terminal sends them to all processes of a command, a supervisor to all of a service: whether a lane ends is the host's decision. */
const hostsSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** `process.exit` would wait for a native thread that does not return. */
const die = (): void => {
  process.kill(process.pid, "SIGKILL")
}

const isOutOfMemory = (cause: Error): boolean => "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"

/**
 * Starts `entry`, which has to call `serveThread`, and ends the process with it, with the host, or above the bound on its resident
 * memory (first argument, in MiB). The heap of the thread is bounded by the option of the process.
 *
 * @since 0.1.0
 * @category constructors
 */
export const guard = (entry: URL): void => {
  const maxResident = Number(process.argv[2]) * 1024 * 1024
  const life = new Socket({ fd: Transport.lifePipe })
  const end = (reason: "Crashed" | "OutOfMemory", how: string): void => {
    life.end(`${reason}\n${how}`, die)
  }

  for (const signal of hostsSignals) process.on(signal, () => undefined)
  life.on("error", die)
  life.on("close", die)
  life.resume()

  // Nobody reads what a parser prints.
  const thread = Entry.startThread(entry, {
    execArgv: ["--no-warnings"],
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: 64, stackSizeMb: 16 }
  })
  thread.on("error", (cause) => end(isOutOfMemory(cause) ? "OutOfMemory" : "Crashed", cause.message))
  thread.on("exit", (code) => end("Crashed", `exit code ${code}`))

  setInterval(() => {
    const resident = process.memoryUsage.rss()
    if (resident > maxResident) {
      end("OutOfMemory", `${Math.round(resident / 1_048_576)} MiB of memory`)
    }
  }, checkEvery)
}
