/**
 * Splits by the layout blocks of the pages (`data.blocks`).
 *
 * @since 0.1.0
 */
import type { Chunker } from "./Chunker.ts"
import type { ChunkOptions } from "./ChunkOptions.ts"
import { settings } from "./internal/chunking/Settings.ts"
import { layout, strategy } from "./internal/chunking/strategy.ts"

/**
 * `sections` is true and `pageBoundaries` `soft` by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends ChunkOptions {
  /** Whether `page_header`, `page_footer` and `page_number` blocks stay in; default false. */
  readonly furniture?: boolean | undefined
  /** Chunks that hold a block of less layout or OCR confidence, 0 to 1, are noted `low-confidence`; default 0.5. */
  readonly minConfidence?: number | undefined
}

/**
 * As `MarkdownChunker`, and: `title` and `section_header` blocks open sections, captions stay with their figure or table,
 * formulas with their sentence, text that goes on across a page with its first half; page furniture is left out; chunks
 * carry ids, types and boxes of their blocks, and as metadata `layoutConfidence` and `ocrConfidence` (the least of any
 * block) and `blockSources`.
 *
 * What no block covers is kept. Blocks whose place in the Markdown could not be found are reported in `unplaced`; their
 * text, where it is in the Markdown, is in a chunk all the same. A parser whose options turn `blocks` off is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker =>
  strategy(
    "blocks",
    settings("blocks", options, {
      sections: true,
      pageBoundaries: "soft",
      pages: "auto",
      blocks: true,
      furniture: options.furniture ?? false,
      minConfidence: options.minConfidence ?? 0.5
    }),
    { asks: layout, requires: ["blocks"] }
  )
