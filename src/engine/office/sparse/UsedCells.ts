/**
 * Rows and columns of a sheet that contain cells. A parser that writes the rectangle around all cells takes time and memory in proportion
 * to its area, and two cells in opposite corners make that the whole sheet.
 */
import { Refusal } from "../../lanes/serve.ts"

const mostRows = 1_048_576

const mostColumns = 16_384

/** Area of a rectangle that is always accepted, however few cells it holds. */
const smallArea = 100_000

/** Additional area per cell, for both bounds. */
const areaPerCell = 16

/** Area without empty rows and columns above which a table is refused, in addition to that per cell. */
const mostArea = 4_000_000

/** Number of used positions before each position, from the changes at which used ranges begin (1) and end (-1). */
const ranksOf = (changes: Int32Array): Uint32Array => {
  const ranks = new Uint32Array(changes.length)
  let open = 0
  for (let at = 0; at + 1 < changes.length; at++) {
    open += changes[at] ?? 0
    ranks[at + 1] = (ranks[at] ?? 0) + (open > 0 ? 1 : 0)
  }
  return ranks
}

const addRange = (changes: Int32Array, from: number, to: number): void => {
  changes[from] = (changes[from] ?? 0) + 1
  changes[to] = (changes[to] ?? 0) - 1
}

/** Positions of the rows and columns of a sheet after the empty ones are left out. All positions are 0-based. */
export interface Ranks {
  readonly row: (row: number) => number
  readonly column: (column: number) => number
}

/** A cell, or `height` times `width` of them. Positions are 0-based; those outside any possible sheet are ignored. */
export interface Cell {
  readonly row: number
  readonly column: number
  readonly height: number
  readonly width: number
}

const isPlace = ({ column, row }: Cell): boolean => row >= 0 && row < mostRows && column >= 0 && column < mostColumns

/** The rectangle around cells; corners are 0-based and inclusive, and meaningless without cells. */
export interface Extent {
  readonly cells: number
  readonly area: number
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

export const extentOf = (cells: Iterable<Cell>): Extent => {
  let count = 0
  let top = mostRows
  let bottom = -1
  let left = mostColumns
  let right = -1
  for (const cell of cells) {
    if (isPlace(cell)) {
      count += cell.height * cell.width
      top = Math.min(top, cell.row)
      bottom = Math.max(bottom, Math.min(mostRows, cell.row + cell.height) - 1)
      left = Math.min(left, cell.column)
      right = Math.max(right, Math.min(mostColumns, cell.column + cell.width) - 1)
    }
  }
  return { top, left, bottom, right, cells: count, area: count === 0 ? 0 : (bottom - top + 1) * (right - left + 1) }
}

/**
 * New positions of the rows and columns of a sheet with these cells, without the empty ones; undefined when the rectangle around the
 * cells, their `extent`, is small enough: only when it is not, it iterates over them. Throws a `Refusal` when the rectangle is too large
 * even without the empty rows and columns.
 */
export const closer = (cells: () => Iterable<Cell>, extent: Extent = extentOf(cells())): Ranks | undefined => {
  if (extent.area <= smallArea + areaPerCell * extent.cells) {
    return undefined
  }
  const rowChanges = new Int32Array(mostRows + 1)
  const columnChanges = new Int32Array(mostColumns + 1)
  for (const cell of cells()) {
    if (isPlace(cell)) {
      addRange(rowChanges, cell.row, Math.min(mostRows, cell.row + cell.height))
      addRange(columnChanges, cell.column, Math.min(mostColumns, cell.column + cell.width))
    }
  }
  const rows = ranksOf(rowChanges)
  const columns = ranksOf(columnChanges)
  if ((rows.at(-1) ?? 0) * (columns.at(-1) ?? 0) > mostArea + areaPerCell * extent.cells) {
    throw new Refusal(
      "resourceLimit",
      `the file crosses a safety limit: the ${extent.cells} cells of a sheet are spread over ${extent.area} places`
    )
  }
  const rank = (ranks: Uint32Array, place: number): number => ranks[Math.max(0, Math.min(place, ranks.length - 1))] ?? 0
  return { row: (row) => rank(rows, row), column: (column) => rank(columns, column) }
}
