/**
 * A sink that keeps chunks in memory: for tests, and to see what a sink's author writes.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ChunkSink from "../ChunkSink.ts"
import type { ChunkId, DocumentChunk } from "../DocumentChunk.ts"

/**
 * What a memory sink has stored; outlives the sink, as a file or a table does.
 *
 * @since 0.1.0
 * @category models
 */
export interface Store {
  /** In the order in which their ids were first written. */
  readonly chunks: Map<ChunkId, DocumentChunk>
  /** Null until a sink was prepared on it. */
  stamp: { readonly storeId: string; readonly space: ChunkSink.EmbeddingSpace | null } | null
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const emptyStore = (): Store => ({ chunks: new Map(), stamp: null })

let stores = 0

/**
 * A sink over a store, by default one of its own. Can everything but search; never fails but with `Mismatch` for another
 * embedding space.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (store: Store = emptyStore()): Effect.Effect<ChunkSink.ChunkSink.Service> =>
  ChunkSink.make({
    id: "memory:",
    name: "memory",
    stamp: true,
    prepare: (space) =>
      Effect.gen(function* () {
        const asked = {
          sink: "memory:",
          stamped: store.stamp?.space ?? null,
          asked: space,
          empty: store.chunks.size === 0
        }
        yield* ChunkSink.checkSpace(asked)
        stores += 1
        const storeId = store.stamp?.storeId ?? `memory-${yield* Clock.currentTimeMillis}-${stores}`
        store.stamp = { storeId, space }
        return storeId
      }),
    write: (batch) =>
      Effect.sync(() => {
        for (const chunk of batch) store.chunks.set(chunk.id, chunk)
      }),
    remove: (ids) =>
      Effect.sync(() => {
        for (const id of ids) store.chunks.delete(id)
      }),
    replace: (documentId, chunks) =>
      Effect.sync(() => {
        for (const [id, chunk] of store.chunks) {
          if (chunk.documentId === documentId) store.chunks.delete(id)
        }
        for (const chunk of chunks) store.chunks.set(chunk.id, chunk)
      }),
    list: Stream.suspend(() =>
      Stream.fromIterable([...store.chunks.values()].map(({ documentId, id }) => ({ documentId, id })))
    ),
    clear: Effect.sync(() => {
      store.chunks.clear()
      store.stamp = null
    })
  })

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (store: Store = emptyStore()): Layer.Layer<ChunkSink.ChunkSink> =>
  Layer.effect(ChunkSink.ChunkSink, make(store))
