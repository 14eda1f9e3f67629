import * as Schema from "effect/Schema"
import * as Message from "../base/message.ts"
import { unsent } from "../base/wireFields.ts"

/**
 * The ledger cannot be used.
 *
 * `Locked`: another process uses the state directory. `Corrupted`: the database is damaged. `Newer`: written by a later version.
 * `ReadOnly`, `Full`: the directory cannot be written. `NameClash`: one name for two existing roots. `RootRenamed`: a new name
 * for the files of a root whose folder is gone. `Io`: anything else that the file system or the database refused.
 *
 * Of a ledger on a server also: `Unreachable`, `TimedOut`: no answer, or none in time. `Denied`: wrong credentials, or no permission.
 * `Missing`: there is no such database, or its tables are gone. `Unsupported`: the package `pg` is not there. `Superseded`: another process
 * took a document over.
 *
 * @since 0.1.0
 * @category errors
 */
export class LedgerError extends Schema.TaggedError<LedgerError>("docsluice/LedgerError")("LedgerError", {
  /** The state directory; `:memory:` without one. The address of a server, without user and password. */
  directory: Schema.String,
  reason: Schema.Literal(
    "Locked",
    "Corrupted",
    "Newer",
    "ReadOnly",
    "Full",
    "NameClash",
    "RootRenamed",
    "Unreachable",
    "TimedOut",
    "Denied",
    "Missing",
    "Unsupported",
    "Superseded",
    "Io"
  ),
  ...Message.problemFields,
  /** `Locked`: the other process, where it is known. */
  pid: Schema.optional(Schema.Int),
  cause: unsent
}) {
  override get message(): string {
    return `${this.directory}: ${this.problem}`
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.partsAfter(`${this.directory}: `, this.template)
  }
}
