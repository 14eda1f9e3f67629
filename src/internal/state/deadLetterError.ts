import * as Schema from "effect/Schema"
import { unsent } from "../base/wireFields.ts"

/**
 * The dead letters cannot be read or written.
 *
 * @since 0.1.0
 * @category errors
 */
export class DeadLetterError extends Schema.TaggedError<DeadLetterError>("docsluice/DeadLetterError")(
  "DeadLetterError",
  {
    /** The file; the address of a server, without user and password. */
    file: Schema.String,
    /** What happened and what to do about it, in one line; of a state on a server. */
    problem: Schema.optional(Schema.String),
    cause: unsent
  }
) {
  override get message(): string {
    return `${this.file}: ${this.problem ?? "the dead letters cannot be read or written"}`
  }
}
