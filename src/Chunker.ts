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
 * The document cannot be split as asked: a single code point is above the budget (`BudgetTooSmall`), the chunker or a function
 * among its options made something that no chunk may hold (`InvalidChunk`), or the chunker failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class ChunkingError extends Schema.TaggedError<ChunkingError>("docsluice/ChunkingError")("ChunkingError", {
  /** POSIX path below the root. */
  source: Schema.String,
  reason: Schema.Literal("BudgetTooSmall", "InvalidChunk", "Failed"),
  /** Where in the Markdown, in UTF-16 code units. */
  offset: Schema.optional(Schema.NonNegativeInt),
  /** Of an `InvalidChunk`: its 0-based position in the document; absent where it concerns all chunks. */
  index: Schema.optional(Schema.NonNegativeInt),
  /** Of an `InvalidChunk`: the member, as in `metadata.title`. */
  field: Schema.optional(Schema.String),
  /** Of an `InvalidChunk`: the value that was found and those that are allowed, in words that begin with the member. */
  problem: Schema.optional(Schema.String),
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    switch (this.reason) {
      case "BudgetTooSmall":
        return `${this.source}: the character at offset ${this.offset} alone is above the token budget; raise maxTokens`
      case "InvalidChunk":
        return `${this.source}: ${this.index === undefined ? "every chunk" : `chunk ${this.index}`} is refused: ${this.problem}`
      default:
        return `${this.source}: the chunker failed`
    }
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
