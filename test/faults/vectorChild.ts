/** Ingests into pgvector until it is killed: waits for its order. Imports modules: it starts often. */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Site from "./site.ts"
import { type Given, run } from "./vectorRun.ts"

/** Settings of a child's run. */
export interface Order extends Omit<Given, "embedder"> {
  readonly directory: string
}

const isOrder = (message: unknown): message is Order =>
  typeof message === "object" && message !== null && "directory" in message && "embedding" in message

process.on("message", (order: unknown) => {
  if (!isOrder(order)) return
  const ingest = Effect.provide(run(Site.at(order.directory), order), Logger.remove(Logger.defaultLogger))
  void Effect.runPromise(ingest).then(({ exit }) => {
    process.send?.(`ended ${exit}`)
    process.disconnect()
  })
})
process.send?.("ready")
