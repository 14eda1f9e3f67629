/**
 * Splits by the layout blocks of the pages (`data.blocks`).
 *
 * @since 0.1.0
 */
import type { Chunker } from "./Chunker.ts"
import type { ChunkOptions } from "./internal/chunking/chunkOptions.ts"
import { layout, strategy } from "./internal/chunking/strategy.ts"

/**
 * `sections` is true and `pageBoundaries` `soft` by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends ChunkOptions {
  /** Keep `page_header`, `page_footer` and `page_number` blocks; default false. */
  readonly furniture?: boolean | undefined
  /** Chunks that hold a block of lower layout or OCR confidence, 0 to 1, are noted `low-confidence`; default 0.5. */
  readonly minConfidence?: number | undefined
}

/**
 * Splits like `MarkdownChunker`, and also: `title` and `section_header` blocks open sections; captions stay with their figure
 * or table, formulas with their sentence, text that continues across a page with its first half; blocks of rows that follow those of
 * the table on the page before without a head are one table with it; page furniture is omitted;
 * chunks carry ids, types and boxes of their blocks, and as metadata `layoutConfidence` and `ocrConfidence` (the lowest of any
 * block), `blockSources` and `figureBlocks`, the ids of figures.
 *
 * Text that no block covers is kept. Blocks that could not be located in the Markdown are reported in `unplaced`; if their text
 * is in the Markdown, it is still in a chunk. A parser whose options turn `blocks` off is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker =>
  strategy({
    name: "blocks",
    options,
    kind: {
      sections: true,
      pageBoundaries: "soft",
      pages: "auto",
      blocks: true,
      furniture: false,
      minConfidence: 0.5
    },
    needs: { asks: layout, requires: ["blocks"] }
  })
