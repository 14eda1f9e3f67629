/** Rows of a ruled table that no rule divides: several rows of text in one row of cells. */
import type { Item } from "./PageItem.ts"
import * as TableRows from "./TableRows.ts"
import * as TextLine from "./TextLine.ts"

/** A row of cells, by column. */
type Row = ReadonlyArray<ReadonlyArray<Item>>

/** Fewest lines of a row of cells that may be several rows. */
const fewest = 3

/**
 * Rows of text in a row of cells: several if most of its lines have a number below a number, or text in every cell that is not empty.
 * Otherwise the row itself.
 */
export const split = (row: Row): ReadonlyArray<Row> => {
  const used = row.filter((cell) => cell.length > 0)
  if (used.length < 2) return [row]
  const lines = TextLine.group(row.flat()).map(({ box, items, size }): TableRows.FilledLine => {
    const own = new Set(items)
    const cells = row.map((cell) => cell.filter((item) => own.has(item)))
    return { y0: box.y0, y1: box.y1, size, spans: false, cells: TableRows.textsOf(cells), items: cells }
  })
  if (lines.length < fewest) return [row]
  const numbers = lines
    .slice(1)
    .filter(({ cells }, at) =>
      cells.some((text, column) => TableRows.isNumeric(text) && TableRows.isNumeric(lines[at]?.cells[column] ?? ""))
    )
  const full = lines.filter(({ items }) => items.filter((cell) => cell.length > 0).length === used.length)
  if (numbers.length < (lines.length - 1) * 0.6 && full.length < lines.length * 0.9) return [row]
  return TableRows.itemsOf(lines, [])
}
