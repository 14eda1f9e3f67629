/** Reasons why texts could not be reranked. */
import * as Schema from "effect/Schema"

/**
 * Texts could not be scored for a query, so that nothing is in order. Holds no cause, since a provider's error may hold the key.
 *
 * - `Empty`: the query or a text is white space only; never sent.
 * - `TooLong`: the query, or a text with it, is above the model's limit, and was not accepted shortened either.
 * - `Rejected`: the server refuses the query or a text (400, 422, …).
 * - `Refused`: the server refuses every request: key, credit, model or address.
 * - `Throttled`: the server refuses requests for their number for longer than the retry policy allows.
 * - `Unavailable`: the server cannot be reached, or fails by its own fault, after all attempts.
 * - `BadAnswer`: an answer that cannot be matched to the texts, or a score that is no finite number.
 *
 * @since 0.1.0
 * @category errors
 */
export class RerankError extends Schema.TaggedError<RerankError>("docsluice/RerankError")("RerankError", {
  reason: Schema.Literal("Empty", "TooLong", "Rejected", "Refused", "Throttled", "Unavailable", "BadAnswer"),
  /** The reranker as its spelling has it, without credentials. */
  reranker: Schema.String,
  /** What happened and what to do about it, in one line. */
  problem: Schema.String,
  /** True when the same texts may succeed later. */
  retryable: Schema.Boolean,
  /** HTTP status of the answer, when there was one. */
  status: Schema.optional(Schema.Int)
}) {
  override get message(): string {
    return `${this.reranker}: ${this.problem}`
  }
}
