/**
 * What the ledger holds of one document.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { ChunkId } from "./DocumentChunk.ts"
import type { DocumentId, Fingerprint } from "./SourceFile.ts"

/**
 * A sink that holds every chunk of a document's generation.
 *
 * @since 0.1.0
 * @category models
 */
export const Acknowledgement = Schema.Struct({
  /** The sink's id. */
  sink: Schema.String,
  /** The store id that the sink was stamped with at the time; null for a sink without stamps. */
  store: Schema.NullOr(Schema.String)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Acknowledgement = typeof Acknowledgement.Type

/**
 * What a stored document counts for in reports.
 *
 * @since 0.1.0
 * @category models
 */
export const Report = Schema.Struct({
  pages: Schema.NonNegativeInt,
  /** What the parse cost when it was paid for. */
  credits: Schema.Number,
  /** Tokens of all chunks. */
  tokens: Schema.NonNegativeInt,
  /** Not all of the document was parsed. */
  truncated: Schema.Boolean,
  warnings: Schema.Array(Schema.String)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Report = typeof Report.Type

/**
 * What was looked at, and when: enough to tell later, without reading, that nothing was done to the file since.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sighting {
  /** Bytes. */
  readonly size: number
  readonly fingerprint: Fingerprint | undefined
  /** Start of the run that looked, milliseconds since the epoch. */
  readonly checkedAt: number
}

/**
 * A document's generation as it is in the sinks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Generation extends Sighting {
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly contentHash: string
  /** Digest of the parse options that change an answer. */
  readonly optionsHash: string
  /** The service that parsed it: with the two above the key of its answer in the cache. */
  readonly identity: string
  /** Digest of chunker and tokenizer. */
  readonly configuration: string
  /** Digest of the embedder; null when chunks carry no vectors. */
  readonly embedder: string | null
  /** In document order. */
  readonly chunkIds: ReadonlyArray<ChunkId>
  /** Each sink once. */
  readonly acknowledged: ReadonlyArray<Acknowledgement>
  readonly report: Report
}

/**
 * The last attempt at a document, when it failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure extends Sighting {
  /** Tag of the error. */
  readonly tag: string
  readonly message: string
  /** Whether the same bytes may succeed later. */
  readonly retryable: boolean
  /** The same bytes, options and service end so for good: they are sent again only when that is asked for. */
  readonly final: boolean
  /** SHA-256 of the bytes, where they were read. */
  readonly contentHash: string | null
  readonly optionsHash: string
  readonly identity: string
  /** Requests that were sent for it. */
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Ids of the sinks that the run wrote to; empty in rows of an earlier version. */
  readonly targets: ReadonlyArray<string>
  /** Digest of what the run was told (`Ledger.requests`); null when that was nothing, and in rows of an earlier version. */
  readonly request: string | null
}

/**
 * A document's row.
 *
 * @since 0.1.0
 * @category models
 */
export interface LedgerEntry {
  readonly documentId: DocumentId
  /** Name of the root. */
  readonly root: string
  /** POSIX path below the root. */
  readonly path: string
  /** Number of generations that were committed; 0 when none ever was. */
  readonly generation: number
  /** Null when the document never was in a sink, as far as is known here. */
  readonly stored: Generation | null
  /** Null when the last attempt succeeded. */
  readonly failure: Failure | null
}

/**
 * Chunks of a former generation that a sink still holds, and that it may be rid of: it acknowledged the present one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Removal {
  readonly documentId: DocumentId
  readonly path: string
  /** The sink's id. */
  readonly sink: string
  readonly chunkIds: ReadonlyArray<ChunkId>
}

/**
 * Everything that sinks hold of a document, former generations and unfinished ones included.
 *
 * @since 0.1.0
 * @category models
 */
export interface Holding {
  readonly documentId: DocumentId
  readonly root: string
  readonly path: string
  /** Each sink once; ids in no order. */
  readonly held: ReadonlyArray<{ readonly sink: string; readonly chunkIds: ReadonlyArray<ChunkId> }>
}

/**
 * What names a document; any `SourceFile` is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Key {
  readonly documentId: DocumentId
  /** POSIX path below the root. */
  readonly path: string
}
