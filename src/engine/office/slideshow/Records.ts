/**
 * Records of a PowerPoint 97 document.
 *
 * Source: [MS-PPT] 2.3.1 (`RecordHeader`). Reading is linear in the stream, and nested to a bounded depth.
 */

/** A record, its content at `[start, end)` of the stream. */
export interface Record {
  readonly type: number
  readonly instance: number
  readonly start: number
  readonly end: number
  readonly isContainer: boolean
}

const headerBytes = 8

/**
 * The records between two offsets, without those in their containers. One that is longer than what holds it ends with it.
 *
 * @yields {Record} the next record
 */
export const within = function* (stream: Buffer, from: number, to: number): Generator<Record, undefined> {
  for (let at = from; at + headerBytes <= to;) {
    const head = stream.readUInt16LE(at)
    const start = at + headerBytes
    const end = Math.min(to, start + stream.readUInt32LE(at + 4))
    yield { type: stream.readUInt16LE(at + 2), instance: head >> 4, start, end, isContainer: (head & 0xf) === 0xf }
    at = end
  }
  return undefined
}

/** Deepest container that is read. */
const deepest = 32

/**
 * All records, each container before what it holds.
 *
 * @yields {Record} the next record
 */
export const all = function* all(stream: Buffer, from: number, to: number, depth = 0): Generator<Record, undefined> {
  for (const record of within(stream, from, to)) {
    yield record
    if (record.isContainer && depth < deepest) yield* all(stream, record.start, record.end, depth + 1)
  }
  return undefined
}
