import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { ChunkSink, EmbeddingSpace } from "../../ChunkSink.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"

/** One store to be tested, empty at first. All but `layer` is optional; each hook makes more cases verifiable. */
export interface Target<E = unknown> {
  /** Built for each session of a case; every build must find the stored chunks. */
  readonly layer: Layer.Layer<ChunkSink, E>
  /** All stored chunks, in any order, read by other means than the sink while no session is open. */
  readonly read?: Effect.Effect<ReadonlyArray<DocumentChunk>, E> | undefined
  /** Deletes the store by other means than the sink: the file, the table. */
  readonly destroy?: Effect.Effect<void, E> | undefined
  /** Embedding space of the suite's chunks; default null: no vectors. */
  readonly space?: EmbeddingSpace | null | undefined
  /** Another tenant of the same store; needs nothing of what the hooks above see. */
  readonly neighbour?: Layer.Layer<ChunkSink, E> | undefined
  /** The same store opened for no tenant, and the names of the tenants of `layer` and of `neighbour`, for queries that choose one. */
  readonly tenants?:
    | { readonly layer: Layer.Layer<ChunkSink, E>; readonly mine: string; readonly theirs: string }
    | undefined
  /** Server of the sink. `stop` makes it unreachable for an open sink, `start` restores it at the same address with all data. */
  readonly engine?: { readonly stop: Effect.Effect<void, E>; readonly start: Effect.Effect<void, E> } | undefined
  /**
   * Opens the sink in a separate process and prepares it for `space`; writes the documents there, one `write` each, in order; and kills
   * that process before it has finished. Returns the number of documents acknowledged before that.
   */
  readonly kill?: ((documents: ReadonlyArray<ReadonlyArray<DocumentChunk>>) => Effect.Effect<number, E>) | undefined
}
