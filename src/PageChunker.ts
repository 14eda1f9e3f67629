/**
 * Splits by pages.
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
  /**
   * Where pages start: at the page markers (`pageMarkers`), where the Markdown of `data.pages` stands, or `auto`: by
   * markers where there are any, else by pages, else by blocks. Default `auto`.
   */
  readonly source?: "markers" | "pages" | "auto" | undefined
  /** Most tokens of a chunk's `embedText`; a longer page becomes several chunks; default 512. */
  readonly maxTokens?: number | undefined
  /** Whether the heading path stands before the text in `embedText`, in at most a quarter of `maxTokens`; default true. */
  readonly context?: boolean | undefined
}

const defaults = { source: "auto", maxTokens: 512, context: true } as const

/**
 * One chunk for every page, or as few as the budget allows. A document without pages is split as a single page.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker => {
  const source = options.source ?? defaults.source
  const settings = {
    maxTokens: options.maxTokens ?? defaults.maxTokens,
    context: options.context ?? defaults.context
  }
  return strategy("pages", {
    ...settings,
    configuration: canonical("pages", { ...settings, source }),
    minTokens: 0,
    sections: false,
    pages: source,
    hardPages: true,
    blocks: false,
    minConfidence: 0,
    furniture: true
  })
}
