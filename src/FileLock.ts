/**
 * Exclusive lock on something kept in files: one holder at a time, across all processes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { unsent } from "./internal/base/wireFields.ts"
import type { Reason } from "./internal/state/libsql.ts"
import * as StateLock from "./internal/state/lock.ts"

/**
 * The lock cannot be acquired. `Locked`: another holder has it. `ReadOnly`, `Full`: the folder cannot be written. `Io`: anything
 * else that the file system refused.
 *
 * @since 0.1.0
 * @category errors
 */
export class FileLockError extends Schema.TaggedError<FileLockError>("docsluice/FileLockError")("FileLockError", {
  file: Schema.String,
  reason: Schema.Literal("Locked", "ReadOnly", "Full", "Io"),
  /** The problem in one line; `Locked`: who has it, such as `another process (pid 12 on build-3) has it`. */
  problem: Schema.String,
  /** `Locked`: the other process, where it is known. */
  pid: Schema.optional(Schema.Int),
  cause: unsent
}) {
  override get message(): string {
    return `${this.file}: ${this.problem}`
  }
}

const reasons: Readonly<Record<Reason, FileLockError["reason"]>> = {
  Locked: "Locked",
  Corrupted: "Io",
  ReadOnly: "ReadOnly",
  Full: "Full",
  Io: "Io"
}

/**
 * Acquires the lock until the scope ends; fails at once when another holder has it. Creates the lock file; its folder must exist.
 *
 * The operating system releases the lock when the process ends, in any way, so a file left by a killed process, another container
 * or another machine does not block. `FILE.pid`, next to the lock file, names the holder; both are removed with the scope. A lock
 * file is empty: one with content is refused (`Io`) and left as it is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const acquire = (file: string): Effect.Effect<void, FileLockError, Scope.Scope> =>
  Effect.mapError(StateLock.scoped(file), (refused) =>
    refused._tag === "Held"
      ? new FileLockError({
          file,
          reason: "Locked",
          problem: `${StateLock.nameOf(refused.holder)} has it`,
          pid: refused.holder?.pid
        })
      : new FileLockError({ file, reason: reasons[refused.reason], problem: refused.message, cause: refused.cause })
  )
