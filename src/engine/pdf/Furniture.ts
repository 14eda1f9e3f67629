/**
 * Running headers, running footers and page numbers: lines in the top and bottom 12 % of a page that stand on several
 * pages, or that are nothing but a page's number.
 *
 * @since 0.1.0
 */
import type * as Box from "./Box.ts"
import type { Item, PageItems } from "./PageItem.ts"
import * as TextLine from "./TextLine.ts"

/**
 * A line that is no part of the text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Furniture {
  readonly kind: "page_header" | "page_footer" | "page_number"
  readonly box: Box.Box
  readonly top: boolean
  readonly items: ReadonlyArray<Item>
}

/** Share of the page's height in which furniture is looked for, above and below. */
const band = 0.12

/** Lines at each end of a page that may be furniture. */
const reach = 3

const pageNumber =
  /^[-–—\s|([]*(?:page|seite|página|pagina|pág\.|p\.|s\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|\/|von|de|sur|di)\s*\d{1,4})?[-–—\s|)\]]*$/i

interface Line {
  readonly line: TextLine.TextLine
  readonly top: boolean
  /** Its text without what changes from page to page. */
  readonly key: string
}

const keyOf = (text: string, top: boolean): string =>
  (top ? "t" : "b") +
  text
    .toLowerCase()
    .replace(/\d+/g, "#")
    .replace(/[^\p{L}\p{N}#]+/gu, "")

const edgeLines = (page: PageItems): ReadonlyArray<Line> => {
  const lines = TextLine.group(page.items)
  const found: Array<Line> = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || (at >= reach && at < lines.length - reach)) continue
    const top = line.box.y0 < page.height * band
    if (top ? at < reach : line.box.y1 > page.height * (1 - band) && at >= lines.length - reach) {
      found.push({ line, top, key: keyOf(line.text, top) })
    }
  }
  return found
}

/**
 * The furniture of each page, by page number. Repetition: the same text but for its numbers on at least two pages and
 * at least a quarter of all.
 *
 * @since 0.1.0
 * @category constructors
 */
export const find = (pages: ReadonlyArray<PageItems>): ReadonlyMap<number, ReadonlyArray<Furniture>> => {
  const edges = pages.map((page) => ({ page, lines: edgeLines(page) }))
  const counts = new Map<string, number>()
  for (const { lines } of edges) {
    for (const key of new Set(lines.map((line) => line.key))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const enough = Math.max(2, pages.length * 0.25)
  const found = new Map<number, ReadonlyArray<Furniture>>()
  for (const { page, lines } of edges) {
    found.set(
      page.pageNumber,
      lines.flatMap(({ line, top, key }): ReadonlyArray<Furniture> => {
        const numbered = pageNumber.test(line.text)
        if (!numbered && !(key.length > 3 && (counts.get(key) ?? 0) >= enough)) return []
        const kind = numbered ? "page_number" : top ? "page_header" : "page_footer"
        return [{ kind, box: line.box, top, items: line.items }]
      })
    )
  }
  return found
}
