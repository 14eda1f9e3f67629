/** Finds running headers, running footers and page numbers among the lines in the top and bottom 12 % of the pages. */
import * as Box from "./Box.ts"
import { type Item, median, type PageItems } from "./PageItem.ts"
import * as PageNumber from "./PageNumber.ts"
import { segmentsOf } from "./SegmentedLine.ts"
import * as TextLine from "./TextLine.ts"

/** A line that is not part of the text. */
export interface Furniture {
  readonly kind: "page_header" | "page_footer" | "page_number"
  readonly box: Box.Box
  readonly top: boolean
  readonly items: ReadonlyArray<Item>
}

/** Share of the page's height, at the top and at the bottom, in which furniture is searched. */
const band = 0.12

/** Number of lines at each end of a page that may be furniture, and of those that may be a mere number. */
const reach = 6
const numberReach = 3

/** Shortest key by which a line can be recognised on one other page, and on more of them. */
const shortestKey = 4
const shortestFrequentKey = 2

interface Line {
  readonly line: TextLine.TextLine
  readonly pageNumber: number
  readonly top: boolean
  /** Text without the parts that change from page to page. */
  readonly key: string
  /** The same of each part of a line that wide gaps divide: a chapter may stand next to its sections. */
  readonly parts: ReadonlyArray<string>
  /** Distance in points from the top or bottom edge to the line's centre. */
  readonly distance: number
  /** 0 for the line next to the edge of the page. */
  readonly rank: number
  /** The next line towards the middle of the page, and the white space in points between both. */
  readonly next: TextLine.TextLine | undefined
  readonly apart: number
}

/** Largest relative difference in size between the same lines of two pages. */
const sizeTolerance = 0.12

/** Largest difference in position, in points, between the same lines of two pages. */
const placeTolerance = 6

/** True if two lines have the same place on their pages and the same size: a title differs from a running header in one of both. */
const isSamePlace = (one: Line, other: Line): boolean =>
  one.top === other.top &&
  Math.abs(one.line.size - other.line.size) <= sizeTolerance * Math.max(one.line.size, other.line.size) &&
  Math.abs(one.distance - other.distance) <= placeTolerance

const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\d+|^[ivxl]+(?=\s)|(?<=\s)[ivxl]+$/g, "#")
    .replace(/[^\p{L}\p{N}#]+/gu, "")

/** Gap between two parts of a line, in font heights. */
const partGap = 2

const partsOf = ({ items, size }: TextLine.TextLine): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let end = Number.NEGATIVE_INFINITY
  for (const { box, text } of items) {
    if (parts.length === 0 || box.x0 - end > size * partGap) parts.push(text)
    else parts.push(`${parts.pop() ?? ""} ${text}`)
    end = box.x1
  }
  return parts.length < 2 ? [] : parts.map(keyOf).filter((key) => key.length >= shortestKey)
}

/** The lines of a page; of a page with many those at its ends that may be furniture, each with the line next to it. */
const endsOf = ({ items }: PageItems): ReadonlyArray<TextLine.TextLine> => {
  const most = reach + 1
  const all = TextLine.clusters(items)
  if (all.length <= 2 * most) return TextLine.fromClusters(all)
  const ends = TextLine.fromClusters([...all.slice(0, most), ...all.slice(-most)])
  return ends.length === 2 * most ? ends : TextLine.fromClusters(all)
}

const edgeLines = (page: PageItems): ReadonlyArray<Line> => {
  const lines = endsOf(page)
  const { height, pageNumber } = page
  const shared = (line: TextLine.TextLine) => ({ line, pageNumber, key: keyOf(line.text), parts: partsOf(line) })
  return lines.flatMap((line, at): ReadonlyArray<Line> => {
    if (at < reach && line.box.y0 < height * band) {
      const next = lines[at + 1]
      const apart = (next?.box.y0 ?? height) - line.box.y1
      return [{ ...shared(line), top: true, distance: line.center, rank: at, next, apart }]
    }
    if (at >= lines.length - reach && line.box.y1 > height * (1 - band)) {
      const next = lines[at - 1]
      const apart = line.box.y0 - (next?.box.y1 ?? 0)
      const rank = lines.length - 1 - at
      return [{ ...shared(line), top: false, distance: height - line.center, rank, next, apart }]
    }
    return []
  })
}

/** Most places that are distinguished in a document; lines in further ones are never furniture. */
const mostPlaces = 256

/** Lines of the same place and size on all pages. */
interface Place {
  readonly first: Line
  readonly lines: Array<Line>
}

const placesOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  for (const line of lines) {
    const place = places.find(({ first }) => isSamePlace(first, line))
    if (place !== undefined) place.lines.push(line)
    else if (places.length < mostPlaces) places.push({ first: line, lines: [line] })
  }
  return places
}

/** Number of pages and first page of what lines of a place have in common. */
class Pages<Sign> {
  private readonly found = new Map<Sign, { pages: number; readonly first: number; last: number }>()

  add(sign: Sign, page: number): void {
    const known = this.found.get(sign)
    if (known === undefined) this.found.set(sign, { pages: 1, first: page, last: page })
    else if (known.last !== page) {
      known.pages++
      known.last = page
    }
  }

  count(sign: Sign): number {
    return this.found.get(sign)?.pages ?? 0
  }

  first(sign: Sign): number {
    return this.found.get(sign)?.first ?? 0
  }
}

/** Fewest pages on which the numbers of a place must count up with the pages. */
const fewestCounted = 3

/** Share of the lines of a place that must repeat or count, for the others there to be furniture too. */
const runningShare = 0.6

/** Ratio to the usual size from which a line is set as a title. */
const titleShare = 1.14

interface Document {
  readonly pages: number
  /** Usual font height of each page, by page number. */
  readonly sizes: ReadonlyMap<number, number>
}

/** Lines of a place that are furniture. */
const runningLines = ({ lines }: Place, document: Document): ReadonlyArray<Line> => {
  const repeated = new Pages<string>()
  const counted = new Pages<number>()
  for (const { key, line, pageNumber, parts } of lines) {
    for (const part of [key, ...parts]) repeated.add(part, pageNumber)
    for (const value of PageNumber.candidates(line.text)) counted.add(value - pageNumber, pageNumber)
  }
  const counts = ({ line, pageNumber }: Line): boolean =>
    PageNumber.candidates(line.text).some((value) => counted.count(value - pageNumber) >= fewestCounted)
  const repeats = ({ key, parts }: Line, pages: number): boolean =>
    (repeated.count(key) >= pages && key.length >= (repeated.count(key) > pages ? shortestFrequentKey : shortestKey)) ||
    parts.some((part) => repeated.count(part) >= pages)
  const isTitle = ({ line, pageNumber, top }: Line): boolean =>
    top && line.size >= titleShare * (document.sizes.get(pageNumber) ?? 0)
  const running = lines.filter((line) => counts(line) || repeats(line, 2)).length
  const isRunning = running >= fewestCounted && running >= lines.length * runningShare
  const enough = Math.max(2, document.pages * 0.25)
  return lines.filter((line) => {
    if (line.rank < numberReach && PageNumber.isAlone(line.line.text)) return true
    // Where each page begins a chapter, the numbers of the chapters count up too.
    if (counts(line) && !isTitle(line)) return true
    // The first occurrence of a title that later pages repeat as their header is kept.
    if (isTitle(line) && repeated.first(line.key) === line.pageNumber) return false
    return repeats(line, enough) || (isRunning && (repeats(line, 2) || isApart(line)))
  })
}

/** True if white space of more than a line divides a line from the text. */
const isApart = ({ apart, line }: Line): boolean => apart > Box.height(line.box)

/** White space, in line heights, around a page number next to other furniture, and between both and the text. */
const widest = 1.5

/** True for a line with a page number that can be told from the line alone: it is called one, or stands far from the rest of the line. */
const isNumbered = ({ apart, line, pageNumber }: Line, usual: number): boolean => {
  if (line.size > usual * titleShare || apart < line.size * widest) return false
  if (PageNumber.isNamed(line.text)) return true
  const ends = [line.items.slice(0, 2), line.items.slice(-2).toReversed()]
  return ends.some(([number, other]) => {
    if (number === undefined || other === undefined) return false
    const gap = Math.max(other.box.x0 - number.box.x1, number.box.x0 - other.box.x1)
    const text = number.text.trim()
    return gap > line.size * widest && /^\d{1,4}$/.test(text) && Number(text) >= pageNumber
  })
}

/** Share of the page's height that is margin on most pages. */
const margin = 0.055

/** White space, in line heights, between a line in the margin and the text. */
const widestToMargin = 2.5

const smallShare = 0.93

const footnoteMark = /^[*†‡§¹²³⁴-⁹]/

/** True for a small line alone in the margin, far from the text, even on a single page. */
const isMarginal = ({ apart, distance, line }: Line, usual: number, height: number): boolean =>
  !footnoteMark.test(line.text) &&
  distance < height * margin &&
  line.size < usual * smallShare &&
  apart > Box.height(line.box) * widestToMargin

/**
 * Furniture of each page, by page number. A line is furniture
 *
 * - if it is a page number and nothing else, is called one (`Page 3`), or has one that stands apart from the rest of the line;
 * - if it is small and alone in the margin, far from the text;
 * - if it, or a part of it that a wide gap divides from the rest, occurs, apart from its numbers, on at least two pages and a quarter of all in the same size and position;
 * - if it begins or ends with a number that counts up with the pages, on at least three pages in the same size and position;
 * - if most lines of its size and position do, as with the titles of chapters, and it repeats too or white space divides it from the text.
 *
 * The first occurrence of a title is kept, and so is all but a page number between a line that is no furniture and the middle of the page,
 * and the head of a table.
 */
export const find = (pages: ReadonlyArray<PageItems>): ReadonlyMap<number, ReadonlyArray<Furniture>> => {
  const edges = pages.map((page) => ({ page, lines: edgeLines(page) }))
  const sizes = new Map(pages.map((page) => [page.pageNumber, median(page.items.map((item) => item.size))]))
  const document = { pages: pages.length, sizes }
  const places = placesOf(edges.flatMap(({ lines }) => lines))
  const running = new Set(places.flatMap((place) => runningLines(place, document)))
  return new Map(
    edges.map(({ page, lines }) => {
      const usual = sizes.get(page.pageNumber) ?? 0
      const own = lines.filter(
        (line) =>
          running.has(line) || (line.rank === 0 && (isNumbered(line, usual) || isMarginal(line, usual, page.height)))
      )
      return [page.pageNumber, withoutHeads(own.filter((line) => isReached(line, own))).map(furniture)]
    })
  )
}

/**
 * True if nothing but furniture stands between a line and the edge of the page, or it is a page number: the head of a table repeats below
 * its caption.
 */
const isReached = ({ line, rank, top }: Line, own: ReadonlyArray<Line>): boolean =>
  PageNumber.isAlone(line.text) ||
  PageNumber.isNamed(line.text) ||
  own.filter((other) => other.top === top && other.rank < rank).length === rank

/** Gap between two columns of a table, in font heights. */
const columnGap = 1

/** Boxes of the parts of a line that gaps as wide as between two columns divide. */
const cellsOf = ({ items, size }: TextLine.TextLine): ReadonlyArray<Box.Box> =>
  segmentsOf(items, size * columnGap).map(({ box }) => box)

/** Fewest columns of a table whose head is told from two running texts side by side. */
const fewestColumns = 3

/** True if the cells of a line stand above those of the line below it: none below two, and two of them or the second line of one. */
const isAbove = (line: TextLine.TextLine, next: TextLine.TextLine): boolean => {
  const cells = cellsOf(line)
  const above = cellsOf(next).map((cell) => cells.filter(({ x0, x1 }) => x0 < cell.x1 && x1 > cell.x0))
  const least = cells.length > fewestColumns ? 1 : 2
  return cells.length >= fewestColumns && above.every(({ length }) => length < 2) && new Set(above.flat()).size >= least
}

/** Lines of furniture without those that are the head of the table below them, which repeats on each of its pages. */
const withoutHeads = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const left = new Map(lines.map((line) => [line.line, line]))
  for (const line of lines.toSorted((one, other) => other.rank - one.rank)) {
    const { next, top } = line
    if (top && next !== undefined && !left.has(next) && !isApart(line) && isAbove(line.line, next))
      left.delete(line.line)
  }
  return Array.from(left.values())
}

const furniture = ({ line, top }: Line): Furniture => {
  const kind = PageNumber.isAlone(line.text) ? "page_number" : top ? "page_header" : "page_footer"
  return { kind, box: line.box, top, items: line.items }
}
