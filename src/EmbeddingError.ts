/**
 * Why texts have no vectors.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ChunkId } from "./DocumentChunk.ts"

/**
 * - `Empty`: a text of nothing but white space; never sent.
 * - `TooLong`: above the model's limit, by our count or the server's word.
 * - `Rejected`: the server refuses this text (400, 422, …).
 * - `Refused`: the server refuses all of them alike: key, credit, model or address.
 * - `Throttled`: it asked to wait, longer than the retry policy allows.
 * - `Unavailable`: not there, or a fault of its own, after all attempts.
 * - `BadAnswer`: an answer that cannot be matched to the texts, or a vector of a wrong length or with a number that is not finite.
 * - `Failed`: the embedding function threw, for reasons of its own.
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
  /** Chunks whose texts are concerned, in order; none for a query. */
  chunks: Schema.Array(ChunkId),
  /** What happened, in one line. */
  problem: Schema.String,
  /** Whether the same texts may be embedded later. */
  retryable: Schema.Boolean,
  /** `run`: every text would meet the same. */
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
