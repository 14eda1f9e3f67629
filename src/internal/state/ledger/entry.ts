/** The ledger's record of one document. */
import * as Schema from "effect/Schema"
import type { ChunkId } from "../../../DocumentChunk.ts"
import type { DocumentError } from "../../../Outcome.ts"
import type { DocumentId, Fingerprint } from "../../../SourceFile.ts"

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
  store: Schema.NullOr(Schema.String),
  /** Digest of the embedder whose vectors it holds, where that is not the generation's; null for none. */
  embedder: Schema.optional(Schema.NullOr(Schema.String))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Acknowledgement = typeof Acknowledgement.Type

/**
 * Figures of a stored document for reports.
 *
 * @since 0.1.0
 * @category models
 */
export const Report = Schema.Struct({
  pages: Schema.NonNegativeInt,
  /** Credits of the parse when it was paid for. */
  credits: Schema.Number,
  /** Tokens of all chunks. */
  tokens: Schema.NonNegativeInt,
  /** True when not all of the document was parsed. */
  truncated: Schema.Boolean,
  warnings: Schema.Array(Schema.String)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Report = typeof Report.Type

/**
 * Size and fingerprint of a file, and when they were taken: enough to tell later, without reading, that the file was not changed
 * since.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sighting {
  /** Bytes. */
  readonly size: number
  readonly fingerprint: Fingerprint | undefined
  /** Start of the run that took them, milliseconds since the epoch. */
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
  /** The service that parsed it; part of the answer's key in the cache, with the two members above. */
  readonly identity: string
  /** Digest of chunker and tokenizer. */
  readonly configuration: string
  /** Digest of the embedder; null when chunks carry no vectors. */
  readonly embedder: string | null
  /** What the service lacked to read all of it, as in `ParsedDocument.lacked`; default nothing. */
  readonly lacked?: ReadonlyArray<string> | undefined
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
  /** `Foreign` in rows of an earlier version. */
  readonly error: DocumentError
  /** True when the same bytes may succeed later. */
  readonly retryable: boolean
  /** True when the same bytes, options and service always fail: they are sent again only on request. */
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
  /** Digest of the run's request (`Ledger.requests`); null when the request was empty, and in rows of an earlier version. */
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
  /** Number of generations committed so far. */
  readonly generation: number
  /** Null when no generation of the document is recorded as stored. */
  readonly stored: Generation | null
  /** Null when the last attempt succeeded. */
  readonly failure: Failure | null
}

/**
 * Chunks of a former generation that a sink may still hold and should remove: it has acknowledged the present one.
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
 * All chunks of a document that sinks may hold, former and unfinished generations included.
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
 * Identity of a document; any `SourceFile` is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Key {
  readonly documentId: DocumentId
  /** POSIX path below the root. */
  readonly path: string
}
