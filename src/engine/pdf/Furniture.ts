/**
 * Finds running headers, running footers and page numbers: lines in the top and bottom 12 % of a page that occur on several pages in the
 * same size and position, or that consist of a page's number only.
 *
 * @since 0.1.0
 */
import type * as Box from "./Box.ts"
import { type Item, median, type PageItems } from "./PageItem.ts"
import * as TextLine from "./TextLine.ts"

/**
 * A line that is not part of the text.
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

/** Share of the page's height, at the top and at the bottom, in which furniture is searched. */
const band = 0.12

/** Number of lines at each end of a page that may be furniture. */
const reach = 3

const pageNumber =
  /^[-–—\s|([]*(?:page|seite|página|pagina|pág\.|p\.|s\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|\/|von|de|sur|di)\s*\d{1,4})?[-–—\s|)\]]*$/i

interface Line {
  readonly line: TextLine.TextLine
  readonly top: boolean
  /** Text without the parts that change from page to page. */
  readonly key: string
  /** Distance in points from the top or bottom edge to the line's centre. */
  readonly distance: number
}

/** Largest relative difference in size between the same lines of two pages. */
const sizeTolerance = 0.12

/** Largest difference in position, in points, between the same lines of two pages. */
const placeTolerance = 6

/** True if two lines with the same text are the same furniture: a title differs from a running header in size or position. */
const isSame = (one: Line, other: Line): boolean =>
  Math.abs(one.line.size - other.line.size) <= sizeTolerance * Math.max(one.line.size, other.line.size) &&
  Math.abs(one.distance - other.distance) <= placeTolerance

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
      const distance = top ? line.center : page.height - line.center
      found.push({ line, top, key: keyOf(line.text, top), distance })
    }
  }
  return found
}

/** Occurrences of a line with the same text, size and position. */
interface Repetition {
  readonly line: Line
  /** First page with the line. */
  readonly first: number
  pages: number
  last: number
}

/** Most sizes and positions that are distinguished per text; further ones never count as repeated. */
const mostVariants = 16

/** Repetitions by text, size and position. */
class Repetitions {
  private readonly byKey = new Map<string, Array<Repetition>>()

  of(line: Line): Repetition | undefined {
    return this.byKey.get(line.key)?.find((each) => isSame(each.line, line))
  }

  add(line: Line, page: number): void {
    const found = this.of(line)
    if (found !== undefined) {
      found.pages += found.last === page ? 0 : 1
      found.last = page
      return
    }
    const variants = this.byKey.get(line.key) ?? []
    if (variants.length < mostVariants) {
      variants.push({ line, first: page, pages: 1, last: page })
      this.byKey.set(line.key, variants)
    }
  }
}

/** Ratio to the usual size from which a line is set as a title. */
const titleShare = 1.14

/** True for the first occurrence of a title that later pages repeat in the same size and position; only that one is kept. */
const isFirstTitle = ({ line, top }: Line, repetition: Repetition, page: PageItems): boolean =>
  top && repetition.first === page.pageNumber && line.size >= titleShare * median(page.items.map((item) => item.size))

/**
 * Furniture of each page, by page number. A line repeats if it occurs with the same text except numbers, in the same size and position,
 * on at least two pages and at least a quarter of all; the first occurrence of a title is kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const find = (pages: ReadonlyArray<PageItems>): ReadonlyMap<number, ReadonlyArray<Furniture>> => {
  const edges = pages.map((page) => ({ page, lines: edgeLines(page) }))
  const repetitions = new Repetitions()
  for (const { lines, page } of edges) {
    for (const line of lines) repetitions.add(line, page.pageNumber)
  }
  const enough = Math.max(2, pages.length * 0.25)
  const found = new Map<number, ReadonlyArray<Furniture>>()
  for (const { page, lines } of edges) {
    found.set(
      page.pageNumber,
      lines.flatMap((each): ReadonlyArray<Furniture> => {
        const { key, line, top } = each
        const numbered = pageNumber.test(line.text)
        const repetition = repetitions.of(each)
        const repeated = key.length > 3 && repetition !== undefined && repetition.pages >= enough
        if (!numbered && !(repeated && !isFirstTitle(each, repetition, page))) return []
        const kind = numbered ? "page_number" : top ? "page_header" : "page_footer"
        return [{ kind, box: line.box, top, items: line.items }]
      })
    )
  }
  return found
}
