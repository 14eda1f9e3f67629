/**
 * The audit log of a server: a line for each parse, written before its answer is sent.
 *
 * Source: interface document, "AuditMetadata".
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { unsent } from "../base/wireFields.ts"

/**
 * One parse, answered with a document or with an error. An upload that could not be read has no entry.
 *
 * @since 0.1.0
 * @category models
 */
export class Entry extends Schema.Class<Entry>("docsluice/service/AuditLog/Entry")({
  /** When the answer was ready. */
  at: Schema.DateTimeUtc,
  /** Name of the key; absent on a server without plans. */
  key: Schema.optional(Schema.String),
  /** `auditMetadata.username` of the request. */
  username: Schema.optional(Schema.String),
  origin: Schema.String,
  integration: Schema.optional(Schema.String),
  /** Name of the uploaded file; absent for a parse with zero data retention. */
  file: Schema.optional(Schema.String),
  /** Size of the uploaded file. */
  bytes: Schema.NonNegativeInt,
  /** HTTP status of the answer. */
  status: Schema.Int,
  /** Member `code` of an error. */
  code: Schema.optional(Schema.String),
  /** Credits that the parse cost. */
  credits: Schema.NonNegativeInt
}) {}

/**
 * The log cannot be written.
 *
 * @since 0.1.0
 * @category errors
 */
export class AuditLogError extends Schema.TaggedError<AuditLogError>("docsluice/service/AuditLogError")(
  "AuditLogError",
  {
    /** Path of the log. */
    file: Schema.String,
    /** The fault and its remedy, in one line. */
    problem: Schema.String,
    cause: unsent
  }
) {
  override get message(): string {
    return `${this.file}: ${this.problem}`
  }
}

/**
 * @since 0.1.0
 * @category services
 */
export class AuditLog extends Context.Tag("docsluice/service/AuditLog")<AuditLog, AuditLog.Service>() {}

export declare namespace AuditLog {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Writes an entry. A parse whose entry cannot be written is answered with a 500 and costs nothing. */
    readonly write: (entry: Entry) => Effect.Effect<void, AuditLogError>
  }
}

const encode = Schema.encodeSync(Schema.parseJson(Entry))

const failed = (file: string) => (cause: PlatformError) =>
  new AuditLogError({
    file,
    problem: `the audit log cannot be written (${cause._tag === "SystemError" ? cause.reason : "BadArgument"}); check path, permissions and disk`,
    cause
  })

/**
 * A log in a file of JSON lines, to which entries are appended; created when missing (mode 0600).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  file: string
): Effect.Effect<AuditLog.Service, AuditLogError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const handle = yield* fs.open(file, { flag: "a", mode: 0o600 })
    const alone = yield* Effect.makeSemaphore(1)
    const log: AuditLog.Service = {
      write: (entry) =>
        handle
          .writeAll(new TextEncoder().encode(`${encode(entry)}\n`))
          .pipe(alone.withPermits(1), Effect.uninterruptible, Effect.mapError(failed(file)))
    }
    return log
  }).pipe(Effect.mapError(failed(file)))

/**
 * {@link make} as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (file: string): Layer.Layer<AuditLog, AuditLogError, FileSystem.FileSystem> =>
  Layer.scoped(AuditLog, make(file))
