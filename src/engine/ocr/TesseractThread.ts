/**
 * The thread of `tesseract.js` that recognises text, one request after another.
 *
 * Its worker is addressed directly, because the package's own handle cannot load languages from several folders, never settles when the
 * thread ends, and cannot be given a deadline.
 */
import { join } from "node:path"
import { Worker } from "node:worker_threads"

export interface TesseractThread {
  /**
   * Answer to a request. Rejects with the worker's own message when it refuses or ends, and with {@link Late} at `deadline`, in
   * milliseconds since the epoch, when the thread is ended.
   */
  readonly request: (action: string, payload: Readonly<Record<string, unknown>>, deadline: number) => Promise<unknown>
  readonly alive: () => boolean
  readonly end: () => void
}

/** The deadline passed; the thread is gone. */
export class Late extends Error {
  override readonly name = "Late"
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: Error) => void
}

/** Longest delay that a timer of Node can have. */
const longestDelay = 2 ** 31 - 1

const isAnswer = (value: unknown): value is { readonly jobId: unknown; readonly status: unknown; data?: unknown } =>
  typeof value === "object" && value !== null && "jobId" in value && "status" in value

/** Starts a thread with the worker of the package in `folder`. Nothing is loaded before the first request. */
export const start = (folder: string): TesseractThread => {
  const worker = new Worker(join(folder, "src", "worker-script", "node", "index.js"), {
    execArgv: ["--no-warnings"],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: 8 }
  })
  // The recogniser's output is dropped.
  worker.stdout.resume()
  worker.stderr.resume()
  const waiting = new Map<string, Waiting>()
  let alive = true
  let requests = 0

  const gone = (cause: Error): void => {
    alive = false
    for (const { reject } of waiting.values()) reject(cause)
    waiting.clear()
  }
  worker.on("error", (cause: unknown) => gone(cause instanceof Error ? cause : new Error(String(cause))))
  worker.on("exit", (code) => gone(new Error(`the thread of tesseract.js ended with ${code}`)))
  worker.on("message", (message: unknown) => {
    if (!isAnswer(message) || message.status === "progress") return
    const id = String(message.jobId)
    const caller = waiting.get(id)
    waiting.delete(id)
    if (message.status === "resolve") caller?.resolve(message.data)
    else caller?.reject(new Error(String(message.data)))
  })

  const end = (): void => {
    alive = false
    void worker.terminate()
  }

  const request: TesseractThread["request"] = (action, payload, deadline) =>
    new Promise((resolve, reject) => {
      if (!alive) {
        reject(new Error("the thread of tesseract.js has ended"))
        return
      }
      const jobId = String(++requests)
      const late = setTimeout(
        () => {
          gone(new Late("the time for OCR ran out"))
          end()
        },
        Math.min(longestDelay, Math.max(0, deadline - Date.now()))
      )
      waiting.set(jobId, {
        resolve: (value) => {
          clearTimeout(late)
          resolve(value)
        },
        reject: (cause) => {
          clearTimeout(late)
          reject(cause)
        }
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread of Node, not a window
      worker.postMessage({ workerId: "docsluice", jobId, action, payload })
    })

  return { request, alive: () => alive, end }
}
