/**
 * Result of each file of a run, and the summary of the run.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Message from "./internal/base/message.ts"
import { known } from "./internal/base/wireFields.ts"
import { DocumentError, Foreign, tagOf } from "./internal/run/documentError.ts"
import { RunError } from "./internal/run/runError.ts"
import { DocumentId } from "./SourceFile.ts"

export {
  DocumentError,
  DocumentTruncated,
  Foreign,
  TakenOver,
  tagOf,
  WorkerLost
} from "./internal/run/documentError.ts"

export { RunError } from "./internal/run/runError.ts"

const source = {
  /** POSIX path below the root. */
  source: Schema.String
}

const document = {
  ...source,
  documentId: DocumentId,
  /** Name of the root. */
  root: Schema.String
}

const found = {
  ...source,
  /** Null where the source names no root. */
  documentId: Schema.NullOr(DocumentId),
  /** Name of the root; null where the source names none. */
  root: Schema.NullOr(Schema.String)
}

/** Number of chunks added to, deleted from and unchanged in the sinks. */
const ChunkChanges = Schema.Struct({
  added: Schema.NonNegativeInt,
  deleted: Schema.NonNegativeInt,
  unchanged: Schema.NonNegativeInt
})

/**
 * The document's chunks are in every sink. A document without text has none: {@link isEmpty}.
 *
 * @since 0.1.0
 * @category models
 */
export class Stored extends Schema.TaggedClass<Stored>("docsluice/Stored")("Stored", {
  ...document,
  chunks: ChunkChanges,
  pages: Schema.NonNegativeInt,
  /** Credits of the parse; 0 from the cache. */
  credits: Schema.JsonNumber,
  /** Tokens of all chunks. */
  tokens: Schema.NonNegativeInt,
  /** Bytes of the file. */
  bytes: Schema.NonNegativeInt,
  fromCache: Schema.Boolean,
  truncated: Schema.Boolean,
  warnings: Schema.Array(Schema.String)
}) {}

/**
 * The file is as it was stored: nothing was sent to the service or written to a sink.
 *
 * @since 0.1.0
 * @category models
 */
export class Unchanged extends Schema.TaggedClass<Unchanged>("docsluice/Unchanged")("Unchanged", document) {}

/**
 * The document could not be read, parsed, chunked or stored.
 *
 * @since 0.1.0
 * @category models
 */
export class Failed extends Schema.TaggedClass<Failed>("docsluice/Failed")("Failed", {
  ...found,
  /** SHA-256 of the bytes, where they were read. */
  contentHash: Schema.NullOr(Schema.String),
  error: DocumentError,
  /** True when the same file may succeed in a later run. */
  retryable: Schema.Boolean,
  /** Requests sent for the file. */
  attempts: Schema.NonNegativeInt
}) {
  /** Tag of the error; that of the error which a `Foreign` stands for. */
  get tag(): string {
    return tagOf(this.error)
  }

  /** Message of the error. */
  get message(): string {
    return this.error.message
  }
}

/**
 * A pattern matched the file, but files of its extension are not read, or are left out by their type.
 *
 * @since 0.1.0
 * @category models
 */
export class Unsupported extends Schema.TaggedClass<Unsupported>("docsluice/Unsupported")("Unsupported", {
  ...found,
  /** Lower case, without the dot. */
  extension: Schema.String
}) {}

/**
 * The run stopped before this file's turn.
 *
 * @since 0.1.0
 * @category models
 */
export class NotAttempted extends Schema.TaggedClass<NotAttempted>("docsluice/NotAttempted")(
  "NotAttempted",
  document
) {}

/**
 * @since 0.1.0
 * @category models
 */
export const Outcome = Schema.Union(Stored, Unchanged, Failed, Unsupported, NotAttempted)

/**
 * @since 0.1.0
 * @category models
 */
export type Outcome = typeof Outcome.Type

/**
 * True for a document in which no text was found, such as a scan: it is settled, and no search finds it.
 *
 * @since 0.1.0
 * @category guards
 */
export const isEmpty = ({ chunks }: Stored): boolean => chunks.added + chunks.unchanged === 0

const encodedFailure = {
  ...source,
  tag: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean
}

/** A failure in a summary. Its error is not encoded: in a summary that was read, `Foreign` with the same tag and message stands for it. */
const SummaryFailure = Schema.transform(
  Schema.Struct(encodedFailure),
  Schema.Struct({ ...encodedFailure, error: Schema.typeSchema(DocumentError) }),
  {
    strict: true,
    decode: ({ message, tag, ...rest }) => ({ ...rest, tag, message, error: new Foreign({ tag, message }) }),
    encode: Struct.omit("error")
  }
)

/**
 * Summary of a run, as `docsluice ingest --json` prints it.
 *
 * `discovered = unchanged + stored + empty + failed + unsupported + notAttempted`.
 *
 * @since 0.1.0
 * @category models
 */
export class Summary extends Schema.Class<Summary>("docsluice/Summary")({
  discovered: Schema.NonNegativeInt,
  unchanged: Schema.NonNegativeInt,
  /** Documents with chunks. */
  stored: Schema.NonNegativeInt,
  /** Documents in which no text was found: they have no chunks. 0 in summaries of an earlier version, which counted them as stored. */
  empty: Schema.optional(Schema.NonNegativeInt).pipe(Schema.withDecodingDefault(() => 0)),
  failed: Schema.NonNegativeInt,
  unsupported: Schema.NonNegativeInt,
  /** The unsupported files by their extensions, lower case, without the dot; empty for those without one. Missing in earlier versions. */
  unsupportedTypes: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.NonNegativeInt })),
  notAttempted: Schema.NonNegativeInt,
  /** Documents removed from the sinks because no scope claims them any more. */
  removed: Schema.NonNegativeInt,
  /** Documents parsed by the service in this run. */
  parsed: Schema.NonNegativeInt,
  fromCache: Schema.NonNegativeInt,
  chunks: ChunkChanges,
  pages: Schema.NonNegativeInt,
  /** Credits of this run's parses and descriptions; answers from the cache cost none. */
  credits: Schema.Number,
  /** Figures that a describer was asked for; absent where it was asked for none. */
  figures: Schema.optional(
    Schema.Struct({
      /** Described and paid for in this run. */
      described: Schema.NonNegativeInt,
      /** Descriptions from the cache. */
      fromCache: Schema.NonNegativeInt,
      /** Left without a description, as the warnings of their documents say. */
      failed: Schema.NonNegativeInt,
      /** Tokens of the model, as far as it says. */
      tokens: Schema.NonNegativeInt
    })
  ),
  tokens: Schema.NonNegativeInt,
  /** Bytes of the files stored. */
  bytes: Schema.NonNegativeInt,
  requests: Schema.NonNegativeInt,
  retries: Schema.NonNegativeInt,
  /** Requests that may have been charged without an answer. */
  ambiguous: Schema.NonNegativeInt,
  /** Documents stored in part. */
  truncated: Schema.NonNegativeInt,
  /** From the first look at the root to the last commit. */
  durationMs: Schema.NonNegativeInt,
  /** Exit status of the command line. */
  exit: Schema.Literal(0, 1, 2, 130),
  /** Error that stopped the run early: its tag and message, and itself where this version knows its class. */
  stopped: Schema.optional(Schema.Struct({ tag: Schema.String, ...Message.fields, error: known(RunError) })),
  warnings: Schema.Array(Schema.Struct({ source: Schema.String, ...Message.fields })),
  /** Documents that failed, each with its error, and the tag and the message of that. */
  failures: Schema.Array(SummaryFailure)
}) {
  /** What `--json` prints, so that `JSON.stringify` shows neither errors nor what was thrown. */
  toJSON(): unknown {
    return Schema.encodeSync(Summary)(this)
  }
}
