// A sink of your own: primitives over a Map. The package adds batches, limits, order, spans and metrics.
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Stream } from "effect"

/** Passes `SinkConformance`: see test/examples.test.ts. */
export const make = (store: Map<string, DocumentChunk>): Effect.Effect<ChunkSink.ChunkSink.Removing> =>
  ChunkSink.make({
    id: "map:",
    name: "map",
    open: () => Effect.succeed(store),
    write: (map, batch) => Effect.sync(() => batch.forEach((chunk) => map.set(chunk.id, chunk))),
    remove: (map, ids) => Effect.sync(() => ids.forEach((id) => map.delete(id))),
    list: (map) => Stream.fromIterable([...map.values()]),
    clear: Effect.sync(() => store.clear())
  })
