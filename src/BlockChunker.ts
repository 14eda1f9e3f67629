/**
 * Splits by the layout blocks of the pages (`data.blocks`).
 *
 * @since 0.1.0
 */
import type { Chunker } from "./Chunker.ts"
import { canonical, strategy } from "./internal/chunking/strategy.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Most tokens of a chunk's `embedText`; default 512. */
  readonly maxTokens?: number | undefined
  /** A chunk with fewer tokens goes on across the start of a section that does not fit whole; default 0. */
  readonly minTokens?: number | undefined
  /** Whether the heading path stands before the text in `embedText`, in at most a quarter of `maxTokens`; default true. */
  readonly context?: boolean | undefined
  /** Whether `page_header`, `page_footer` and `page_number` blocks stay in; default false. */
  readonly furniture?: boolean | undefined
  /** Chunks that hold a block of less layout or OCR confidence, 0 to 1, are noted `low-confidence`; default 0.5. */
  readonly minConfidence?: number | undefined
}

const defaults = { maxTokens: 512, minTokens: 0, context: true, furniture: false, minConfidence: 0.5 } as const

/**
 * Chunks carry the ids and boxes of the blocks they hold; page furniture is left out. What no block covers is kept.
 *
 * Blocks whose place in the Markdown could not be found are reported in `unplaced`; their text, where it is in the
 * Markdown, is in a chunk all the same.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker => {
  const settings = {
    maxTokens: options.maxTokens ?? defaults.maxTokens,
    minTokens: options.minTokens ?? defaults.minTokens,
    context: options.context ?? defaults.context,
    furniture: options.furniture ?? defaults.furniture,
    minConfidence: options.minConfidence ?? defaults.minConfidence
  }
  return strategy("blocks", {
    ...settings,
    configuration: canonical("blocks", settings),
    sections: true,
    pages: "auto",
    hardPages: false,
    blocks: true
  })
}
