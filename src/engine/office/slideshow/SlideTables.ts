/**
 * Tables of a PowerPoint 97 document: groups of boxes with text, whose places make rows and columns.
 *
 * Source: [MS-ODRAW] 2.2.16 (groups), 2.2.38 (`OfficeArtChildAnchor`), 2.3.4.36 (`tableProperties`).
 */
import * as Records from "./Records.ts"

const groupContainer = 0xf003
const shapeContainer = 0xf004
const shape = 0xf00a
const childAnchor = 0xf00f
const options = 0xf122
const textBox = 0xf00d
const textOfTwoBytes = 0x0fa0
const textOfOneByte = 0x0fa8

const tableProperties = 0x039f

/** Types of shapes that are borders. */
const line = 20

/** Most rows or columns of a table. */
const most = 1000

/** A table, each row with the same number of cells. A cell holds its paragraphs, one a line. */
export interface SlideTable {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Texts of the cells in the order in which they are stored. */
  readonly texts: ReadonlyArray<string>
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly text: string
}

/** A vertical tab is a line break within a paragraph. */
const textOf = (stream: Buffer, from: number, to: number): string => {
  const found: Array<string> = []
  for (const { end, start, type } of Records.all(stream, from, to)) {
    if (type === textOfTwoBytes) found.push(stream.toString("utf16le", start, end))
    if (type === textOfOneByte) found.push(stream.toString("latin1", start, end))
  }
  return found
    .join("\n")
    .replaceAll(/[\r\v]/g, "\n")
    .replaceAll("\0", "")
    .trim()
}

const boxOf = (stream: Buffer, { end, start }: Records.Record): Box | undefined => {
  let anchor: Records.Record | undefined
  let kind = line
  let text = ""
  for (const record of Records.within(stream, start, end)) {
    if (record.type === shape) kind = record.instance
    if (record.type === childAnchor && record.end - record.start >= 16) anchor = record
    if (record.type === textBox) text = textOf(stream, record.start, record.end)
  }
  if (anchor === undefined || kind === line) return undefined
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => stream.readInt32LE(anchor.start + at))
  return { left, top, right, bottom, text }
}

/** True for the first shape of a group where the program says that the group is a table. */
const saysTable = (stream: Buffer, { end, start }: Records.Record): boolean => {
  for (const record of Records.within(stream, start, end)) {
    if (record.type !== options) continue
    for (let at = 0, place = record.start; at < record.instance && place + 6 <= record.end; at++, place += 6)
      if ((stream.readUInt16LE(place) & 0x3fff) === tableProperties) return (stream.readUInt32LE(place + 2) & 1) === 1
  }
  return false
}

const area = ({ bottom, left, right, top }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top)

/** True where the boxes fill their common rectangle, without gaps: a table of a program that does not say so. */
const fillsGrid = (boxes: ReadonlyArray<Box>): boolean => {
  const whole = {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
    text: ""
  }
  const sum = boxes.reduce((total, box) => total + area(box), 0)
  return boxes.length >= 4 && area(whole) > 0 && Math.abs(sum / area(whole) - 1) < 0.02
}

const distinct = (places: ReadonlyArray<number>): ReadonlyArray<number> =>
  [...new Set(places)].toSorted((one, other) => one - other)

const tableOf = (boxes: ReadonlyArray<Box>): SlideTable | undefined => {
  const lefts = distinct(boxes.map(({ left }) => left))
  const tops = distinct(boxes.map(({ top }) => top))
  if (
    boxes.length < 2 ||
    lefts.length > most ||
    tops.length > most ||
    lefts.length * tops.length > 4 * boxes.length + 16
  )
    return undefined
  const rows = tops.map(() => lefts.map(() => ""))
  const [columnOf, rowOf] = [lefts, tops].map((places) => new Map(places.map((place, at) => [place, at])))
  for (const { left, text, top } of boxes) {
    const row = rows[rowOf?.get(top) ?? -1]
    const column = columnOf?.get(left)
    if (row === undefined || column === undefined || row[column] !== "") continue
    row[column] = text
  }
  return { rows, texts: boxes.map(({ text }) => text) }
}

const tableOfGroup = (stream: Buffer, { end, start }: Records.Record): SlideTable | undefined => {
  const boxes: Array<Box> = []
  let stated = false
  let first = true
  for (const record of Records.within(stream, start, end)) {
    if (record.type === groupContainer) return undefined
    if (record.type !== shapeContainer) continue
    if (first) stated = saysTable(stream, record)
    const box = first ? undefined : boxOf(stream, record)
    first = false
    if (box !== undefined) boxes.push(box)
  }
  const [sample] = boxes
  if (sample === undefined || boxes.every(({ text }) => text === "")) return undefined
  if (
    !stated &&
    (!fillsGrid(boxes) ||
      boxes.every(({ left }) => left === sample.left) ||
      boxes.every(({ top }) => top === sample.top))
  )
    return undefined
  return tableOf(boxes)
}

/** Most tables that are read. */
const mostTables = 2000

/** The tables of a stream `PowerPoint Document`, as they are stored: older versions of slides are among them. */
export const of = (stream: Buffer): ReadonlyArray<SlideTable> => {
  const tables: Array<SlideTable> = []
  for (const record of Records.all(stream, 0, stream.length)) {
    if (record.type !== groupContainer) continue
    const table = tableOfGroup(stream, record)
    if (table !== undefined) tables.push(table)
    if (tables.length >= mostTables) break
  }
  return tables
}
