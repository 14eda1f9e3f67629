/**
 * Sheets of an Excel 97 workbook: records of one stream that begin with row and column.
 *
 * Source: [MS-XLS] 2.1.4 and 2.5.13.
 */
import * as UsedCells from "./UsedCells.ts"
import * as WorkbookRecords from "./WorkbookRecords.ts"

/** Position of a record, which holds one cell or several of a row. */
interface Place extends UsedCells.Cell {
  readonly at: number
}

/** `FORMULA`, `NUMBER`, `LABEL`, `BOOLERR`, `RK`, `LABELSST`, `RSTRING`; a `BLANK` has a style only. */
const cellRecords = new Set([0x06, 0x203, 0x204, 0x205, 0x27e, 0xfd, 0xd6])

const multipleRk = 0xbd

/** The cells of a record that holds any, which all are in one row. */
const placeOf = (stream: Buffer, { at, size, type }: WorkbookRecords.WorkbookRecord): Place | undefined => {
  if (size < 6 || (type !== multipleRk && !cellRecords.has(type))) return undefined
  const width = type === multipleRk ? Math.max(1, Math.floor((size - 6) / 6)) : 1
  return { at, row: stream.readUInt16LE(at), column: stream.readUInt16LE(at + 2), height: 1, width }
}

const sheetsOf = (stream: Buffer): ReadonlyArray<ReadonlyArray<Place>> => {
  const sheets: Array<Array<Place>> = []
  for (const record of WorkbookRecords.of(stream)) {
    if (record.type === WorkbookRecords.startOfStream) sheets.push([])
    const place = placeOf(stream, record)
    if (place !== undefined) sheets.at(-1)?.push(place)
  }
  return sheets
}

/** `BOF` of a version whose strings are Unicode. */
const biff8 = 0x0600

/** Cells with content of the sheet whose `BOF` starts at the offset; charts inside the sheet are no part of it. */
const cellsFrom = (stream: Buffer, start: number): ReadonlyArray<UsedCells.Cell> => {
  const cells: Array<UsedCells.Cell> = []
  let depth = 0
  for (const record of WorkbookRecords.of(stream, start)) {
    if (record.type === WorkbookRecords.startOfStream) depth += 1
    if (record.type === WorkbookRecords.endOfStream) depth -= 1
    if (depth < 1) break
    const place = depth === 1 ? placeOf(stream, record) : undefined
    if (place !== undefined) cells.push(place)
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
  if (stream.length < 6 || stream.readUInt16LE(0) !== WorkbookRecords.startOfStream || stream.readUInt16LE(4) !== biff8)
    return found
  for (const { at, size, type } of WorkbookRecords.of(stream)) {
    if (type === WorkbookRecords.endOfStream) break
    if (type === WorkbookRecords.boundSheet && size > 8) {
      const wide = (stream.readUInt8(at + 7) & 1) === 1
      const end = Math.min(at + size, at + 8 + stream.readUInt8(at + 6) * (wide ? 2 : 1))
      const name = stream.toString(wide ? "utf16le" : "latin1", at + 8, end)
      found.push({ name, cells: cellsFrom(stream, stream.readUInt32LE(at)) })
    }
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
