/** Report of a run: its counts, and of its documents the few that a person wants to see. At most 100 KB as JSON, whatever the run. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Summary } from "../../../Outcome.ts"
import * as Message from "../../base/message.ts"

/**
 * Bytes that a report takes as JSON in UTF-8, at most. Where lists of twenty and their texts would be longer, texts are cut, then lists.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxBytes = 100_000

/**
 * A document that was stored, or whose attempt took long.
 *
 * @since 0.1.0
 * @category models
 */
export class Document extends Schema.Class<Document>("docsluice/RunReport/Document")({
  /** POSIX path below the root; a long one is cut and ends with `…`. */
  source: Schema.String,
  /** Bytes of the file, pages, chunks and tokens; 0 for a document that failed. */
  bytes: Schema.NonNegativeInt,
  pages: Schema.NonNegativeInt,
  chunks: Schema.NonNegativeInt,
  tokens: Schema.NonNegativeInt,
  /** Milliseconds from its turn to its outcome, waits included. */
  millis: Schema.NonNegativeInt,
  /** Tag of the error; null for a document that was stored. */
  failed: Schema.NullOr(Schema.String)
}) {}

/**
 * A message about a document, or about the run.
 *
 * @since 0.1.0
 * @category models
 */
export class Remark extends Schema.Class<Remark>("docsluice/RunReport/Remark")({
  /** POSIX path below the root, a root or a sink; a long one is cut and ends with `…`. */
  source: Schema.String,
  /** One line; a long one is cut and ends with `…`, and has no parts. */
  ...Message.fields
}) {}

/**
 * Documents that failed with one error.
 *
 * @since 0.1.0
 * @category models
 */
export class Failures extends Schema.Class<Failures>("docsluice/RunReport/Failures")({
  /** Tag of the error. Errors of more than twenty tags: the last group has the empty tag and holds the rest. */
  tag: Schema.String,
  /** Documents that failed with it. */
  count: Schema.NonNegativeInt,
  /** True when one of them may succeed in a later run as it is. */
  retryable: Schema.Boolean,
  /** The first twenty. */
  documents: Schema.Array(Remark)
}) {}

/**
 * One bar of the histogram of chunk sizes.
 *
 * @since 0.1.0
 * @category models
 */
export class ChunkSizes extends Schema.Class<ChunkSizes>("docsluice/RunReport/ChunkSizes")({
  /** Tokens of its largest chunks, inclusive; null for the last bar, which has no bound. The bar before has the lower bound. */
  upTo: Schema.NullOr(Schema.NonNegativeInt),
  chunks: Schema.NonNegativeInt
}) {}

/**
 * The counts are those of the run's {@link Summary}; lists hold at most twenty documents each.
 *
 * @since 0.1.0
 * @category models
 */
export class RunReport extends Schema.Class<RunReport>("docsluice/RunReport")({
  /** Milliseconds since the epoch. */
  startedAt: Schema.Int,
  finishedAt: Schema.Int,
  /** Name of the root; null for a source without a scope. */
  root: Schema.NullOr(Schema.String),
  /** Absolute path of the root; null for a source that is not a folder. */
  folder: Schema.NullOr(Schema.String),
  /** Ids of the sinks, the first twenty. */
  sinks: Schema.Array(Schema.String),
  ...Struct.omit(Summary.fields, "warnings", "failures", "unsupportedTypes"),
  /** Waits between two attempts of a document, in milliseconds; several documents may wait at a time. */
  waits: Schema.Struct({
    count: Schema.NonNegativeInt,
    total: Schema.NonNegativeInt,
    longest: Schema.NonNegativeInt
  }),
  /** Failed documents by the tag of their error, the most frequent first. */
  failures: Schema.Array(Failures),
  /** The most frequent extensions that are not read, lower case, without the dot. */
  unsupportedTypes: Schema.Array(Schema.Struct({ extension: Schema.String, count: Schema.NonNegativeInt })),
  /** Number of warnings, and the first of them. */
  warnings: Schema.Struct({ count: Schema.NonNegativeInt, first: Schema.Array(Remark) }),
  /** The largest documents stored, in bytes, the largest first. */
  largest: Schema.Array(Document),
  /** The documents that took longest, stored or not, the slowest first. */
  slowest: Schema.Array(Document),
  /** The first documents without text; their number is `empty`. */
  emptyDocuments: Schema.Array(Document),
  /** The first documents that were stored in part; their number is `truncated`. */
  truncatedDocuments: Schema.Array(Document),
  /** The first paths that were removed from the sinks; their number is `removed`. */
  removedDocuments: Schema.Array(Schema.String),
  /** Sizes of the chunks of the documents stored, the smallest first; every bar is there, also an empty one. */
  chunkSizes: Schema.Array(ChunkSizes)
}) {}

/**
 * A run in a ledger with its report.
 *
 * @since 0.1.0
 * @category models
 */
export interface Recorded {
  /** Number of the run, from 1. */
  readonly run: number
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Null while it runs, and permanently when it was killed. */
  readonly finishedAt: number | null
  /** The run's request, as the caller wrote it. */
  readonly request: string
  /** Null for a run that has not ended or was killed, and for one of a version without reports. */
  readonly report: RunReport | null
}
