/**
 * How the host starts a lane, talks to it and ends it: a worker thread or a child process, behind one interface.
 *
 * @since 0.1.0
 */
import { fork } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Worker, type ResourceLimits, type WorkerOptions } from "node:worker_threads"
import * as Predicate from "effect/Predicate"
import type { Job } from "../jobs.ts"

/**
 * What a lane reports. `Ended` comes once and last.
 *
 * @since 0.1.0
 * @category models
 */
export type Event =
  | { readonly _tag: "Message"; readonly message: unknown }
  | { readonly _tag: "Ended"; readonly reason: "Crashed" | "OutOfMemory" | "Killed"; readonly how: string }

/**
 * @since 0.1.0
 * @category models
 */
export interface Transport {
  /** Hands over a copy of the bytes, so that the caller's stay usable for another attempt. */
  readonly post: (job: Job) => void
  /** While held, the lane keeps the host process alive. */
  readonly hold: () => void
  readonly release: () => void
  /** Ends the lane at once, whatever it does; settles when it is gone. */
  readonly kill: () => Promise<void>
}

/**
 * Starts a lane that reports to `listener`.
 *
 * @since 0.1.0
 * @category models
 */
export type Start = (listener: (event: Event) => void) => Transport

const fromSource = import.meta.url.endsWith(".ts")

/**
 * The module of that name beside the importing one: TypeScript when run from source, JavaScript when compiled.
 *
 * @since 0.1.0
 * @category constructors
 */
export const entryBeside = (name: string, importer: string): URL =>
  new URL(`./${name}${fromSource ? ".ts" : ".js"}`, importer)

const { resolve } = createRequire(import.meta.url)

/** A process takes the loader of source modules as an option. */
const childArguments = (): ReadonlyArray<string> =>
  fromSource ? ["--import", pathToFileURL(resolve("tsx")).href, "--no-warnings"] : ["--no-warnings"]

/** A thread does not (Node 20 ignores `--import` there), so it registers the loader before it imports the entry. */
const startThread = (entry: URL, options: WorkerOptions): Worker => {
  if (!fromSource) {
    return new Worker(entry, options)
  }
  const loader = pathToFileURL(resolve("tsx/esm/api").replace(/\.cjs$/, ".mjs")).href
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry.href)}) })`
  return new Worker(code, { ...options, eval: true })
}

/**
 * Heap of one worker in megabytes, its young part and its stack.
 */
const workerLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64, stackSizeMb: 16 } as const

const codeOf = (cause: unknown): unknown => (Predicate.hasProperty(cause, "code") ? cause.code : undefined)

/**
 * A worker thread. Nothing that it prints reaches the host's streams, which are not read: reading them would keep the host alive.
 *
 * @since 0.1.0
 * @category constructors
 */
export const worker =
  (entry: URL, limits: ResourceLimits = {}): Start =>
  (listener) => {
    const thread = startThread(entry, {
      execArgv: ["--no-warnings"],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { ...workerLimits, ...limits }
    })
    let ended: { readonly reason: "Crashed" | "OutOfMemory"; readonly how: string } | undefined
    thread.on("message", (message) => listener({ _tag: "Message", message }))
    thread.on("messageerror", (cause) => {
      ended = { reason: "Crashed", how: cause.message }
      void thread.terminate()
    })
    thread.on("error", (cause) => {
      ended = { reason: codeOf(cause) === "ERR_WORKER_OUT_OF_MEMORY" ? "OutOfMemory" : "Crashed", how: cause.message }
    })
    thread.on("exit", (code) => {
      listener({ _tag: "Ended", ...(ended ?? { reason: "Crashed", how: `exit code ${code}` }) })
    })
    return {
      post: (job) => {
        const bytes = new Uint8Array(job.bytes)
        thread.postMessage({ ...job, bytes }, [bytes.buffer])
      },
      hold: () => thread.ref(),
      release: () => thread.unref(),
      kill: () => thread.terminate().then(() => undefined)
    }
  }

const heapOfChild = "--max-old-space-size=512"

/**
 * A child process without the host's environment, input or output. `SIGKILL` that is not ours counts as `Killed`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const child =
  (entry: URL): Start =>
  (listener) => {
    const process_ = fork(fileURLToPath(entry), [], {
      execArgv: [...childArguments(), heapOfChild],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    })
    let gone: () => void = () => undefined
    const exited = new Promise<void>((resolve) => {
      gone = resolve
    })
    const end = (reason: "Crashed" | "Killed", how: string): void => {
      gone()
      listener({ _tag: "Ended", reason, how })
    }
    process_.on("message", (message) => listener({ _tag: "Message", message }))
    process_.on("error", (cause) => {
      if (process_.pid === undefined) {
        end("Crashed", cause.message)
      }
    })
    process_.on("exit", (code, signal) => {
      end(
        signal === "SIGKILL" ? "Killed" : "Crashed",
        signal === null ? `exit code ${String(code)}` : `signal ${signal}`
      )
    })
    return {
      post: (job) => {
        process_.send(job, () => undefined)
      },
      hold: () => {
        process_.ref()
        process_.channel?.ref()
      },
      release: () => {
        process_.unref()
        process_.channel?.unref()
      },
      kill: () => {
        process_.kill("SIGKILL")
        return exited
      }
    }
  }
