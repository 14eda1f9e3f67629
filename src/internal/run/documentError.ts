/**
 * Errors of one document of a run: a union of classes that is a Schema as well, and `Foreign` for the errors of others.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ServiceError } from "../../service/ServiceError.ts"
import { DuplicateDocument, FileError } from "../../SourceFile.ts"
import { unsent } from "../base/wireFields.ts"
import { ChunkingError } from "../chunking/chunkingError.ts"
import { EmbeddingError } from "../embedding/embeddingError.ts"
import { SinkError } from "../sink/sinkError.ts"

/**
 * An error whose class is not of this package, or not known any more: of a parser of one's own, a defect, or one that an earlier or later
 * version recorded with its tag and its message alone.
 *
 * @since 0.1.0
 * @category errors
 */
export class Foreign extends Schema.TaggedError<Foreign>("docsluice/Foreign")("Foreign", {
  /** The tag that outcomes, summaries and reports show; `Defect` for a value that was thrown. */
  tag: Schema.String,
  message: Schema.String,
  /** The error itself, while it is in the process that it happened in: it is never stored or sent. */
  value: unsent
}) {}

/**
 * Not all of the document was parsed, and the run refuses documents in part (`truncated: "fail"`).
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentTruncated extends Schema.TaggedError<DocumentTruncated>("docsluice/DocumentTruncated")(
  "DocumentTruncated",
  {
    /** POSIX path below the root. */
    path: Schema.String,
    /** The limits that were met, in words. */
    limits: Schema.Array(Schema.String)
  }
) {
  override get message(): string {
    return `${this.path}: ${this.limits.join("; ")}`
  }
}

/**
 * No worker of the queue brought a result of the document.
 *
 * @since 0.1.0
 * @category errors
 */
export class WorkerLost extends Schema.TaggedError<WorkerLost>("docsluice/WorkerLost")("WorkerLost", {
  /** POSIX path below the root. */
  path: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.path}: ${this.problem}`
  }
}

/**
 * Another process took the document over while this one was stopped for longer than its lease: its result counts.
 *
 * @since 0.1.0
 * @category errors
 */
export class TakenOver extends Schema.TaggedError<TakenOver>("docsluice/TakenOver")("TakenOver", {
  /** POSIX path below the root. */
  path: Schema.String
}) {
  override get message(): string {
    return `${this.path}: another process took it over while this one was stopped for longer than its lease; that one's result counts, or add it again`
  }
}

/**
 * Every error that a document of a run can fail with. `Schema.encode(DocumentError)` makes JSON of it; what was thrown (`cause`, `value`) is
 * left out, since it may hold a secret.
 *
 * @since 0.1.0
 * @category errors
 */
export const DocumentError = Schema.Union(
  ...ServiceError.members,
  ...FileError.members,
  DuplicateDocument,
  DocumentTruncated,
  WorkerLost,
  TakenOver,
  ChunkingError,
  EmbeddingError,
  SinkError,
  Foreign
)

/**
 * @since 0.1.0
 * @category errors
 */
export type DocumentError = typeof DocumentError.Type

/** An error of any origin. */
interface Tagged {
  readonly _tag: string
  readonly message: string
}

/**
 * The tag of an error as outcomes, summaries and reports show it: that of the error which a {@link Foreign} stands for.
 *
 * @since 0.1.0
 * @category accessors
 */
export const tagOf = (error: { readonly _tag: string }): string => (error instanceof Foreign ? error.tag : error._tag)

/**
 * Stands for an error with a tag, as `Foreign` with the same tag and message.
 *
 * @since 0.1.0
 * @category constructors
 */
export const foreign = (error: Tagged): Foreign =>
  new Foreign({ tag: error._tag, message: error.message, value: error }, { disableValidation: true })

const isDocumentError = Schema.is(DocumentError)

/**
 * An error of this package as it is, any other as {@link Foreign}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromError = (error: Tagged): DocumentError => (isDocumentError(error) ? error : foreign(error))

/**
 * A defect, a fault of a program, as {@link Foreign} with the tag `Defect`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromDefect = (defect: unknown): Foreign =>
  new Foreign({ tag: "Defect", message: String(defect), value: defect }, { disableValidation: true })
