/**
 * A strategy that splits a parsed document into chunks, and a splitter for text that one already has.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { ChunkOptions } from "./ChunkOptions.ts"
import type { DocumentChunk } from "./DocumentChunk.ts"
import type { ChunkingError } from "./internal/chunking/contract.ts"
import * as internal from "./internal/chunking/text.ts"
import type * as Tokenizer from "./Tokenizer.ts"

export { type Chunked, type Chunker, ChunkingError, type Needs, type Part } from "./internal/chunking/contract.ts"

/**
 * Options of {@link text}: the budget and the rest as of `MarkdownChunker`.
 *
 * @since 0.1.0
 * @category models
 */
export interface TextOptions extends ChunkOptions {
  /** POSIX path of the text below its root, for citations; default `text.md`. */
  readonly source?: string | undefined
  /** Name of the root, first part of the document id; default `text`. */
  readonly root?: string | undefined
  /** A tokenizer of this package by its name, or one of your own; default `o200k_base`. */
  readonly tokenizer?: Tokenizer.Name | Tokenizer.Tokenizer.Service | undefined
}

/**
 * Splits Markdown, or plain text, as `MarkdownChunker` does: chunks in order with their spans, headings, kinds and token counts. Needs
 * nothing but the text; takes linear time. The first call loads the tokenizer.
 *
 * ```ts
 * import * as Chunker from "docsluice/Chunker"
 *
 * const chunks = Chunker.text("# Gauges\n\nCalibrated in May.", { maxTokens: 256 })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const text: (
  markdown: string,
  options?: TextOptions
) => Effect.Effect<ReadonlyArray<DocumentChunk>, ChunkingError> = internal.text
