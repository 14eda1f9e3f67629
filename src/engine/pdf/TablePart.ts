/** Tells if a table is a further part of another, by its columns and its first rows. */
import type { Column, Draft, TableDraft } from "./Draft.ts"
import * as TableRows from "./TableRows.ts"
import * as TextLine from "./TextLine.ts"

type Row = ReadonlyArray<string>

/** Words for a part that is not the first or not the last, as captions have them. */
export const continued = new RegExp(
  [
    String.raw`[([]?(?<!\p{L})(?:cont(?:inue[ds]?|inuation|inua(?:ción|ção|zione)?|['’]?d|\.)|fortsetzung|forts\.|suite|segue|vervolg|продолжение|окончание)(?!\p{L})`,
    String.raw`(?:\s(?:on|over|from|auf|von|à|de)\s(?:the\s|der\s|la\s)?(?:(?:next|following|previous|preceding|nächsten|vorigen)\s(?:page|seite)|page\s(?:suivante|précédente)))?\.?[)\]]?`,
    "|[(（]?(?:[续續]表?|続き|계속)[)）]?"
  ].join(""),
  "giu"
)

/** Letters and digits of a text, without words that say that a table goes on. */
export const keyOf = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(continued, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

const filledCells = (row: Row): number => row.filter((cell) => cell !== "").length

const isAlike = (one: Row, other: Row): boolean =>
  one.length === other.length && one.every((cell, at) => plain(cell) === plain(other[at] ?? ""))

/** A cell without white space and escapes; in one of a single signs nothing else is left. */
const plain = (cell: string): string =>
  cell
    .normalize("NFKC")
    .replace(continued, "")
    .replace(/[\s\\]+/gu, "")

const year = /^(?:19|20)\d\d$/

const isNumber = (cell: string): boolean => /\d/.test(cell) && TableRows.isNumeric(cell) && !year.test(cell.trim())

/** Number of rows at the top of both tables that are the same head: the first one, and those below it without numbers. */
export const repeatedRows = (first: TableDraft, part: TableDraft): number => {
  let count = 0
  for (const row of part.rows) {
    if (!isAlike(first.rows[count] ?? [], row) || (count > 0 && row.some(isNumber))) break
    count++
  }
  return count < part.rows.length && part.rows.slice(0, count).some((row) => filledCells(row) > 1) ? count : 0
}

/** True if a running line of a page is the head of a table. */
export const isHeadLine = (draft: Draft, { rows }: TableDraft): boolean =>
  draft.kind === "page_header" && keyOf(TextLine.textOf(draft.runs)) === keyOf((rows[0] ?? []).join(""))

const most = (flags: ReadonlyArray<boolean>): boolean => flags.filter((flag) => flag).length > flags.length / 2

/** True if the first row of a table is bold and the others are not. */
const hasBoldHead = ({ bold }: TableDraft): boolean => bold[0] === true && bold.length > 1 && !most(bold.slice(1))

/** Cells of the first row of a part in columns that are of numbers in the first part. */
const numbersOf = ({ rows: [, ...rows] }: TableDraft, row: Row): ReadonlyArray<string> =>
  row.filter((cell, at) => {
    const above = rows.flatMap((each) => (each[at] === undefined || each[at] === "" ? [] : [each[at]]))
    return cell !== "" && above.length > 1 && most(above.map(isNumber))
  })

/** Fewest characters of a cell that is text rather than the head of a column. */
const longCell = 60

/**
 * True if a part has no head of its own: its first row looks like the rows below the head of the first part. `close` says that nothing but
 * the end of the page stands between both, so that looks need not tell.
 */
export const isHeadless = (first: TableDraft, part: TableDraft, close: boolean): boolean => {
  const [row = []] = part.rows
  const [head = []] = first.rows
  const [label = ""] = row
  const [bold] = part.bold
  if (bold === undefined || (bold && !most(first.bold.slice(1)))) return false
  if (label === "" ? filledCells(row) === 0 : filledCells(row) < 2 || plain(label) === plain(head[0] ?? ""))
    return false
  const numbers = numbersOf(first, row)
  if (numbers.length > 0 && !most(numbers.map(TableRows.isNumeric))) return false
  const isLong = (cell: string) => cell.length > longCell
  return close || hasBoldHead(first) || numbers.some(isNumber) || (row.some(isLong) && !head.some(isLong))
}

/** True for columns with the same place at one of their edges or in their middle. */
const isSame = ([left, right]: Column, [from, to]: Column, slack: number): boolean =>
  Math.min(Math.abs(left - from), Math.abs(right - to), Math.abs(left + right - from - to) / 2) < slack

const edges = ({ box }: TableDraft): Column => [box.x0, box.x1]

const width = ({ rows }: TableDraft): number => Math.max(...rows.map((row) => row.length))

/** A part with its cells in the columns of the one above. */
interface Placed {
  readonly table: TableDraft
  /** All columns go on, and begin where those above begin. */
  readonly exact: boolean
}

/**
 * A part below another; undefined if one of its columns has no place there. A part may lack a column that is empty in it, and all may be
 * moved by the same distance, as between the margins of a left and a right page.
 */
export const below = (above: TableDraft, table: TableDraft): Placed | undefined => {
  const known = above.columns.length > 0 && table.columns.length > 0
  const [from, to] = known ? [above.columns, table.columns] : [[edges(above)], [edges(table)]]
  for (const moved of [0, (to[0]?.[0] ?? 0) - (from[0]?.[0] ?? 0)]) {
    const found = to.map(([left, right]) =>
      from.findIndex((column) => isSame(column, [left - moved, right - moved], table.size))
    )
    if (found.some((place, at) => place <= (found[at - 1] ?? -1))) continue
    if (width(above) === width(table) && from.length === to.length) {
      return { table, exact: known && to.every(([left], at) => Math.abs(left - (from[at]?.[0] ?? 0)) < table.size / 2) }
    }
    if (from.length === width(above) && to.length === width(table)) {
      const rows = table.rows.map((row) => from.map((_, at) => row[found.indexOf(at)] ?? ""))
      return { table: { ...table, columns: from, rows }, exact: false }
    }
  }
  return undefined
}
