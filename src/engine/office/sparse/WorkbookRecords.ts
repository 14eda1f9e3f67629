/** Records of the stream of an Excel 97 workbook. Source: [MS-XLS] 2.1.4. */

/** A record whose data is at `[at, at + size)`. */
export interface WorkbookRecord {
  readonly type: number
  readonly at: number
  readonly size: number
}

export const startOfStream = 0x809

export const endOfStream = 0x0a

/** Start of the stream of a sheet, with its name. */
export const boundSheet = 0x85

/**
 * The records from an offset on. One that is longer than the stream ends with it.
 * @yields {WorkbookRecord} the next record
 */
export const of = function* (stream: Buffer, from = 0): Generator<WorkbookRecord, undefined> {
  for (let at = from + 4; at <= stream.length;) {
    const size = Math.min(stream.readUInt16LE(at - 2), stream.length - at)
    yield { type: stream.readUInt16LE(at - 4), at, size }
    at += size + 4
  }
  return undefined
}
