/** Rows of a ruled table that no rule divides: several rows of text in one row of cells. */
import type { Item } from "./PageItem.ts"
import * as TableRows from "./TableRows.ts"
import * as TextLine from "./TextLine.ts"

/** A row of cells, by column. */
type Row = ReadonlyArray<ReadonlyArray<Item>>

/** Fewest lines of a row of cells that may be several rows. */
const fewest = 3

const linesOf = (row: Row): ReadonlyArray<TextLine.TextLine> => TextLine.group(row.flat())

/**
 * Rows of text in a row of cells: several if most of its lines have a number below a number, or text in every cell that is not empty.
 * Otherwise the row itself.
 */
export const split = (row: Row): ReadonlyArray<Row> => {
  const used = row.filter((cell) => cell.length > 0)
  if (used.length < 2) return [row]
  const lines = linesOf(row).map((line) => {
    const items = new Set(line.items)
    const cells = row.map((cell) => cell.filter((item) => items.has(item)))
    return { line, cells, texts: cells.map((cell) => cell.map((item) => item.text).join(" ")) }
  })
  if (lines.length < fewest) return [row]
  const numbers = lines
    .slice(1)
    .filter(({ texts }, at) =>
      texts.some((text, column) => TableRows.isNumeric(text) && TableRows.isNumeric(lines[at]?.texts[column] ?? ""))
    )
  const full = lines.filter(({ cells }) => cells.filter((cell) => cell.length > 0).length === used.length)
  if (numbers.length < (lines.length - 1) * 0.6 && full.length < lines.length * 0.9) return [row]
  const byLine = new Map(
    lines.map(({ line, cells, texts }): readonly [TableRows.TableLine, Row] => [
      { y0: line.box.y0, y1: line.box.y1, size: line.size, cells: texts, spans: false },
      cells
    ])
  )
  return TableRows.group([...byLine.keys()], []).map((group) =>
    row.map((_, column) => group.flatMap((line) => byLine.get(line)?.[column] ?? []))
  )
}
