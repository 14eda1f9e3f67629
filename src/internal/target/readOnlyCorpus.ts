import type * as Effect from "effect/Effect"
import type { Range } from "../../ChunkSink.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { DocumentId } from "../../SourceFile.ts"
import type { CitedHit, SearchOptions } from "./storeSearch.ts"

/**
 * A document that is stored.
 *
 * @since 0.1.0
 * @category models
 */
export interface ListedDocument {
  /** Name of the root, a slash, and the path below it. */
  readonly documentId: DocumentId
  /** Number of its chunks. */
  readonly chunks: number
}

/**
 * Options of reads.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOptions {
  /** The tenant whose documents are read, in a store that several share. */
  readonly tenant?: string | undefined
}

/** An error with a tag. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/**
 * Documents that can be searched, listed and read; every corpus is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadOnlyCorpus<E = Failure> {
  /**
   * The best hits, best first, without those that do not fit; as the command line, the page and an agent find them. A corpus asks the first
   * of its targets that can search. If it has no embedder, the query's vector is made by the model of the store's vectors where that can be
   * asked: `hash`, or a model of OpenAI's whose key is set; otherwise words are searched alone, with a warning. Runs next to every other
   * call.
   */
  readonly search: (query: string, options?: SearchOptions) => Effect.Effect<ReadonlyArray<CitedHit>, E>
  /**
   * The documents in the order of their ids; those of a tenant where one is named. A corpus asks the first of its targets that can list its
   * chunks, and looks at every chunk's id.
   */
  readonly documents: (options?: ReadOptions) => Effect.Effect<ReadonlyArray<ListedDocument>, E>
  /** Chunks of one of the {@link documents}, in order, without their vectors; none of a document that is not there. */
  readonly read: (range: Range, options?: ReadOptions) => Effect.Effect<ReadonlyArray<DocumentChunk>, E>
}
