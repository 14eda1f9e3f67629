/**
 * A strategy that splits a parsed document into chunks.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DocumentChunk } from "./DocumentChunk.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"
import type { ParseOptions } from "./service/ParseOptions.ts"
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
 * A part of a PDF's answer, next to the Markdown: `data.pages`, `data.blocks`, page markers in the Markdown. It is in the answer
 * when the parser of PDFs is asked for it by the option of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Part = "pages" | "blocks" | "pageMarkers"

/**
 * The parts of an answer that a chunker works on. Markdown is always one of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Needs {
  /** Options that a parser asks with for this chunker; the options of the parser itself win, member by member. */
  readonly asks: ParseOptions
  /** The chunker is of no use for a PDF unless the answer has one of these; default: the Markdown is enough. */
  readonly requires?: readonly [Part, ...ReadonlyArray<Part>] | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Chunker {
  readonly name: string
  /** Read by `Parser.serving`, before anything is sent; default: Markdown. */
  readonly needs?: Needs | undefined
  /** Canonical text of all options that change chunks; with the tokenizer's name it makes the configuration digest. */
  readonly configuration: string
  /** Holds one document; pure but for the tokenizer. */
  readonly chunk: (document: ParsedDocument) => Effect.Effect<Chunked, ChunkingError, Tokenizer>
}
