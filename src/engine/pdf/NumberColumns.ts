/** Columns of numbers that stand so close that they were taken for one. */
import * as TableRows from "./TableRows.ts"

type Row = ReadonlyArray<string>

/** Fewest rows with as many numbers in one column. */
const fewest = 3

/** Share of the filled cells of a column that must have them. */
const share = 0.75

const partsOf = (cell: string): ReadonlyArray<string> => cell.split(/\s+/).filter((part) => part !== "")

/** True for parts that are numbers each; groups of three digits may be the thousands of one number. */
const areNumbers = (parts: ReadonlyArray<string>): boolean =>
  parts.length > 1 && parts.every((part) => /\d/.test(part) && TableRows.isNumeric(part))

const isOneNumber = (parts: ReadonlyArray<string>): boolean =>
  /^[-+−–]?\d{1,3}$/.test(parts[0] ?? "") && parts.slice(1).every((part) => /^\d{3}(?:[.,]\d+)?$/.test(part))

/** Number of columns that a column is: more than 1 if most of its cells hold as many numbers, and no others hold fewer. */
const countOf = (cells: ReadonlyArray<string>): number => {
  const filled = cells.map(partsOf).filter((parts) => parts.length > 0)
  const numbers = filled.filter(areNumbers)
  const count = numbers[0]?.length ?? 1
  const alike = numbers.filter(({ length }) => length === count)
  const enough = alike.length >= fewest && alike.length >= filled.length * share
  return enough && alike.length === numbers.length && !alike.every(isOneNumber) ? count : 1
}

/** The cell in `count` cells: as many words, or a heading of another number of words in the first of them. */
const divided = (cell: string, count: number): Row => {
  const parts = partsOf(cell)
  return parts.length === count ? parts : [cell, ...Array.from({ length: count - 1 }, () => "")]
}

/** The rows of a table without a grid, with such columns divided. */
export const divide = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const counts = Array.from({ length: width }, (_, at) => countOf(rows.map((row) => row[at] ?? "")))
  return counts.every((count) => count === 1)
    ? rows
    : rows.map((row) => counts.flatMap((count, at) => (count === 1 ? [row[at] ?? ""] : divided(row[at] ?? "", count))))
}
