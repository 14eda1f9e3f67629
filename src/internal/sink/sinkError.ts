import * as Schema from "effect/Schema"
import * as Message from "../base/message.ts"
import { unsent } from "../base/wireFields.ts"
import { EmbeddingSpace } from "./space.ts"

/**
 * An operation of a sink failed.
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
  ...Message.problemFields,
  /** For a `Mismatch` of embedding spaces, the space stored and the space requested; null without vectors. */
  spaces: Schema.optional(
    Schema.Struct({ stamped: Schema.NullOr(EmbeddingSpace), asked: Schema.NullOr(EmbeddingSpace) })
  ),
  cause: unsent
}) {
  override get message(): string {
    return `${this.sink}: ${this.problem}`
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.partsAfter(`${this.sink}: `, this.template)
  }
}
