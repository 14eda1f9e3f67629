/** Tables without a grid of rules: columns are the gutters that words leave free over several lines. */
import * as Tally from "../Tally.ts"
import * as Box from "./Box.ts"
import * as Listing from "./Listing.ts"
import { type Item, median, type Rule, wordItems } from "./PageItem.ts"
import {
  blocksOf,
  isMulti,
  isNear,
  keyOf,
  type Line,
  lineOf,
  repeatedHeads,
  type Segment,
  segmentsOf
} from "./SegmentedLine.ts"
import * as TableRows from "./TableRows.ts"
import * as TextLine from "./TextLine.ts"

/** A table by alignment: the items of each cell, by row and column. */
export interface AlignedTable {
  readonly box: Box.Box
  readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Item>>>
  /** Left and right edge of each column. */
  readonly columns: ReadonlyArray<readonly [number, number]>
  readonly items: ReadonlyArray<Item>
  /** True if no other sign of a table is needed. */
  readonly certain: boolean
}

interface Column {
  readonly from: number
  readonly to: number
}

/** Narrowest gutter that several lines share, in font heights. */
const narrowGutter = 0.5

/** Narrowest column, in font heights: the width of a digit one. */
const narrowest = 0.15

const narrowOf = new WeakMap<Line, { readonly gap: number; readonly segments: ReadonlyArray<Segment> }>()

/** Segments of a line between gutters, which each layout that is tried needs again. */
const narrowSegments = (line: Line, size: number): ReadonlyArray<Segment> => {
  const gap = size * narrowGutter
  const known = narrowOf.get(line)
  if (known?.gap === gap) return known.segments
  const segments = segmentsOf(
    line.segments.flatMap(({ pieces }) => pieces),
    gap
  )
  narrowOf.set(line, { gap, segments })
  return segments
}

/** Gutters that at most a few of the lines cross, and the columns between them. */
const columnsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Column> => {
  const box = Box.around(lines.map((line) => line.box))
  const size = median(lines.map((line) => line.size))
  const left = Math.floor(box.x0)
  const width = Math.max(1, Math.ceil(box.x1) - left)
  const covered = new Uint16Array(width)
  const multi = lines.filter(isMulti)
  for (const line of multi) {
    for (const segment of narrowSegments(line, size)) {
      const end = Math.min(width, Math.ceil(segment.box.x1 - left))
      for (let x = Math.max(0, Math.floor(segment.box.x0 - left)); x < end; x++) covered[x] = (covered[x] ?? 0) + 1
    }
  }
  const few = multi.length < 4 ? 0 : Math.max(1, Math.floor(multi.length * 0.12))
  const columns: Array<{ from: number; to: number }> = []
  let start = -1
  for (let x = 0; x <= width; x++) {
    const filled = x < width && (covered[x] ?? 0) > few
    if (filled && start < 0) start = x
    if (!filled && start >= 0) {
      if (x - start > size * narrowest) columns.push({ from: left + start, to: left + x })
      start = -1
    }
  }
  return united(widened(merged(columns, size * narrowGutter), lines, size), multi)
}

/** True if two columns are one: no line has a cell in each, and one has few cells or only those above the cells of the other. */
const isOne = (left: Column, right: Column, lines: ReadonlyArray<Line>): boolean => {
  const inLeft: Array<number> = []
  const inRight: Array<number> = []
  for (const [at, line] of lines.entries()) {
    const inside = (column: Column, other: Column) =>
      line.segments.some((segment) => touches(column, segment.box, -1) && !touches(other, segment.box, -1))
    const both = [inside(left, right), inside(right, left)]
    if (both[0] === true && both[1] === true) return false
    if (both[0] === true) inLeft.push(at)
    if (both[1] === true) inRight.push(at)
  }
  if (Math.min(inLeft.length, inRight.length) <= (inLeft.length + inRight.length) / 3) return true
  const ordered = (above: ReadonlyArray<number>, below: ReadonlyArray<number>) => (above.at(-1) ?? 0) < (below[0] ?? 0)
  return ordered(inLeft, inRight) || ordered(inRight, inLeft)
}

/** Joins the parts of a column, such as a heading at its left edge and numbers at its right edge. */
const united = (columns: ReadonlyArray<Column>, lines: ReadonlyArray<Line>): ReadonlyArray<Column> => {
  const found: Array<Column> = []
  for (const column of columns) {
    const before = found.at(-1)
    if (before !== undefined && found.length > 1 && isOne(before, column, lines)) {
      found[found.length - 1] = { from: before.from, to: column.to }
    } else found.push(column)
  }
  return found
}

const merged = (columns: ReadonlyArray<Column>, gap: number): ReadonlyArray<Column> => {
  const found: Array<{ from: number; to: number }> = []
  for (const column of columns) {
    const last = found.at(-1)
    if (last !== undefined && column.from - last.to < gap) last.to = Math.max(last.to, column.to)
    else found.push({ ...column })
  }
  return found
}

const touches = (column: Column, box: Box.Box, slack: number): boolean =>
  column.from < box.x1 + slack && column.to > box.x0 - slack

/** Adds columns for segments of two or more lines in a gutter, and grows columns by the segments that touch only them. */
const widened = (columns: ReadonlyArray<Column>, lines: ReadonlyArray<Line>, size: number): ReadonlyArray<Column> => {
  const slack = size * 0.3
  const found = columns.map((column) => ({ ...column }))
  const alone: Array<{ from: number; to: number; lines: number }> = []
  for (const line of lines) {
    if (!isMulti(line)) continue
    for (const { box } of line.segments) {
      const near = found.filter((column) => touches(column, box, slack))
      const [only] = near
      if (only === undefined) {
        const same = alone.find((column) => touches(column, box, 0))
        if (same === undefined) alone.push({ from: box.x0, to: box.x1, lines: 1 })
        else
          Object.assign(same, {
            from: Math.min(same.from, box.x0),
            to: Math.max(same.to, box.x1),
            lines: same.lines + 1
          })
      } else if (near.length === 1) {
        only.from = Math.min(only.from, box.x0)
        only.to = Math.max(only.to, box.x1)
      }
    }
  }
  for (const column of alone) if (column.lines > 1) found.push(column)
  return merged(
    found.toSorted((one, other) => one.from - other.from),
    0.1
  )
}

interface Placed extends TableRows.FilledLine {
  readonly line: Line
  /** Number of segments that cross a gutter. */
  readonly crossing: number
}

/** Columns that a segment covers, first and last index; one in a gutter covers the columns on both sides. */
const coverOf = (box: Box.Box, columns: ReadonlyArray<Column>): readonly [number, number] => {
  const first = columns.findIndex((column) => column.to > box.x0 + 1.5 && column.from < box.x1 - 1.5)
  if (first >= 0) {
    return [first, columns.findLastIndex((column) => column.to > box.x0 + 1.5 && column.from < box.x1 - 1.5)]
  }
  const middle = Box.centerX(box)
  const before = Math.max(
    0,
    columns.findLastIndex((column) => column.from < middle)
  )
  return [before, (columns[before]?.to ?? middle) >= middle ? before : Math.min(before + 1, columns.length - 1)]
}

/** First column of a spanning cell: the text stands in the middle of the columns that it covers. */
const spanStart = (
  box: Box.Box,
  [first, last]: readonly [number, number],
  columns: ReadonlyArray<Column>,
  free: (at: number) => boolean
): number => {
  const middle = Box.centerX(box)
  let best = first
  let least = Number.POSITIVE_INFINITY
  for (let from = first; from >= 0 && (from === first || (from > 0 && free(from))); from--) {
    for (let to = last; to < columns.length && (to === last || free(to)); to++) {
      const center = ((columns[from]?.from ?? 0) + (columns[to]?.to ?? 0)) / 2
      const away = Math.abs(center - middle)
      if (away < least - 1) {
        least = away
        best = from
      }
    }
  }
  return best
}

const place = (line: Line, columns: ReadonlyArray<Column>, size: number): Placed => {
  const items: Array<Array<Item>> = columns.map(() => [])
  let crossing = 0
  const narrow = narrowSegments(line, size)
  const covers = narrow.map((segment) => coverOf(segment.box, columns))
  narrow.forEach((segment, at) => {
    const cover = covers[at] ?? [0, 0]
    if (cover[1] > cover[0]) {
      crossing++
      const free = (column: number) => covers.every(([first, last]) => column < first || column > last)
      const start = narrow.length > 1 ? spanStart(segment.box, cover, columns, free) : cover[0]
      items[start]?.push(...segment.pieces)
    } else items[cover[0]]?.push(...segment.pieces)
  })
  const { y0, y1 } = line.box
  return { line, y0, y1, size: line.size, items, cells: TableRows.textsOf(items), spans: crossing > 0, crossing }
}

const filledCells = ({ cells }: Placed): ReadonlyArray<number> => cells.flatMap((text, at) => (text === "" ? [] : [at]))

/** True if a line with one cell only, at an end of the table, continues a cell of its neighbour: not in the first column. */
const belongs = (line: Placed | undefined, neighbour: Placed, above: boolean): boolean => {
  if (line === undefined || line.crossing > 0) return false
  const [only, other] = filledCells(line)
  const near = above ? isNear(line.line, neighbour.line) : isNear(neighbour.line, line.line)
  return near && only !== undefined && other === undefined && only > 0 && neighbour.cells[only] !== ""
}

/** Drops lines at both ends that have no two cells, unless they continue a cell. */
const trimmed = (placed: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const fits = (each: Placed) => filledCells(each).length > 1
  const first = placed.findIndex(fits)
  const last = placed.findLastIndex(fits)
  const [top, bottom] = [placed[first], placed[last]]
  if (top === undefined || bottom === undefined) return []
  const from = belongs(placed[first - 1], top, true) ? first - 1 : first
  return placed.slice(from, belongs(placed[last + 1], bottom, false) ? last + 2 : last + 1)
}

interface Layout {
  readonly columns: ReadonlyArray<Column>
  readonly lines: ReadonlyArray<Placed>
  readonly evidence: number
}

const layoutOf = (lines: ReadonlyArray<Line>): Layout => {
  const columns = columnsOf(lines)
  if (columns.length < 2) return { columns, lines: [], evidence: 0 }
  const size = median(lines.map((line) => line.size))
  const placed = trimmed(lines.map((line) => place(line, columns, size)))
  let evidence = -columns.length
  for (const each of placed) {
    evidence += Math.max(0, filledCells(each).length - 1) - each.crossing * 1.5
  }
  return { columns, lines: placed, evidence }
}

/** Most places at which a block is tried to be divided. */
const mostCuts = 24

/** Divides a block where that gives clearer columns: tables that stand below each other. */
const layoutsOf = (lines: ReadonlyArray<Line>, depth = 0): ReadonlyArray<Layout> => {
  const whole = layoutOf(lines)
  if (depth > 5 || lines.length < 5) return [whole]
  const pitches = lines.slice(1).map((line, at) => line.box.y0 - (lines[at]?.box.y1 ?? line.box.y0))
  const usual = median(pitches)
  const cuts = lines
    .flatMap((line, at) => (at > 1 && at < lines.length - 1 ? [{ line, at }] : []))
    .filter(({ line, at }) => !isMulti(line) || (pitches[at - 1] ?? 0) > Math.max(usual * 1.4, usual + 2))
    .slice(0, mostCuts)
  let best = whole.evidence * 1.02 + 2
  let parts: readonly [ReadonlyArray<Line>, ReadonlyArray<Line>] | undefined
  for (const { at } of cuts) {
    const above = lines.slice(0, at)
    const below = lines.slice(at)
    const sum = Math.max(0, layoutOf(above).evidence) + Math.max(0, layoutOf(below).evidence)
    if (sum > best) {
      best = sum
      parts = [above, below]
    }
  }
  return parts === undefined ? [whole] : parts.flatMap((part) => layoutsOf(part, depth + 1))
}

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

/** True if a column reads as running text: most of its lines are full. */
const isRunning = (column: Column, at: number, lines: ReadonlyArray<Placed>): boolean => {
  const filled = lines.filter((line) => line.cells[at] !== "")
  const width = column.to - column.from
  const full = filled.filter((line) => {
    const box = Box.around((line.items[at] ?? []).map((item) => item.box))
    return Box.width(box) > width * 0.8 && words(line.cells[at] ?? "") >= 4
  })
  return filled.length > 0 && full.length > filled.length * 0.55
}

/** True for formulas and code, whose parts align like columns. */
const isOther = ({ lines }: Layout): boolean => {
  const math = lines.reduce((sum, { line }) => sum + line.math, 0) / lines.length
  return math > 0.35 || lines.filter(({ line }) => line.mono).length > lines.length * 0.5
}

/** Smallest distance of lines that are not level, in font heights, and the share of the lines from which on two columns are not. */
const uneven = { least: 0.15, share: 0.5, lines: 5 }

/** Middles of the gutters between columns. */
const guttersOf = ({ columns }: Layout): ReadonlyArray<number> =>
  columns.slice(1).map(({ from }, at) => (from + (columns[at]?.to ?? from)) / 2)

/**
 * The first gutter on whose sides the lines are not level: two texts beside each other, and no rows. Both edges of a line count, since a
 * box may depend on its letters.
 */
const unevenGutter = (layout: Layout): number | undefined =>
  guttersOf(layout).find((_, before) => {
    let both = 0
    let apart = 0
    for (const { items, size } of layout.lines) {
      const left = items.slice(0, before + 1).flat()
      const right = items.slice(before + 1).flat()
      if (left.length === 0 || right.length === 0) continue
      both++
      const [one, other] = [Box.around(left.map(({ box }) => box)), Box.around(right.map(({ box }) => box))]
      const [top, bottom] = [(other.y0 - one.y0) / size, (other.y1 - one.y1) / size]
      if (Math.min(Math.abs(top), Math.abs(bottom)) > uneven.least && top * bottom > 0) apart++
    }
    return both >= uneven.lines && apart > both * uneven.share
  })

/** Heights of the rules that cross most of a table. */
const rulesAcross = (rules: ReadonlyArray<Rule>, box: Box.Box): ReadonlyArray<number> => {
  const heights = new Map<number, number>()
  for (const rule of rules) {
    if (!rule.horizontal || rule.at < box.y0 - 12 || rule.at > box.y1 + 12) continue
    const length = Math.min(rule.to, box.x1) - Math.max(rule.from, box.x0)
    if (length <= 0) continue
    const key = Math.round(rule.at)
    const near = [key, key - 1, key + 1].find((each) => heights.has(each)) ?? key
    Tally.add(heights, near, length)
  }
  return Array.from(heights).flatMap(([at, length]) => (length > Box.width(box) * 0.35 ? [at] : []))
}

/** Least share of the cells that have text. */
const leastFilled = 0.36

/** True if the cells are convincing without rules. */
const isConvincing = (layout: Layout, texts: ReadonlyArray<ReadonlyArray<string>>, ruled: number): boolean => {
  const { columns, lines } = layout
  const full = texts.filter((row) => row.filter((cell) => cell !== "").length > 1)
  if (full.length < (ruled >= 2 ? 2 : 3)) return false
  const cells = texts.flat().filter((cell) => cell !== "")
  const crossing = lines.reduce((sum, each) => sum + each.crossing, 0)
  if (crossing > lines.length * 0.35 && crossing > 2) return false
  const running = columns.filter((column, at) => isRunning(column, at, lines)).length
  const fill = cells.length / (texts.length * columns.length)
  if (fill < leastFilled) return false
  if (ruled >= 2) return running < Math.max(2, columns.length) && cells.length >= texts.length
  const numeric = cells.filter((cell) => TableRows.isNumeric(cell)).length
  if (running > 0 || median(cells.map((cell) => cell.length)) > 40) return false
  if (numeric > cells.length * 0.3) return full.length >= 3
  return columns.length >= 3 && full.length >= 4 && full.length > texts.length * 0.6 && fill > 0.55
}

const tableOf = (layout: Layout, rules: ReadonlyArray<Rule>, heads: ReadonlySet<string>): AlignedTable | undefined => {
  const { columns, lines } = layout
  if (columns.length < 2 || lines.length < 2 || layout.evidence <= 0) return undefined
  const box = Box.around(lines.map(({ line }) => line.box))
  const across = rulesAcross(rules, box)
  const rows = TableRows.itemsOf(lines, across)
  const texts = rows.map(TableRows.textsOf)
  if (isOther(layout) || Listing.isListing(texts)) return undefined
  const [head] = lines
  const headed = columns.length > 2 && head !== undefined && heads.has(keyOf(head.line))
  return {
    box,
    rows,
    columns: columns.map(({ from, to }) => [from, to]),
    items: lines.flatMap(({ line }) => line.items),
    certain: headed || isConvincing(layout, texts, across.length)
  }
}

const layoutsIn = (lines: ReadonlyArray<Line>, heads: ReadonlySet<string>): ReadonlyArray<Layout> =>
  blocksOf(lines, heads).flatMap((block) => layoutsOf(block))

/** True if parts of a line may not be level, wherever a gutter divides it. */
const mayBeUneven = ({ segments, size }: Line): boolean => {
  let [top, lowestTop] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [bottom, lowestBottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { pieces } of segments) {
    for (const { box } of pieces) {
      top = Math.min(top, box.y0)
      lowestTop = Math.max(lowestTop, box.y0)
      bottom = Math.min(bottom, box.y1)
      lowestBottom = Math.max(lowestBottom, box.y1)
    }
  }
  return Math.min(lowestTop - top, lowestBottom - bottom) / size > uneven.least
}

/** True for texts beside each other whose lines are not level, which are no rows. */
export const isUneven = (items: ReadonlyArray<Item>): boolean => {
  const lines = TextLine.group(items).map(lineOf)
  return (
    lines.filter(mayBeUneven).length > uneven.lines * uneven.share &&
    layoutsIn(lines, new Set()).some((layout) => unevenGutter(layout) !== undefined)
  )
}

/** True if a gutter of the layout is where one of `gutters` is. */
const sharedGutter = (layout: Layout, gutters: ReadonlyArray<number>): number | undefined =>
  gutters.find((gutter) =>
    layout.columns.slice(1).some(({ from }, at) => (layout.columns[at]?.to ?? from) < gutter && gutter < from)
  )

/**
 * Tables among the lines of one zone of a page, top to bottom. `rules` are those of the page. On the sides of a gutter between texts whose lines
 * are not level, tables are apart.
 */
export const find = (
  zone: ReadonlyArray<TextLine.TextLine>,
  rules: ReadonlyArray<Rule>
): ReadonlyArray<AlignedTable> => {
  const lines = zone.map(lineOf)
  const heads = repeatedHeads(lines)
  const layouts = layoutsIn(lines, heads)
  const gutters = layouts.flatMap((layout) => unevenGutter(layout) ?? [])
  return layouts.flatMap((layout) => {
    const gutter = sharedGutter(layout, gutters)
    if (gutter === undefined) return tableOf(layout, rules, heads) ?? []
    const own = layout.lines.flatMap(({ line }) => line.items.flatMap(wordItems))
    const sides = [own.filter(({ box }) => box.x1 <= gutter), own.filter(({ box }) => box.x0 >= gutter)]
    return sides.flatMap((side) => find(TextLine.group(side), rules))
  })
}
