/** Reasons why texts could not be embedded. */
import * as Schema from "effect/Schema"
import { ChunkId } from "../../DocumentChunk.ts"

/**
 * - `Empty`: a text of white space only; never sent.
 * - `TooLong`: above the model's limit, by our count or the server's answer.
 * - `Rejected`: the server refuses this text (400, 422, …).
 * - `Refused`: the server refuses every text: key, credit, model or address.
 * - `Throttled`: the server refuses requests for their number for longer than the retry policy allows.
 * - `Unavailable`: the server cannot be reached, or fails by its own fault, after all attempts; or no request succeeded for the
 *   embedder's `outageLimit`.
 * - `BadAnswer`: an answer that cannot be matched to the texts, or a vector of a wrong length or with a number that is not finite.
 * - `Stopped`: the caller was stopped before the texts were sent.
 * - `Failed`: the embedding function threw an error of its own.
 *
 * @since 0.1.0
 * @category models
 */
export const Reason = Schema.Literal(
  "Empty",
  "TooLong",
  "Rejected",
  "Refused",
  "Throttled",
  "Unavailable",
  "BadAnswer",
  "Stopped",
  "Failed"
)

/**
 * @since 0.1.0
 * @category models
 */
export type Reason = typeof Reason.Type

/**
 * Texts of a document could not be embedded. Holds no cause, since a provider's error may hold the key.
 *
 * @since 0.1.0
 * @category errors
 */
export class EmbeddingError extends Schema.TaggedError<EmbeddingError>("docsluice/EmbeddingError")("EmbeddingError", {
  reason: Reason,
  model: Schema.String,
  /** Chunks whose texts failed, in order; none for a query. */
  chunks: Schema.Array(ChunkId),
  /** What happened, in one line. */
  problem: Schema.String,
  /** True when the same texts may succeed later. */
  retryable: Schema.Boolean,
  /** `run`: every other text would fail in the same way. */
  severity: Schema.Literal("document", "run"),
  /** HTTP status of the answer, when there was one. */
  status: Schema.optional(Schema.Int)
}) {
  override get message(): string {
    const named = this.chunks.slice(0, 5).join(", ")
    const more = this.chunks.length > 5 ? `, and ${this.chunks.length - 5} more` : ""
    return `${this.model}: ${this.problem}${named === "" ? "" : ` (chunks ${named}${more})`}`
  }
}
