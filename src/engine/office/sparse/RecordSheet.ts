/**
 * Sheets of an Excel 97 workbook: records of one stream that begin with row and column.
 *
 * Source: [MS-XLS] 2.1.4 and 2.5.13.
 */
import * as UsedCells from "./UsedCells.ts"

/** Position of a record, which holds one cell or several of a row. */
interface Place extends UsedCells.Cell {
  readonly at: number
}

/** `FORMULA`, `NUMBER`, `LABEL`, `BOOLERR`, `RK`, `LABELSST`, `RSTRING`; a `BLANK` has a style only. */
const cellRecords = new Set([0x06, 0x203, 0x204, 0x205, 0x27e, 0xfd, 0xd6])

const multipleRk = 0xbd

const sheetStart = 0x809

const sheetsOf = (stream: Buffer): ReadonlyArray<ReadonlyArray<Place>> => {
  const sheets: Array<Array<Place>> = []
  for (let at = 4; at <= stream.length;) {
    const type = stream.readUInt16LE(at - 4)
    const size = Math.min(stream.readUInt16LE(at - 2), stream.length - at)
    if (type === sheetStart) {
      sheets.push([])
    }
    const sheet = sheets.at(-1)
    if (sheet !== undefined && size >= 6 && (type === multipleRk || cellRecords.has(type))) {
      const width = type === multipleRk ? Math.max(1, Math.floor((size - 6) / 6)) : 1
      sheet.push({ at, row: stream.readUInt16LE(at), column: stream.readUInt16LE(at + 2), height: 1, width })
    }
    at += size + 4
  }
  return sheets
}

const endOfStream = 0x0a

const boundSheet = 0x85

/** `BOF` of a version whose strings are Unicode. */
const biff8 = 0x0600

/** Cells with content of the sheet whose `BOF` starts at the offset; charts inside the sheet are left out. */
const cellsFrom = (stream: Buffer, start: number): ReadonlyArray<UsedCells.Cell> => {
  const cells: Array<UsedCells.Cell> = []
  let depth = 0
  for (let at = start + 4; at <= stream.length;) {
    const type = stream.readUInt16LE(at - 4)
    const size = Math.min(stream.readUInt16LE(at - 2), stream.length - at)
    if (type === sheetStart) depth += 1
    if (type === endOfStream) depth -= 1
    if (depth < 1) break
    if (depth === 1 && size >= 6 && (type === multipleRk || cellRecords.has(type))) {
      const width = type === multipleRk ? Math.max(1, Math.floor((size - 6) / 6)) : 1
      cells.push({ row: stream.readUInt16LE(at), column: stream.readUInt16LE(at + 2), height: 1, width })
    }
    at += size + 4
  }
  return cells
}

/**
 * The sheets of the stream of a workbook with their names and their cells with content; none of a workbook before Excel 97.
 *
 * Source: [MS-XLS] 2.4.28 (`BoundSheet8`).
 */
export const sheets = (
  stream: Buffer
): ReadonlyArray<{ readonly name: string; readonly cells: Iterable<UsedCells.Cell> }> => {
  const found: Array<{ readonly name: string; readonly cells: Iterable<UsedCells.Cell> }> = []
  if (stream.length < 6 || stream.readUInt16LE(0) !== sheetStart || stream.readUInt16LE(4) !== biff8) return found
  for (let at = 4; at <= stream.length;) {
    const type = stream.readUInt16LE(at - 4)
    const size = Math.min(stream.readUInt16LE(at - 2), stream.length - at)
    if (type === endOfStream) break
    if (type === boundSheet && size > 8) {
      const wide = (stream.readUInt8(at + 7) & 1) === 1
      const end = Math.min(at + size, at + 8 + stream.readUInt8(at + 6) * (wide ? 2 : 1))
      const name = stream.toString(wide ? "utf16le" : "latin1", at + 8, end)
      found.push({ name, cells: cellsFrom(stream, stream.readUInt32LE(at)) })
    }
    at += size + 4
  }
  return found
}

const move = (stream: Buffer, { at, column, row, width }: Place, ranks: UsedCells.Ranks): void => {
  stream.writeUInt16LE(ranks.row(row), at)
  stream.writeUInt16LE(ranks.column(column), at + 2)
  if (width > 1) {
    stream.writeUInt16LE(ranks.column(column + width - 1), at + 4 + width * 6)
  }
}

/** The stream of a workbook, in which sheets that are too large lose their empty rows and columns; undefined when none is too large. */
export const closer = (workbook: Uint8Array): Uint8Array | undefined => {
  const stream = Buffer.from(workbook)
  let changed = false
  for (const places of sheetsOf(stream)) {
    const ranks = UsedCells.closer(() => places)
    if (ranks !== undefined) {
      changed = true
      places.forEach((place) => move(stream, place, ranks))
    }
  }
  return changed ? stream : undefined
}
