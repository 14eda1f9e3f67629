/**
 * Reading order by recursive XY-cut: a page is split at its gutters and at its horizontal gaps until no part has columns. Tables and
 * figures take part as opaque boxes.
 */
import * as Tally from "../Tally.ts"
import * as Box from "./Box.ts"
import { isRightToLeft } from "./PageItem.ts"

/** A piece to be ordered: a box with its text, which is empty for an opaque box. */
export interface Piece {
  readonly box: Box.Box
  readonly text: string
}

interface Gap {
  readonly from: number
  readonly to: number
  readonly size: number
}

interface Page {
  readonly width: number
  /** Height of a usual line on this page, in points. */
  readonly line: number
}

const deepest = 60

/** Intervals along one axis that no box covers. */
const gaps = (pieces: ReadonlyArray<Piece>, horizontal: boolean): ReadonlyArray<Gap> => {
  const spans = pieces
    .map((piece) => (horizontal ? { from: piece.box.x0, to: piece.box.x1 } : { from: piece.box.y0, to: piece.box.y1 }))
    .toSorted((left, right) => left.from - right.from)
  const found: Array<Gap> = []
  let end = Number.POSITIVE_INFINITY
  for (const span of spans) {
    if (span.from > end) found.push({ from: end, to: span.from, size: span.from - end })
    end = end === Number.POSITIVE_INFINITY ? span.to : Math.max(end, span.to)
  }
  return found
}

const minGutter = (page: Page): number => Math.max(7, page.line * 0.75)

/** True for at least three lines that are wide and high enough to be a column of text. */
const isColumn = (pieces: ReadonlyArray<Piece>, page: Page): boolean => {
  if (pieces.length === 0) return false
  const box = Box.around(pieces.map((piece) => piece.box))
  const rows = new Set(pieces.map((piece) => Math.round(piece.box.y0 / (page.line * 0.8))))
  const opaque = pieces.some((piece) => piece.text === "")
  return (rows.size >= 3 || opaque) && Box.width(box) > page.width * 0.13 && Box.height(box) > page.line * 3
}

/** Number of gaps that are tried, the widest first: a page of thousands of labels must not take seconds. */
const mostGaps = 48

const gutter = (pieces: ReadonlyArray<Piece>, page: Page): Gap | undefined =>
  gaps(pieces, true)
    .filter((gap) => gap.size >= minGutter(page))
    .toSorted((left, right) => right.size - left.size)
    .slice(0, mostGaps)
    .find((gap) => {
      const left = pieces.filter((piece) => piece.box.x1 <= gap.from + 0.5)
      const right = pieces.filter((piece) => piece.box.x0 >= gap.to - 0.5)
      return isColumn(left, page) && isColumn(right, page)
    })

/**
 * True if a gutter of the page goes through a box: nothing else crosses the gutter, and the pieces `outside` such boxes form columns of
 * text on both sides.
 */
export const dividedByGutter = (
  box: Box.Box,
  pieces: ReadonlyArray<Piece>,
  outside: ReadonlyArray<Piece>,
  page: Page
): boolean =>
  gaps(pieces, true).some(
    (gap) =>
      gap.size >= minGutter(page) &&
      gap.from > box.x0 &&
      gap.to < box.x1 &&
      isColumn(
        outside.filter((piece) => piece.box.x1 <= gap.from + 0.5),
        page
      ) &&
      isColumn(
        outside.filter((piece) => piece.box.x0 >= gap.to - 0.5),
        page
      )
  )

/** True if at least three rows have a gap that could be part of a gutter. */
const mayHaveColumns = (pieces: ReadonlyArray<Piece>, page: Page): boolean => {
  const box = Box.around(pieces.map((piece) => piece.box))
  if (Box.width(box) < page.width * 0.35) return false
  const rows = new Map<number, Array<Piece>>()
  for (const piece of pieces) Tally.gather(rows, Math.round(Box.centerY(piece.box) / (page.line * 0.9)), piece)
  let split = 0
  for (const row of rows.values()) {
    if (row.length > 1 && gaps(row, true).some((gap) => gap.size > minGutter(page))) split++
  }
  return split >= 3
}

const partition = <P extends Piece>(
  pieces: ReadonlyArray<P>,
  first: (piece: P) => boolean
): readonly [ReadonlyArray<P>, ReadonlyArray<P>] => [pieces.filter(first), pieces.filter((piece) => !first(piece))]

/**
 * Leaves of the cut in reading order: each holds pieces of one column, in no particular order. Together they hold every piece once. In
 * right-to-left text the right column comes first.
 */
export const leaves = <P extends Piece>(pieces: ReadonlyArray<P>, page: Page): ReadonlyArray<ReadonlyArray<P>> => {
  const found: Array<ReadonlyArray<P>> = []
  const cut = (part: ReadonlyArray<P>, depth: number): void => {
    if (part.length === 0) return
    const halves = part.length === 1 || depth > deepest ? undefined : split(part, page)
    if (halves === undefined) found.push(part)
    else for (const half of halves) cut(half, depth + 1)
  }
  cut(pieces, 0)
  return found
}

const split = <P extends Piece>(
  pieces: ReadonlyArray<P>,
  page: Page
): readonly [ReadonlyArray<P>, ReadonlyArray<P>] | undefined => {
  const column = gutter(pieces, page)
  let band: Gap | undefined
  for (const gap of gaps(pieces, false)) {
    if (gap.size > page.line * 0.35 && (band === undefined || gap.size > band.size)) band = gap
  }
  const middle = band === undefined ? 0 : (band.from + band.to) / 2
  if (column !== undefined) {
    if (band !== undefined && band.size > page.line * 1.6 && band.size > column.size * 1.5) {
      return partition(pieces, (piece) => Box.centerY(piece.box) < middle)
    }
    const center = (column.from + column.to) / 2
    const [left, right] = partition(pieces, (piece) => Box.centerX(piece.box) < center)
    return isRightToLeft(pieces.map((piece) => piece.text).join("")) ? [right, left] : [left, right]
  }
  return band !== undefined && mayHaveColumns(pieces, page)
    ? partition(pieces, (piece) => Box.centerY(piece.box) < middle)
    : undefined
}
