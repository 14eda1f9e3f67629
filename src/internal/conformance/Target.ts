import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { ChunkSink, EmbeddingSpace } from "../../ChunkSink.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"

/** One store to be tested, empty at first. All but `layer` is optional; each hook makes more cases verifiable. */
export interface Target<E = unknown> {
  /** Built for each session of a case; building it again must find what was stored. */
  readonly layer: Layer.Layer<ChunkSink, E>
  /** Everything that is stored, in any order, read by other means than the sink while no session is open. */
  readonly read?: Effect.Effect<ReadonlyArray<DocumentChunk>, E> | undefined
  /** Deletes the store by other means than the sink: the file, the table. */
  readonly destroy?: Effect.Effect<void, E> | undefined
  /** Space of the vectors that the suite's chunks carry; default null: they carry none. */
  readonly space?: EmbeddingSpace | null | undefined
  /** For a sink with a server. `stop` takes it away from an open sink, `start` brings it back at the same address with all it held. */
  readonly engine?: { readonly stop: Effect.Effect<void, E>; readonly start: Effect.Effect<void, E> } | undefined
  /**
   * Opens the sink in a process of its own and prepares it for `space`; writes the documents there, one `write` each, in order;
   * and kills that process before it is through. Gives the number of documents that were acknowledged until then.
   */
  readonly kill?: ((documents: ReadonlyArray<ReadonlyArray<DocumentChunk>>) => Effect.Effect<number, E>) | undefined
}
