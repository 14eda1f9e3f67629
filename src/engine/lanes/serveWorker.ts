/**
 * Serves jobs in a worker thread.
 *
 * @since 0.1.0
 */
import { parentPort } from "node:worker_threads"
import { serve, type Handlers } from "./serve.ts"

const footprint = (): number => {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}

/**
 * Serves on the port to the host; does nothing on a main thread.
 *
 * @since 0.1.0
 * @category constructors
 */
export const serveWorker = (handlers: Handlers): void => {
  const port = parentPort
  if (port !== null) {
    // Nobody reads what a parser prints, so it would pile up here.
    process.stdout.write = () => true
    process.stderr.write = () => true
    serve(
      {
        receive: (listener) => port.on("message", listener),
        send: (message) => port.postMessage(message),
        footprint
      },
      handlers
    )
  }
}
