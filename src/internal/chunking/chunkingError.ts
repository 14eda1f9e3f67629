import * as Schema from "effect/Schema"
import { unsent } from "../base/wireFields.ts"

/**
 * The document cannot be split: a single code point is above the budget (`BudgetTooSmall`), the chunker or a function among its
 * options produced a value that a chunk may not hold (`InvalidChunk`), or the chunker failed (`Failed`).
 *
 * @since 0.1.0
 * @category errors
 */
export class ChunkingError extends Schema.TaggedError<ChunkingError>("docsluice/ChunkingError")("ChunkingError", {
  /** POSIX path below the root. */
  source: Schema.String,
  reason: Schema.Literal("BudgetTooSmall", "InvalidChunk", "Failed"),
  /** Position in the Markdown, in UTF-16 code units. */
  offset: Schema.optional(Schema.NonNegativeInt),
  /** 0-based index of an `InvalidChunk` in the document; absent when all chunks are concerned. */
  index: Schema.optional(Schema.NonNegativeInt),
  /** Path of the invalid member of an `InvalidChunk`, for example `metadata.title`. */
  field: Schema.optional(Schema.String),
  /** For an `InvalidChunk`, the member's name followed by the value found and the values allowed; for `Failed` the reason in words, if known. */
  problem: Schema.optional(Schema.String),
  cause: unsent
}) {
  override get message(): string {
    switch (this.reason) {
      case "BudgetTooSmall":
        return `${this.source}: the character at offset ${this.offset} alone is above the token budget; raise maxTokens`
      case "InvalidChunk":
        return `${this.source}: ${this.index === undefined ? "every chunk" : `chunk ${this.index}`} is refused: ${this.problem}`
      default:
        return `${this.source}: the chunker failed${this.problem === undefined ? "" : `: ${this.problem}`}`
    }
  }
}
