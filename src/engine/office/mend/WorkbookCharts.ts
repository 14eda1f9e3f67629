/**
 * Charts of an Excel 97 workbook: the figures that a chart keeps have the form of cells, which the parser puts over those of the sheet.
 *
 * Source: [MS-XLS] 2.1.7.20.1 (chart sheets) and 2.4.21 (`BOF`).
 */
import * as CompoundFile from "../../content/CompoundFile.ts"
import { endOfStream, startOfStream } from "../sparse/WorkbookRecords.ts"

const chart = 0x20

/** Type of a record that no reader knows. */
const unknown = 0

/** Makes the records of charts unknown ones; of a chart that is a sheet its start and end stay, as the sheet's. True when there are any. */
const blanked = (stream: Buffer): boolean => {
  let found = false
  let depth = 0
  let open: { readonly depth: number; readonly records: Array<number> } | undefined
  for (let at = 0; at + 4 <= stream.length; at += stream.readUInt16LE(at + 2) + 4) {
    const type = stream.readUInt16LE(at)
    if (type === startOfStream) {
      const isChart = at + 8 <= stream.length && stream.readUInt16LE(at + 6) === chart
      // Sheets stand in no other stream: the end of the one before is missing.
      if (!isChart) depth = 0
      open = isChart ? (open ?? { depth, records: [] }) : undefined
      if (depth > 0) open?.records.push(at)
      depth += 1
    } else if (type === endOfStream) {
      depth = Math.max(0, depth - 1)
      if (depth > 0) open?.records.push(at)
      if (open === undefined || depth > open.depth) continue
      for (const record of open.records) stream.writeUInt16LE(unknown, record)
      found ||= open.records.length > 0
      open = undefined
    } else open?.records.push(at)
  }
  return found
}

/** The workbook without the figures of its charts; the same bytes when it has none. Never fails. */
export const without = (bytes: Uint8Array): Uint8Array => {
  const workbook = CompoundFile.streamOf(CompoundFile.open(bytes), "Workbook", "Book")
  if (workbook === undefined) return bytes
  const stream = Buffer.from(workbook.content)
  return blanked(stream) ? workbook.replaced(stream) : bytes
}
