/** The contract of a chunker, and what it gives and fails with. */
import type * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import type { ChunkingError } from "./chunkingError.ts"

/**
 * The chunks of one document, and the points that remained uncertain.
 *
 * @since 0.1.0
 * @category models
 */
export interface Chunked {
  /** In document order. */
  readonly chunks: ReadonlyArray<DocumentChunk>
  /** Ids of blocks that could not be located in the Markdown. */
  readonly unplaced: ReadonlyArray<string>
  /** Offsets of lines that may or may not be page markers, in UTF-16 code units. */
  readonly ambiguousMarkers: ReadonlyArray<number>
}

/**
 * A part of a PDF's answer next to the Markdown: `data.pages`, `data.blocks`, page markers in the Markdown. The option of the
 * same name of the PDF parser requests it.
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
  /** Parse options that this chunker requests; the parser's own options win, member by member. */
  readonly asks: ParseOptions
  /** Parts of which a PDF's answer must have at least one; default: the Markdown is enough. */
  readonly requires?: readonly [Part, ...ReadonlyArray<Part>] | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Chunker {
  readonly name: string
  /** Read by the parser, before anything is sent; default: Markdown. */
  readonly needs?: Needs | undefined
  /** Canonical text of all options that change chunks; with the tokenizer's name it makes the configuration digest. */
  readonly configuration: string
  /**
   * Text of all that changes the metadata of chunks and nothing else. It is part of the ledger's record of a document and of no
   * chunk id: with another one, the next run writes stored documents again, under the same ids, from cached answers and vectors.
   * Default: none.
   */
  readonly annotations?: string | undefined
  /**
   * The same chunker with the settings of a `configuration` in place of its defaults; what its maker was told stays. A run with a state
   * asks for it with the configuration that the root was filled with, so that a default of another version changes no stored document.
   * Default: there are no defaults, and the chunker is taken as it is.
   */
  readonly keeping?: ((configuration: string) => Chunker) | undefined
  /**
   * Holds one document; pure but for the tokenizer. The chunkers of this package give the event loop a turn after every 20 ms of a long
   * document, at which they can be interrupted; none under `Effect.runSync`.
   */
  readonly chunk: (document: ParsedDocument) => Effect.Effect<Chunked, ChunkingError, Tokenizer>
}
