/**
 * Splits by the structure of the Markdown: sections, paragraphs, lists, tables, code.
 *
 * @since 0.1.0
 */
import type { Chunker } from "./Chunker.ts"
import type { ChunkOptions } from "./internal/chunking/chunkOptions.ts"
import { markdown } from "./internal/chunking/kinds.ts"
import { strategy } from "./internal/chunking/strategy.ts"

/**
 * `sections` is true and `pageBoundaries` `soft` by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends ChunkOptions {}

/**
 * Chunks follow the sections: one that fits whole stays whole, paragraphs are cut at sentences, tables between rows, code at
 * line ends, each only when above the budget. Blocks are used only as evidence for page markers and page numbers.
 *
 * Takes linear time with the tokenizers of this package; holds one document. No chunk spans a page marker.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker => strategy({ name: "markdown", options, kind: markdown })
