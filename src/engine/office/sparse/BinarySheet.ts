/**
 * Sheet of a binary Office Open XML workbook: records of rows, each followed by those of its cells.
 *
 * Source: [MS-XLSB] 2.1.4, 2.4.307 (`BrtRowHdr`) and 2.5.9 (`Cell`).
 */
import * as UsedCells from "./UsedCells.ts"

interface Entry {
  readonly kind: "row" | "cell"
  readonly at: number
}

/** Number in groups of 7 bits, at most `most` of them, and the offset after it. */
const numberAt = (sheet: Buffer, from: number, most: number): readonly [value: number, end: number] => {
  let value = 0
  let at = from
  for (let group = 0; group < most && at < sheet.length; group++) {
    const byte = sheet[at] ?? 0
    value |= (byte & 127) << (7 * group)
    at += 1
    if (byte < 128) {
      break
    }
  }
  return [value, at]
}

const rowHeader = 0

/** True for `BrtCellRk` to `BrtFmlaError`; a `BrtCellBlank` has a style only. */
const isCell = (type: number): boolean => type >= 2 && type <= 11

const entriesOf = (sheet: Buffer): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  for (let at = 0; at < sheet.length;) {
    const [type, afterType] = numberAt(sheet, at, 2)
    const [size, data] = numberAt(sheet, afterType, 4)
    if (size >= 4 && data + 4 <= sheet.length && (type === rowHeader || isCell(type))) {
      entries.push({ kind: type === rowHeader ? "row" : "cell", at: data })
    }
    at = data + size
  }
  return entries
}

const cellsOf = function* (sheet: Buffer, entries: ReadonlyArray<Entry>): Generator<UsedCells.Cell> {
  let row = 0
  for (const { at, kind } of entries) {
    if (kind === "row") {
      row = sheet.readUInt32LE(at)
    } else {
      yield { row, column: sheet.readUInt32LE(at), height: 1, width: 1 }
    }
  }
}

/** Cells with content. */
export const cells = (bytes: Uint8Array): Iterable<UsedCells.Cell> => {
  const sheet = Buffer.from(bytes)
  return cellsOf(sheet, entriesOf(sheet))
}

/** `BrtBundleSh`. */
const bundledSheet = 156

/** A counted UTF-16 string, and the offset after it. */
const wideString = (data: Buffer, at: number): readonly [text: string, end: number] => {
  const count = at + 4 <= data.length ? data.readUInt32LE(at) : 0
  const end = Math.min(data.length, at + 4 + 2 * Math.min(count, 65_535))
  return [data.toString("utf16le", at + 4, end), end]
}

/**
 * Names of the sheets of a workbook, with the ids of the relationships that lead to them.
 *
 * Source: [MS-XLSB] 2.4.313.
 */
export const bundled = (workbook: Uint8Array): ReadonlyArray<{ readonly id: string; readonly name: string }> => {
  const records = Buffer.from(workbook)
  const found: Array<{ readonly id: string; readonly name: string }> = []
  for (let at = 0; at < records.length;) {
    const [type, afterType] = numberAt(records, at, 2)
    const [size, data] = numberAt(records, afterType, 4)
    if (type === bundledSheet && data + size <= records.length) {
      const [id, afterId] = wideString(records, data + 8)
      found.push({ id, name: wideString(records, afterId)[0] })
    }
    at = data + size
  }
  return found
}

/** The sheet without its empty rows and columns; undefined when it is small enough. */
export const closer = (bytes: Uint8Array): Uint8Array | undefined => {
  const sheet = Buffer.from(bytes)
  const entries = entriesOf(sheet)
  const ranks = UsedCells.closer(() => cellsOf(sheet, entries))
  if (ranks === undefined) {
    return undefined
  }
  for (const { at, kind } of entries) {
    const place = sheet.readUInt32LE(at)
    sheet.writeUInt32LE(kind === "row" ? ranks.row(place) : ranks.column(place), at)
  }
  return sheet
}
