/**
 * Splits by pages.
 *
 * @since 0.1.0
 */
import type { Chunker, Part } from "./Chunker.ts"
import type { ChunkOptions } from "./ChunkOptions.ts"
import { settings } from "./internal/chunking/Settings.ts"
import { strategy } from "./internal/chunking/strategy.ts"

/**
 * `sections` is false and `pageBoundaries` `hard` by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends ChunkOptions {
  /**
   * Where pages start: at the page markers (`pageMarkers`), where the Markdown of `data.pages` stands, or `auto`: by
   * markers where there are any, else by pages, else by blocks; default `auto`.
   */
  readonly source?: "markers" | "pages" | "auto" | undefined
}

/**
 * One chunk for every page, or as few as the budget allows. A document without pages is split as a single page. A parser whose
 * options turn off what `source` names is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker =>
  strategy(
    "pages",
    settings("pages", options, {
      sections: false,
      pageBoundaries: "hard",
      pages: options.source ?? "auto",
      blocks: false,
      furniture: true,
      minConfidence: 0
    }),
    {
      asks: { parsers: [{ type: "pdf", pages: true, blocks: true, pageMarkers: true }] },
      requires: required[options.source ?? "auto"]
    }
  )

const required: Readonly<Record<"markers" | "pages" | "auto", readonly [Part, ...ReadonlyArray<Part>]>> = {
  markers: ["pageMarkers"],
  pages: ["pages"],
  auto: ["pages", "pageMarkers"]
}
