/**
 * Splits by pages.
 *
 * @since 0.1.0
 */
import type { Chunker, Part } from "./Chunker.ts"
import type { ChunkOptions } from "./internal/chunking/chunkOptions.ts"
import { strategy } from "./internal/chunking/strategy.ts"

/**
 * `sections` is false and `pageBoundaries` `hard` by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends ChunkOptions {
  /**
   * Source of the page starts: `markers` (the page markers of `pageMarkers`), `pages` (the Markdown of `data.pages`, located in
   * the document), or `auto`: markers if there are any, else pages, else blocks; default `auto`.
   */
  readonly source?: "markers" | "pages" | "auto" | undefined
}

/**
 * One chunk per page, or as few as the budget allows. Rows of a table that began on an earlier page have its head before them in
 * `embedText`. A document without pages is split as a single page. A parser whose options turn off the part that `source` names is refused.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ source, ...options }: Options = {}): Chunker =>
  strategy({
    name: "pages",
    options: { ...options, pages: source },
    kind: {
      sections: false,
      pageBoundaries: "hard",
      pages: "auto",
      blocks: false,
      furniture: true,
      minConfidence: 0
    },
    needs: {
      asks: { parsers: [{ type: "pdf", pages: true, blocks: true, pageMarkers: true }] },
      requires: required[source ?? "auto"]
    }
  })

const required: Readonly<Record<"markers" | "pages" | "auto", readonly [Part, ...ReadonlyArray<Part>]>> = {
  markers: ["pageMarkers"],
  pages: ["pages"],
  auto: ["pages", "pageMarkers"]
}
