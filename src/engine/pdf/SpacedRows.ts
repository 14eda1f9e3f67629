/**
 * Text items that may be part of a table: those on a line with a wide gap, and those on the lines next to it.
 *
 * Only they need the boxes of their words; the words of all others are dropped when a page is reduced to its lean form.
 */
import type * as Box from "./Box.ts"

/** Width of the gap that counts, and distance of the lines that count as next to it, in heights of the line. */
const wideGap = 0.7
const near = 3.2

interface Row {
  readonly y0: number
  readonly y1: number
  readonly spaced: boolean
  readonly items: ReadonlyArray<Box.Rect>
}

const rowOf = (items: ReadonlyArray<Box.Rect>): Row => {
  const sorted = items.toSorted((left, right) => left.x - right.x)
  const height = Math.max(...sorted.map((item) => item.height))
  return {
    y0: Math.min(...sorted.map((item) => item.y)),
    y1: Math.max(...sorted.map((item) => item.y + item.height)),
    spaced: sorted.some((item, at) => {
      const before = sorted[at - 1]
      return before !== undefined && item.x - before.x - before.width > height * wideGap
    }),
    items
  }
}

const rowsOf = (items: ReadonlyArray<Box.Rect>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let open: Array<Box.Rect> = []
  let low = 0
  for (const item of items.toSorted((above, below) => above.y + above.height / 2 - (below.y + below.height / 2))) {
    const middle = item.y + item.height / 2
    if (open.length > 0 && middle > low) {
      rows.push(rowOf(open))
      open = []
    }
    if (open.length === 0) low = middle + item.height * 0.5
    open.push(item)
  }
  if (open.length > 0) rows.push(rowOf(open))
  return rows
}

/** The items that may be part of a table, of one page with one direction of text across it. */
export const find = (items: ReadonlyArray<Box.Rect>): ReadonlySet<Box.Rect> => {
  const rows = rowsOf(items)
  const found = new Set<Box.Rect>()
  const mark = (ordered: ReadonlyArray<Row>, distance: (row: Row, from: Row) => number) => {
    let last: Row | undefined
    for (const row of ordered) {
      if (row.spaced) last = row
      if (last !== undefined && distance(row, last) < (last.y1 - last.y0) * near) {
        for (const item of row.items) found.add(item)
      }
    }
  }
  mark(rows, (row, from) => row.y0 - from.y1)
  mark(rows.toReversed(), (row, from) => from.y0 - row.y1)
  return found
}
