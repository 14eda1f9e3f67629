import { inflateRawSync } from "node:zlib"
/**
 * Zip archives whose parts are read and replaced one by one; the others are copied as they are, compressed.
 *
 * Source: PKWARE APPNOTE 6.3, 4.3 ("General Format of a .ZIP file"). Archives of more than 4 GB or with encrypted parts are not read.
 *
 * @since 0.1.0
 */
import { crc32 } from "./Checksum.ts"

interface Entry {
  readonly name: string
  /** Record of the central directory. */
  readonly record: Buffer
  /** Header and compressed bytes. */
  readonly start: number
  readonly content: number
  readonly compressed: number
  readonly size: number
  readonly method: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Archive {
  readonly names: ReadonlyArray<string>
  /** A part's bytes; undefined for a part that is missing, damaged, larger than it says or than 64 MiB. */
  readonly read: (name: string) => Uint8Array | undefined
  /** Copy of the archive with these parts replaced or added. */
  readonly replaced: (parts: ReadonlyMap<string, Uint8Array>) => Uint8Array
}

const endSignature = 0x06054b50
const recordSignature = 0x02014b50
const headerSignature = 0x04034b50

const endBytes = 22
const recordBytes = 46
const headerBytes = 30

/** Total size of all parts above which the parser refuses the archive anyway. */
const mostBytes = 256 * 1024 * 1024

/** Size of the largest part that is read. */
const mostPartBytes = 64 * 1024 * 1024

const stored = 0
const deflated = 8

const entriesOf = (file: Buffer): ReadonlyArray<Entry> | undefined => {
  let end = file.length - endBytes
  const first = Math.max(0, end - 65_535)
  while (end >= first && file.readUInt32LE(end) !== endSignature) end--
  if (end < first) return undefined
  const entries: Array<Entry> = []
  const count = file.readUInt16LE(end + 10)
  let total = 0
  for (let at = file.readUInt32LE(end + 16), index = 0; index < count; index++) {
    if (file.readUInt32LE(at) !== recordSignature || (file.readUInt16LE(at + 8) & 1) !== 0) return undefined
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset))
    const next = at + recordBytes + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
    const start = file.readUInt32LE(at + 42)
    if (file.readUInt32LE(start) !== headerSignature) return undefined
    const content = start + headerBytes + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28)
    const entry: Entry = {
      name: file.toString("utf8", at + recordBytes, at + recordBytes + (nameBytes ?? 0)),
      record: file.subarray(at, next),
      start,
      content,
      compressed: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      method: file.readUInt16LE(at + 10)
    }
    total += entry.size
    if (next > file.length || content + entry.compressed > file.length || total > mostBytes) return undefined
    entries.push(entry)
    at = next
  }
  return entries
}

const contentOf = (file: Buffer, { compressed, content, method, size }: Entry): Uint8Array | undefined => {
  if (size > mostPartBytes) return undefined
  const bytes = file.subarray(content, content + compressed)
  if (method === stored) return bytes
  if (method !== deflated) return undefined
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) })
  } catch {
    return undefined
  }
}

/** Names are in UTF-8. */
const flags = 0x0800

const headerOf = (name: Buffer, content: Uint8Array): Buffer => {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(headerSignature, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(0x21, 12)
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(content.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

const recordOf = (header: Buffer, start: number): Buffer => {
  const record = Buffer.alloc(recordBytes)
  record.writeUInt32LE(recordSignature, 0)
  record.writeUInt16LE(20, 4)
  header.copy(record, 6, 4, 28)
  record.writeUInt32LE(start, 42)
  return Buffer.concat([record, header.subarray(headerBytes)])
}

const write = (file: Buffer, entries: ReadonlyArray<Entry>, parts: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  const body: Array<Uint8Array> = []
  const records: Array<Buffer> = []
  let at = 0
  const add = (bytes: Uint8Array): void => {
    body.push(bytes)
    at += bytes.length
  }
  for (const { compressed, content, name, record, start } of entries) {
    if (parts.has(name)) continue
    const own = Buffer.from(record)
    own.writeUInt32LE(at, 42)
    // Sizes after the content repeat those of the directory: without the flag nobody looks for them.
    own.writeUInt16LE(own.readUInt16LE(8) & ~8, 8)
    records.push(own)
    const header = Buffer.from(file.subarray(start, content))
    header.writeUInt16LE(own.readUInt16LE(8), 6)
    own.copy(header, 14, 16, 28)
    add(header)
    add(file.subarray(content, content + compressed))
  }
  for (const [name, content] of parts) {
    const header = headerOf(Buffer.from(name, "utf8"), content)
    records.push(recordOf(header, at))
    add(header)
    add(content)
  }
  const directory = Buffer.concat(records)
  const end = Buffer.alloc(endBytes)
  end.writeUInt32LE(endSignature, 0)
  end.writeUInt16LE(records.length, 8)
  end.writeUInt16LE(records.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...body, directory, end])
}

/**
 * Opens an archive; undefined when it is damaged, or of a kind that is not read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (bytes: Uint8Array): Archive | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    const entries = entriesOf(file)
    if (entries === undefined) return undefined
    const named = new Map(entries.map((entry) => [entry.name, entry]))
    return {
      names: [...named.keys()],
      read: (name) => {
        const entry = named.get(name)
        return entry === undefined ? undefined : contentOf(file, entry)
      },
      replaced: (parts) => write(file, [...named.values()], parts)
    }
  } catch (cause) {
    // A position outside of the file: the archive is damaged.
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}
