/**
 * Which of the proposed tables of a page are tables.
 *
 * @since 0.1.0
 */
import * as Box from "./Box.ts"
import type { Item, PageItems, TableCandidate } from "./PageItem.ts"

/**
 * A table, with the items that it takes from the text.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageTable {
  readonly box: Box.Box
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly items: ReadonlyArray<Item>
}

/** A longer cell is a paragraph beside another column, not a cell. */
const longestCell = 420

const isTable = (candidate: TableCandidate): boolean => {
  const cells = candidate.rows.flat()
  return (
    candidate.rows.length >= 2 &&
    (candidate.rows[0]?.length ?? 0) >= 2 &&
    cells.every((cell) => cell.length <= longestCell) &&
    cells.filter((cell) => cell !== "").length >= 3
  )
}

/**
 * The tables of a page, top to bottom, each with items of its own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const find = (page: PageItems, items: ReadonlyArray<Item>): ReadonlyArray<PageTable> => {
  const found: Array<PageTable> = []
  let left = items
  for (const candidate of page.tables) {
    if (!isTable(candidate)) continue
    const own = left.filter((item) => Box.centerWithin(item.box, candidate.box, 1))
    if (own.length === 0) continue
    left = left.filter((item) => !Box.centerWithin(item.box, candidate.box, 1))
    found.push({ box: candidate.box, rows: candidate.rows, items: own })
  }
  return found.toSorted((one, other) => one.box.y0 - other.box.y0)
}
