// A sink of one's own: primitives over a Map. The package adds batches, limits, order, spans and metrics.
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Stream } from "effect"

/** Passes `SinkConformance`: see test/examples.test.ts. */
export const make = (store: Map<string, DocumentChunk>): Effect.Effect<ChunkSink.ChunkSink.Service> => {
  const write = (batch: ReadonlyArray<DocumentChunk>) =>
    Effect.sync(() => {
      for (const chunk of batch) store.set(chunk.id, chunk)
    })
  const remove = (ids: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const id of ids) store.delete(id)
    })
  return ChunkSink.make({
    id: "map:",
    name: "map",
    prepare: () => Effect.succeed(null),
    write,
    remove,
    list: Stream.suspend(() => Stream.fromIterable([...store.values()])),
    clear: Effect.sync(() => store.clear())
  })
}
