/**
 * Tables of an OpenDocument spreadsheet: rows and cells with repeat counts.
 *
 * Source: OpenDocument 1.3 part 3, 9.1.3 to 9.1.5.
 */
import * as XmlText from "../XmlText.ts"
import * as UsedCells from "./UsedCells.ts"

const tag = /<(\/?)table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^"'>])*)>/g

const repeated = /\stable:number-(?:rows|columns)-repeated\s*=\s*["'](\d{1,9})["']/

interface Piece {
  readonly kind: "row" | "cell"
  /** Offset of its start tag in the source. */
  readonly start: number
  /** Offset after its start tag; for an empty cell, after its end tag. */
  readonly end: number
  readonly at: number
  readonly count: number
  /** True without content: it only takes up positions. */
  empty: boolean
}

const countOf = (attributes: string): number => Math.max(1, Number(repeated.exec(attributes)?.[1] ?? 1))

interface Table {
  readonly pieces: Array<Piece>
  row: Piece | undefined
  rows: number
  columns: number
}

/** Pieces of each table; a table inside a cell is part of that cell. */
const tablesOf = (
  xml: string
): ReadonlyArray<{ readonly attributes: string; readonly pieces: ReadonlyArray<Piece> }> => {
  const found: Array<{ readonly attributes: string; readonly pieces: ReadonlyArray<Piece> }> = []
  let table: Table | undefined
  let depth = 0
  for (const { 0: whole, 1: slash, 2: name, 3: attributes = "", index } of xml.matchAll(tag)) {
    const isEnd = slash === "/"
    const isClosed = attributes.endsWith("/")
    if (name === "table") {
      depth += isEnd ? -1 : isClosed ? 0 : 1
      if (depth === 1 && !isEnd) {
        table = { pieces: [], row: undefined, rows: 0, columns: 0 }
        found.push({ attributes, pieces: table.pieces })
      }
    } else if (table !== undefined && depth === 1 && !isEnd) {
      const kind = name === "table-row" ? "row" : "cell"
      const at = kind === "row" ? table.rows : table.columns
      const count = countOf(attributes)
      const afterTag = index + whole.length
      const closing = `</table:${name}>`
      const isHollow = kind === "cell" && xml.startsWith(closing, afterTag)
      const end = isHollow ? afterTag + closing.length : afterTag
      const piece: Piece = { kind, start: index, end, at, count, empty: kind === "row" || isClosed || isHollow }
      table.pieces.push(piece)
      if (kind === "row") {
        table.row = piece
        table.rows += count
        table.columns = 0
      } else {
        table.columns += count
        if (!piece.empty && table.row !== undefined) {
          table.row.empty = false
        }
      }
    }
  }
  return found
}

const cellsOf = function* (pieces: ReadonlyArray<Piece>): Generator<UsedCells.Cell> {
  let row: Piece | undefined
  for (const piece of pieces) {
    if (piece.kind === "row") {
      row = piece
    } else if (!piece.empty && row !== undefined) {
      yield { row: row.at, column: piece.at, height: row.count, width: piece.count }
    }
  }
}

const named = /\stable:name\s*=\s*(?:"([^"]*)"|'([^']*)')/u

/** The sheets with their names and their cells with content. */
export const sheets = (
  xml: string
): ReadonlyArray<{ readonly name: string; readonly cells: Iterable<UsedCells.Cell> }> =>
  tablesOf(xml).map(({ attributes, pieces }) => {
    const found = named.exec(attributes)
    return { name: XmlText.unescape(found?.[1] ?? found?.[2] ?? ""), cells: cellsOf(pieces) }
  })

/** Start tag of a piece with a smaller repeat count. */
const withCount = (xml: string, { end, kind, start }: Piece, count: number): string =>
  xml.slice(start, end).replace(repeated, ` table:number-${kind === "row" ? "rows" : "columns"}-repeated="${count}"`)

/** Replacement of an empty piece: a row is kept once for its end tag, a cell is dropped when none of its columns remains. */
const shortened = (xml: string, piece: Piece, ranks: UsedCells.Ranks): string => {
  const rank = piece.kind === "row" ? ranks.row : ranks.column
  const count = rank(piece.at + piece.count) - rank(piece.at)
  return piece.kind === "cell" && count === 0 ? "" : withCount(xml, piece, Math.max(1, count))
}

/** The spreadsheet's content, in which tables that are too large lose their empty rows and columns; undefined when none is too large. */
export const closer = (xml: string): string | undefined => {
  const parts: Array<string> = []
  let from = 0
  for (const { pieces } of tablesOf(xml)) {
    const ranks = UsedCells.closer(() => cellsOf(pieces))
    if (ranks === undefined) {
      continue
    }
    for (const piece of pieces) {
      if (piece.empty) {
        parts.push(xml.slice(from, piece.start), shortened(xml, piece, ranks))
        from = piece.end
      }
    }
  }
  return parts.length === 0 ? undefined : parts.join("") + xml.slice(from)
}
