/** Main thread of a lane's process: starts the parser thread and never parses itself, so that it can always end the process. */
import * as Entry from "#entry"
import * as Transport from "./Transport.ts"

const checkEvery = 25

/**
 * Signals that a terminal sends to all processes of a command, and a supervisor to all of a service. They are ignored: the host ends its
 * lanes.
 */
const hostsSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Deno ends a thread that has limits and reaches the heap's without a word; where there are none, it ends the process. */
const limits = "deno" in process.versions ? {} : { resourceLimits: { maxYoungGenerationSizeMb: 64, stackSizeMb: 16 } }

/** Ends the process by a signal: `process.exit` would wait for a native thread that does not return. */
const die = (): void => {
  process.kill(process.pid, "SIGKILL")
}

const isOutOfMemory = (cause: Error): boolean => "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"

/**
 * Starts `entry`, which has to call `serveThread`. Ends the process when that thread or the host ends, or when its resident memory
 * exceeds the bound (first argument, in MiB). Further arguments are the thread's. An option of the process bounds the heap of the thread.
 */
export const guard = (entry: URL): void => {
  const maxResident = Number(process.argv[2]) * 1024 * 1024
  const life = Transport.inherited(Transport.lifePipe)
  const end = (reason: "Crashed" | "OutOfMemory", how: string): void => {
    life.end(`${reason}\n${how}`, die)
  }

  for (const signal of hostsSignals) process.on(signal, () => undefined)
  life.on("error", die)
  life.on("close", die)
  life.resume()

  // Output that a parser prints is not read.
  const thread = Entry.startThread(entry, {
    argv: process.argv.slice(3),
    execArgv: ["--no-warnings"],
    stdout: true,
    stderr: true,
    ...limits
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
