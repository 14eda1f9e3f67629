/**
 * Serves jobs in a child process.
 *
 * @since 0.1.0
 */
import { serve, type Handlers } from "./serve.ts"

/** Resident bytes at which a child gives up its job: a native parser knows no heap limit. */
const maxResident = 1_536 * 1024 * 1024

const checkEvery = 50

/**
 * Ends this process at once, native threads included: `process.exit` would wait for a parser that does not return.
 */
const end = (): void => {
  process.kill(process.pid, "SIGKILL")
}

const send = (message: unknown, then?: () => void): void => {
  process.send?.(message, undefined, undefined, () => then?.())
}

/** The parser works on another thread, so the timer of this one fires while it allocates. */
const watchMemory = (): void => {
  const timer = setInterval(() => {
    const resident = process.memoryUsage.rss()
    if (resident > maxResident) {
      clearInterval(timer)
      const error = "parsing it takes more memory than a document is given"
      send({ _tag: "Refused", reason: "resourceLimit", error, footprint: resident }, end)
    }
  }, checkEvery)
  timer.unref()
}

/**
 * Serves on the channel to the host, and ends with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const serveChild = (handlers: Handlers): void => {
  process.on("disconnect", end)
  watchMemory()
  serve(
    {
      receive: (listener) => process.on("message", (message) => listener(message)),
      send: (message) => send(message),
      footprint: () => process.memoryUsage.rss()
    },
    handlers
  )
}
