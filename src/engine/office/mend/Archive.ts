/**
 * Zip archives whose parts are read and replaced one by one; the others are copied as they are, compressed.
 *
 * Source: PKWARE APPNOTE 6.3, 4.3 ("General Format of a .ZIP file"). Archives of more than 4 GB or with encrypted parts are not read.
 */
import { Buffer } from "node:buffer"
import { crc32, inflateRawSync } from "node:zlib"
import * as ZipDirectory from "../ZipDirectory.ts"

export interface Archive {
  readonly names: ReadonlyArray<string>
  /** A part's bytes; undefined for a part that is missing, damaged, larger than it says or than 64 MiB. */
  readonly read: (name: string) => Uint8Array | undefined
  /** Copy of the archive with these parts replaced or added. Parts of which the content is known are in it as they are, uncompressed. */
  readonly replaced: (parts: Contents, known: Contents) => Uint8Array
}

/** Contents of parts by name. */
export type Contents = ReadonlyMap<string, Uint8Array>

/** Total size of all parts above which the parser refuses the archive anyway. */
const mostBytes = 256 * 1024 * 1024

/** Size of the largest part that is read, and of all that a copy holds uncompressed. */
const mostPartBytes = 64 * 1024 * 1024

const contentOf = (
  file: Buffer,
  { compressedSize, content, method, originalSize }: ZipDirectory.Entry
): Uint8Array | undefined => {
  if (originalSize > mostPartBytes) return undefined
  const bytes = file.subarray(content, content + compressedSize)
  if (method === ZipDirectory.stored) return bytes
  if (method !== ZipDirectory.deflated) return undefined
  try {
    // One piece of output, where many would be joined.
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, originalSize), chunkSize: Math.max(64, originalSize) })
  } catch {
    return undefined
  }
}

/** Names are in UTF-8. */
const flags = 0x0800

const headerOf = (name: Buffer, content: Uint8Array): Buffer => {
  const header = Buffer.alloc(ZipDirectory.header.bytes)
  header.writeUInt32LE(ZipDirectory.header.signature, 0)
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
  const record = Buffer.alloc(ZipDirectory.record.bytes)
  record.writeUInt32LE(ZipDirectory.record.signature, 0)
  record.writeUInt16LE(20, 4)
  header.copy(record, 6, 4, 28)
  record.writeUInt32LE(start, 42)
  return Buffer.concat([record, header.subarray(ZipDirectory.header.bytes)])
}

/** A part as it stands in the archive. */
interface Packed {
  readonly record: Buffer
  readonly content: Uint8Array
}

/** The part uncompressed; as it is where its content is not known, or not what the archive says. */
const packed = (file: Buffer, entry: ZipDirectory.Entry, known: Uint8Array | undefined): Packed => {
  const record = Buffer.from(entry.record)
  const sound = known?.length === entry.originalSize && crc32(known) === record.readUInt32LE(16)
  if (known === undefined || !sound)
    return { record, content: file.subarray(entry.content, entry.content + entry.compressedSize) }
  record.writeUInt16LE(ZipDirectory.stored, 10)
  record.writeUInt32LE(known.length, 20)
  return { record, content: known }
}

/** Size in bytes of contents that are worth a copy of their archive. */
const large = 262_144

const sizeOf = (contents: Contents): number => {
  let size = 0
  for (const { length } of contents.values()) size += length
  return size
}

const write = (
  file: Buffer,
  entries: ReadonlyArray<ZipDirectory.Entry>,
  parts: Contents,
  known: Contents
): Uint8Array => {
  const plain = sizeOf(known) > mostPartBytes ? undefined : known
  const body: Array<Uint8Array> = []
  const records: Array<Buffer> = []
  let at = 0
  const add = (bytes: Uint8Array): void => {
    body.push(bytes)
    at += bytes.length
  }
  for (const entry of entries) {
    if (parts.has(entry.name)) continue
    const { content, record } = packed(file, entry, plain?.get(entry.name))
    record.writeUInt32LE(at, 42)
    // Sizes after the content repeat those of the directory: without the flag nobody looks for them.
    record.writeUInt16LE(record.readUInt16LE(8) & ~8, 8)
    records.push(record)
    const header = Buffer.from(file.subarray(entry.start, entry.content))
    record.copy(header, 6, 8, 12)
    record.copy(header, 14, 16, 28)
    add(header)
    add(content)
  }
  for (const [name, content] of parts) {
    const header = headerOf(Buffer.from(name, "utf8"), content)
    records.push(recordOf(header, at))
    add(header)
    add(content)
  }
  const directory = Buffer.concat(records)
  const end = Buffer.alloc(ZipDirectory.end.bytes)
  end.writeUInt32LE(ZipDirectory.end.signature, 0)
  end.writeUInt16LE(records.length, 8)
  end.writeUInt16LE(records.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...body, directory, end])
}

/** Opens an archive; undefined when it is damaged, or of a kind that is not read. */
export const open = (bytes: Uint8Array): Archive | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries = ZipDirectory.read(file)
  const total = (entries ?? []).reduce((sum, { originalSize }) => sum + originalSize, 0)
  if (entries === undefined || total > mostBytes) return undefined
  const named = new Map(entries.map((entry) => [entry.name, entry]))
  return {
    names: [...named.keys()],
    read: (name) => {
      const entry = named.get(name)
      return entry === undefined ? undefined : contentOf(file, entry)
    },
    replaced: (parts, known) => write(file, [...named.values()], parts, known)
  }
}

/**
 * Copy of the archive with these contents of its parts uncompressed, so that the parser does not inflate them again; the same bytes where
 * that would save little, and of an archive that is not read or has two parts of one name.
 */
export const inflated = (bytes: Uint8Array, known: Contents): Uint8Array => {
  const size = sizeOf(known)
  if (size < Math.max(large, bytes.length) || size > mostPartBytes) return bytes
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries = ZipDirectory.read(file) ?? []
  const names = new Set(entries.map(({ name }) => name))
  return names.size > 0 && names.size === entries.length ? write(file, entries, new Map(), known) : bytes
}
