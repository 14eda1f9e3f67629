/**
 * A strategy that splits a parsed document into chunks, and a splitter for text that one already has.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Stream from "effect/Stream"
import type { DocumentChunk } from "./DocumentChunk.ts"
import type { ChunkingError } from "./internal/chunking/chunkingError.ts"
import type { ChunkOptions } from "./internal/chunking/chunkOptions.ts"
import type { Chunked, Chunker } from "./internal/chunking/contract.ts"
import * as mapped from "./internal/chunking/mapped.ts"
import * as internal from "./internal/chunking/text.ts"
import type { DocumentChunks } from "./internal/sink/contract.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"
import * as Stage from "./Stage.ts"
import type * as Tokenizer from "./Tokenizer.ts"

export { ChunkingError } from "./internal/chunking/chunkingError.ts"
export { type ChunkOptions, type Template } from "./internal/chunking/chunkOptions.ts"
export type { Chunked, Chunker, Needs, Part } from "./internal/chunking/contract.ts"

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

/**
 * A change of chunks, for {@link mapChunks}.
 *
 * @since 0.1.0
 * @category models
 */
export type Step<E> = mapped.Step<E>

/**
 * Changes the chunks of every document: their text, their metadata, which of them there are. Each gets another id, by the recipe of
 * `ChunkId` with the step's name in it, its position, and the token count of its `embedText`; where `f` changes `text` alone, `embedText`
 * gets the new text in place of the former one. Spans go on pointing at the place in the document. An error of `f` is a `ChunkingError`.
 *
 * ```ts
 * import { BlockChunker, Chunker } from "docsluice"
 * import { Effect } from "effect"
 *
 * const chunker = Chunker.mapChunks(BlockChunker.make(), {
 *   name: "no short ones 1",
 *   f: (chunks) => Effect.succeed(chunks.filter(({ tokens }) => tokens > 3))
 * })
 * ```
 *
 * @since 0.1.0
 * @category combinators
 */
export const mapChunks: {
  <E extends { readonly message: string }>(step: Step<E>): (self: Chunker) => Chunker
  <E extends { readonly message: string }>(self: Chunker, step: Step<E>): Chunker
} = dual(2, mapped.mapChunks)

/**
 * The chunks of one document, with its id, and the points that remained uncertain.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChunkedDocument extends DocumentChunks, Chunked {}

/**
 * @since 0.1.0
 * @category models
 */
export interface StageOptions extends Stage.FailureOptions {
  readonly chunker: Chunker
}

/**
 * Splits every document of a stream, one at a time and in order; what is no document passes. The first failure ends the stream, or comes out
 * as a `Stage.Rejected` where `failures` is `keep`. `Parser.parseAll` with the same `chunker` asks for the parts of an answer that it needs.
 *
 * @since 0.1.0
 * @category combinators
 */
export const chunkAll: {
  <const O extends StageOptions>(
    options: O
  ): Stage.Stage<
    ParsedDocument,
    ChunkedDocument,
    Stage.Ending<O, ChunkingError>,
    Tokenizer.Tokenizer,
    Stage.Kept<O, ChunkingError>
  >
  <A, E, R, const O extends StageOptions>(
    documents: Stream.Stream<A, E, R> & Stage.Fitting<A, ParsedDocument>,
    options: O
  ): Stream.Stream<
    ChunkedDocument | Stage.Kept<O, ChunkingError> | Exclude<A, ParsedDocument>,
    E | Stage.Ending<O, ChunkingError>,
    R | Tokenizer.Tokenizer
  >
} = dual(2, <A, E, R>(documents: Stream.Stream<A, E, R> & Stage.Fitting<A, ParsedDocument>, options: StageOptions) =>
  Stage.make(
    Stage.isParsed,
    (document) =>
      Effect.map(options.chunker.chunk(document), (chunked) => ({ documentId: document.documentId, ...chunked })),
    { concurrency: 1, failures: options.failures }
  )(documents)
)
