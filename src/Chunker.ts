/**
 * A strategy that splits a parsed document into chunks.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DocumentChunk } from "./DocumentChunk.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"
import type { Tokenizer } from "./Tokenizer.ts"

/**
 * The document cannot be split as asked: a single code point is above the budget, or the chunker itself failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class ChunkingError extends Schema.TaggedError<ChunkingError>("docsluice/ChunkingError")("ChunkingError", {
  /** POSIX path below the root. */
  source: Schema.String,
  reason: Schema.Literal("BudgetTooSmall", "Failed"),
  /** Where in the Markdown, in UTF-16 code units. */
  offset: Schema.optional(Schema.NonNegativeInt),
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return this.reason === "BudgetTooSmall"
      ? `${this.source}: the character at offset ${this.offset} alone is above the token budget; raise maxTokens`
      : `${this.source}: the chunker failed`
  }
}

/**
 * The chunks of one document, and what could not be told for sure.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chunked {
  /** In document order. */
  readonly chunks: ReadonlyArray<DocumentChunk>
  /** Ids of blocks whose place in the Markdown could not be found. */
  readonly unplaced: ReadonlyArray<string>
  /** Offsets of lines that may or may not be page markers, in UTF-16 code units. */
  readonly ambiguousMarkers: ReadonlyArray<number>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Chunker {
  readonly name: string
  /** Canonical text of all options that change chunks; with the tokenizer's name it makes the configuration digest. */
  readonly configuration: string
  /** Holds one document; pure but for the tokenizer. */
  readonly chunk: (document: ParsedDocument) => Effect.Effect<Chunked, ChunkingError, Tokenizer>
}
