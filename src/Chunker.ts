/**
 * A strategy that splits a parsed document into chunks.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { DocumentChunk } from "./DocumentChunk.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"
import { InvalidOptions, merge, type ParseOptions, resolve, validate } from "./service/ParseOptions.ts"
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

/**
 * The four ways to split, as the command line names them.
 *
 * @since 0.1.0
 * @category models
 */
export type Strategy = "auto" | "pages" | "blocks" | "markdown"

/**
 * What a run asks of the service so that a strategy can work: Markdown, pages and blocks (they cost nothing extra), and page
 * markers for `pages` only; with the user's options over it. Fails when those leave the strategy without what it needs, before
 * anything is sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parseOptions = (
  strategy: Strategy,
  options: ParseOptions = {}
): Either.Either<ParseOptions, InvalidOptions> =>
  Either.flatMap(
    validate(
      merge({ parsers: [{ type: "pdf", pages: true, blocks: true, pageMarkers: strategy === "pages" }] }, options)
    ),
    (merged) => {
      const lacking = missing(strategy, merged)
      return lacking === null ? Either.right(merged) : Either.left(new InvalidOptions({ issues: [lacking] }))
    }
  )

const missing = (strategy: Strategy, options: ParseOptions): (typeof InvalidOptions.Type)["issues"][number] | null => {
  const { formats, pdf } = resolve(options)
  const issue = (field: string, value: unknown, bound: string) => ({
    field,
    value,
    bound,
    message: `${field}: expected ${bound}, since the chunker ${strategy} works on it`
  })
  if (!formats.some((format) => format.type === "markdown")) {
    return issue("formats", formats, "markdown among the formats")
  }
  if (strategy === "blocks" && !pdf.blocks) return issue("parsers[0].blocks", false, "true")
  if (strategy === "pages" && !pdf.pages && !pdf.pageMarkers)
    return issue("parsers[0].pages", false, "pages or pageMarkers")
  return null
}
