/** Lists and tables of contents: their markers and page numbers align like the columns of a table. */
import * as TableRows from "./TableRows.ts"

/** The letter is Word's hollow bullet. */
const marker = /^(?:[•◦▪‣●○■□–—*·-]|o|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\(\d+\)|\[\d+\]|\d+(?:\.\d+)+\.?)$/

const bullet = /^[•◦▪‣●]$/

/** Page numbers; those of several entries stand in one cell where their rows were taken for one. */
const pageNumbers = /^(?:\d{1,4}|[ivxlc]+)(?: (?:\d{1,4}|[ivxlc]+))*$/

const section = /^(?:\d{1,3}|[A-Z]|[IVX]{1,5})(?:\.\d+)*\.?(?:\s|$)|^(?:Chapter|Appendix|Part)\s/i

/** Most columns of a list: marker, text, and a number. */
const widestList = 3

const filled = (rows: ReadonlyArray<ReadonlyArray<string>>, column: number): ReadonlyArray<string> =>
  rows.map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== "")

const isList = (rows: ReadonlyArray<ReadonlyArray<string>>, columns: number): boolean => {
  const markers = filled(rows, 0).filter((cell) => marker.test(cell)).length
  if (columns <= widestList && markers > rows.length * 0.5) return true
  return Array.from({ length: columns }, (_, at) => filled(rows, at)).some(
    (cells) => cells.length > 1 && cells.filter((cell) => bullet.test(cell)).length > cells.length * 0.6
  )
}

/** True if the last column has page numbers that never fall, and no other column has numbers but those of sections. */
const isContents = (rows: ReadonlyArray<ReadonlyArray<string>>, columns: number): boolean => {
  const last = filled(rows, columns - 1).filter((cell) => pageNumbers.test(cell))
  const sections = rows.filter((row) => section.test(row.find((cell) => cell.trim() !== "") ?? "")).length
  if (last.length < Math.max(2, rows.length * 0.7) || (last.length < 4 && sections < rows.length * 0.6)) return false
  const pages = last
    .flatMap((cell) => cell.split(" "))
    .map(Number)
    .filter((page) => !Number.isNaN(page))
  const rising = pages.every((page, at) => page >= (pages[at - 1] ?? 0))
  const labels = rows.flatMap((row) => row.slice(0, columns - 1)).map((cell) => cell.trim())
  return rising && labels.every((cell) => !TableRows.isNumeric(cell) || marker.test(cell) || /^\d{1,3}$/.test(cell))
}

/** True for rows of cells that are a list or a table of contents. */
export const isListing = (rows: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  return isList(rows, columns) || isContents(rows, columns)
}
