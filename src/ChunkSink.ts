/**
 * Where chunks go. A sink writes primitives only; retries and batching belong to the framework.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { ChunkId, DocumentChunk } from "./DocumentChunk.ts"
import type { DocumentId } from "./SourceFile.ts"

/**
 * A sink could not do what it was asked.
 *
 * @since 0.1.0
 * @category errors
 */
export class SinkError extends Schema.TaggedError<SinkError>("docsluice/SinkError")("SinkError", {
  /** The sink's id. */
  sink: Schema.String,
  /**
   * `Unavailable` may pass, `TooLarge` asks for smaller batches; `Rejected`, `Mismatch` (the target does not fit) and
   * `Unsupported` do not pass.
   */
  reason: Schema.Literal("Unavailable", "TooLarge", "Rejected", "Mismatch", "Unsupported"),
  /** What happened and what to do about it, in one line. */
  problem: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `${this.sink}: ${this.problem}`
  }
}

/**
 * What is stamped into the target, so that two models' vectors never mix.
 *
 * @since 0.1.0
 * @category models
 */
export const EmbeddingSpace = Schema.Struct({
  model: Schema.String,
  dimensions: Schema.Int.pipe(Schema.positive()),
  normalized: Schema.Boolean,
  metric: Schema.Literal("cosine", "dot", "euclidean")
})

/**
 * @since 0.1.0
 * @category models
 */
export type EmbeddingSpace = typeof EmbeddingSpace.Type

/**
 * What a sink can do beside `write`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Capabilities {
  readonly remove: boolean
  /** Replaces a document in one transaction. */
  readonly replace: boolean
  readonly list: boolean
  readonly search: boolean
  /** Filters a search by metadata. */
  readonly filter: boolean
  /** Keeps a store id, so that a lost target is noticed. */
  readonly stamp: boolean
}

/**
 * What one `write` may hold.
 *
 * @since 0.1.0
 * @category models
 */
export interface Limits {
  /** Chunks in one batch. */
  readonly maxCount: number
  /** Bytes of one batch, as UTF-8 text plus 4 bytes a vector component. */
  readonly maxBytes: number
}

/**
 * A query, and how many hits it may give.
 *
 * @since 0.1.0
 * @category models
 */
export interface Query {
  readonly text: string
  readonly vector?: ReadonlyArray<number> | undefined
  /** Metadata members that must be equal. */
  readonly filter?: Readonly<Record<string, string>> | undefined
  readonly limit: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Hit {
  /** Greater is better; comparable within one answer only. */
  readonly score: number
  readonly chunk: DocumentChunk
}

/**
 * The service, for programs with one sink.
 *
 * @since 0.1.0
 * @category services
 */
export class ChunkSink extends Context.Tag("docsluice/ChunkSink")<ChunkSink, ChunkSink.Service>() {}

export declare namespace ChunkSink {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Kind and canonical target, never credentials: `jsonl:/data/chunks.jsonl`. */
    readonly id: string
    /** The kind: `jsonl`. */
    readonly name: string
    readonly capabilities: Capabilities
    readonly limits: Limits
    /**
     * Creates or checks what is needed, before anything is parsed; `null` when chunks carry no vectors. The stamp is the
     * store id that was found or made, `null` for a sink without one. A new id means: nothing is stored here any more.
     */
    readonly prepare: (space: EmbeddingSpace | null) => Effect.Effect<string | null, SinkError>
    /** Idempotent by chunk id; succeeds only when durable. Chunks of one document come together and in order. */
    readonly write: (batch: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
    /** Ids that are not there are no error. */
    readonly remove?: (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, SinkError>
    /** The document's chunks are these and no others, in one transaction. */
    readonly replace?: (documentId: DocumentId, chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
    /** Everything that is stored, in any order. */
    readonly list?: Stream.Stream<{ readonly documentId: DocumentId; readonly id: ChunkId }, SinkError>
    /** Best first. */
    readonly search?: (query: Query) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
    /**
     * Puts the target in order once a run is over (rewrites a file, builds an index); everything written is durable before
     * it. Called at most once a run; a sink does the same when its scope closes, where a failure can only be logged.
     */
    readonly finish?: Effect.Effect<void, SinkError>
  }
}
