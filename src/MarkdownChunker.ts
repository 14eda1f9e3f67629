/**
 * Splits by the structure of the Markdown: sections, paragraphs, lists, tables, code.
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
}

const defaults = { maxTokens: 512, minTokens: 0, context: true } as const

/**
 * Chunks follow the sections: one that fits whole stays whole, paragraphs are cut at sentences, tables between rows, code at
 * line ends, each only when above the budget. Blocks are not looked at but for the evidence on page markers.
 *
 * Linear with the tokenizers of this package; holds one document. No chunk reaches over a page marker.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker => {
  const settings = {
    maxTokens: options.maxTokens ?? defaults.maxTokens,
    minTokens: options.minTokens ?? defaults.minTokens,
    context: options.context ?? defaults.context
  }
  return strategy("markdown", {
    ...settings,
    configuration: canonical("markdown", settings),
    sections: true,
    pages: "auto",
    hardPages: false,
    blocks: false,
    minConfidence: 0,
    furniture: true
  })
}
