// A sink of one's own: primitives over a Map. The package adds batches, retries and accounts.
import { ChunkSink } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Layer } from "effect"

/** To be given to `Pipeline.run` among `sinks`. */
export const make = (store: Map<string, DocumentChunk>): ChunkSink.Service =>
  ChunkSink.of({
    id: "map:",
    name: "map",
    capabilities: { remove: true, replace: false, list: false, search: false, filter: false, stamp: false },
    limits: { maxCount: 1000, maxBytes: 8_388_608 },
    prepare: () => Effect.succeed(null),
    write: (batch) =>
      Effect.sync(() => {
        for (const chunk of batch) store.set(chunk.id, chunk)
      }),
    remove: (ids) =>
      Effect.sync(() => {
        for (const id of ids) store.delete(id)
      })
  })

export const layer = (store: Map<string, DocumentChunk>): Layer.Layer<ChunkSink> =>
  Layer.succeed(ChunkSink, make(store))
