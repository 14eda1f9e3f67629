/**
 * The members of a zip archive, as its central directory declares them.
 *
 * Source: PKWARE APPNOTE 6.3.10, 4.3 ("General Format of a .ZIP file"). Archives above 4 GiB and encrypted members are not read.
 */
import type { Buffer } from "node:buffer"

export interface Entry {
  readonly name: string
  /** Record of the central directory. */
  readonly record: Buffer
  /** Where the member's header starts, and its compressed bytes. */
  readonly start: number
  readonly content: number
  readonly compressedSize: number
  /** Size in bytes before compression. */
  readonly originalSize: number
  readonly method: number
}

/** Methods of compression. */
export const stored = 0
export const deflated = 8

/** Signatures and sizes in bytes of the end of the directory, of its records and of the members' headers. */
export const end = { signature: 0x06054b50, bytes: 22 }
export const record = { signature: 0x02014b50, bytes: 46 }
export const header = { signature: 0x04034b50, bytes: 30 }

/** Longest comment after the end of the directory. */
const longestComment = 65_535

/** A size or position that stands elsewhere, as in archives above 4 GiB. */
const beyond = 0xffffffff

const encrypted = 1

const endOf = (file: Buffer): number => {
  const first = Math.max(0, file.length - end.bytes - longestComment)
  for (let at = file.length - end.bytes; at >= first; at--) if (file.readUInt32LE(at) === end.signature) return at
  return -1
}

const entryAt = (file: Buffer, at: number): Entry | undefined => {
  if (file.readUInt32LE(at) !== record.signature || (file.readUInt16LE(at + 8) & encrypted) !== 0) return undefined
  const nameEnd = at + record.bytes + file.readUInt16LE(at + 28)
  const next = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  const [compressedSize, originalSize, start] = [20, 24, 42].map((offset) => file.readUInt32LE(at + offset))
  if (compressedSize === undefined || originalSize === undefined || start === undefined) return undefined
  if ([compressedSize, originalSize, start].includes(beyond)) return undefined
  if (file.readUInt32LE(start) !== header.signature) return undefined
  const content = start + header.bytes + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28)
  if (next > file.length || content + compressedSize > file.length) return undefined
  return {
    name: file.toString("utf8", at + record.bytes, nameEnd),
    record: file.subarray(at, next),
    start,
    content,
    compressedSize,
    originalSize,
    method: file.readUInt16LE(at + 10)
  }
}

/** The members in their order; undefined when the directory is damaged, or of a kind that is not read. */
export const read = (file: Buffer): ReadonlyArray<Entry> | undefined => {
  try {
    const last = endOf(file)
    if (last < 0) return undefined
    const count = file.readUInt16LE(last + 10)
    const entries: Array<Entry> = []
    for (let at = file.readUInt32LE(last + 16), number = 0; number < count; number++) {
      const entry = entryAt(file, at)
      if (entry === undefined) return undefined
      entries.push(entry)
      at += entry.record.length
    }
    return entries
  } catch (cause) {
    // A position outside of the file: the archive is damaged.
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}
