/**
 * A sink that keeps chunks in memory, for tests and as an example for authors of sinks.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ChunkSink from "../ChunkSink.ts"
import type { ChunkId, DocumentChunk } from "../DocumentChunk.ts"
import * as Filter from "../Filter.ts"
import { rank } from "../internal/conformance/rank.ts"

/**
 * Stored chunks of a memory sink; outlives the sink, as a file or a table does.
 *
 * @since 0.1.0
 * @category models
 */
export interface Store {
  /** Chunks in the order in which their ids were first written. */
  readonly chunks: Map<ChunkId, DocumentChunk>
  /** Stamp written by `ChunkSink`; null until a sink was prepared on the store. */
  stamp: string | null
  /** Stores of its other generations, by the suffix of their places. */
  readonly beside: Map<string, Store>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const emptyStore = (): Store => ({ chunks: new Map(), stamp: null, beside: new Map() })

/**
 * A sink over a store, by default a new one. Searches by vector where the query has one, else by words, with every operator of filters;
 * fails only with `Mismatch`, for another embedding space or for a store of another state, and for a filter that is not valid.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (store: Store = emptyStore()): Effect.Effect<ChunkSink.ChunkSink.Removing> =>
  ChunkSink.make({ ...at("memory:", store), beside: ({ id, suffix }) => at(id, placed(store, suffix)) })

const placed = ({ beside }: Store, suffix: string): Store => {
  const there = beside.get(suffix) ?? emptyStore()
  beside.set(suffix, there)
  return there
}

/** The sink of one generation. */
const at = (id: string, store: Store) =>
  ({
    id,
    name: "memory",
    filter: Filter.operators,
    terms: true,
    inspect: found(store),
    open: ({ decide, space }) =>
      found(store).pipe(
        Effect.flatMap(decide),
        Effect.map(({ stamp }): Handle => {
          store.stamp = stamp
          return { chunks: store.chunks, space }
        })
      ),
    read: ({ space }) => Effect.succeed<Handle>({ chunks: store.chunks, space }),
    write: ({ chunks }, batch) => Effect.sync(() => put(chunks, batch)),
    remove: ({ chunks }, ids) =>
      Effect.sync(() => {
        for (const id of ids) chunks.delete(id)
      }),
    replaceAll: ({ chunks }, documents) =>
      Effect.sync(() => {
        const replaced = new Set(documents.map(({ documentId }) => documentId))
        for (const { documentId, id } of chunks.values()) if (replaced.has(documentId)) chunks.delete(id)
        for (const document of documents) put(chunks, document.chunks)
      }),
    list: ({ chunks }) => Stream.fromIterable([...chunks.values()].map(({ documentId, id }) => ({ documentId, id }))),
    count: ({ chunks }) => Effect.sync(() => chunks.size),
    search: ({ chunks, space }, query) =>
      Effect.sync(() => rank([...chunks.values()], query, space?.metric ?? "cosine")),
    range: ({ chunks }, { documentId, from, to }) =>
      Effect.sync(() =>
        [...chunks.values()]
          .filter((chunk) => chunk.documentId === documentId && chunk.index >= from && chunk.index <= to)
          .toSorted((left, right) => left.index - right.index)
      ),
    clear: Effect.sync(() => {
      store.chunks.clear()
      store.stamp = null
    })
  }) satisfies ChunkSink.Definition<Handle>

interface Handle {
  readonly chunks: Store["chunks"]
  readonly space: ChunkSink.EmbeddingSpace | null
}

const found = (store: Store): Effect.Effect<ChunkSink.Found> =>
  Effect.sync(() => {
    const { chunks, stamp } = store
    if (stamp !== null) return { _tag: "Stamped", stamp, empty: chunks.size === 0, changed: false }
    return chunks.size === 0 ? { _tag: "Absent" } : { _tag: "Unstamped", chunks: [...chunks.values()].slice(0, 100) }
  })

const put = (chunks: Store["chunks"], batch: ReadonlyArray<DocumentChunk>): void => {
  for (const chunk of batch) chunks.set(chunk.id, chunk)
}

/**
 * Layer of the sink of {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (store: Store = emptyStore()): Layer.Layer<ChunkSink.ChunkSink> =>
  Layer.effect(ChunkSink.ChunkSink, make(store))
