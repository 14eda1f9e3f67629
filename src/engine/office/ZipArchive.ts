/**
 * Reads members of a zip archive. Large ones are inflated by Node itself, which takes a third of the time of JavaScript.
 * Archives whose directory is not read are left to the general reader.
 */
import { Buffer } from "node:buffer"
import { inflateRawSync } from "node:zlib"
import { inflateSync, unzipSync } from "fflate"
import * as ZipDirectory from "./ZipDirectory.ts"

/** A member as the archive declares it. */
export type Declared = Pick<ZipDirectory.Entry, "name" | "originalSize">

/** Size in bytes from which Node's inflate is faster: it costs some 30 microseconds to start. */
const large = 16_384

const inflated = (data: Uint8Array, originalSize: number): Uint8Array => {
  if (originalSize >= large) {
    try {
      const whole = inflateRawSync(data, { maxOutputLength: originalSize, chunkSize: originalSize })
      if (whole.length === originalSize) return new Uint8Array(whole.buffer, whole.byteOffset, whole.length)
    } catch {
      // Damaged, or longer than declared.
    }
  }
  return inflateSync(data, { out: new Uint8Array(originalSize) })
}

const contentOf = (archive: Uint8Array, entry: ZipDirectory.Entry): Uint8Array => {
  const data = archive.subarray(entry.content, entry.content + entry.compressedSize)
  if (entry.method === ZipDirectory.stored) return data.slice()
  if (entry.method === ZipDirectory.deflated) return inflated(data, entry.originalSize)
  throw new RangeError(`unknown compression type ${entry.method}`)
}

/**
 * The members that `wanted` is true for, by name. Each has at most its declared size: a member that declares too little is cut off. Throws
 * when the archive or one of these members is damaged.
 */
export const read = (
  archive: Uint8Array,
  wanted: (member: Declared) => boolean
): Readonly<Record<string, Uint8Array>> => {
  const entries = ZipDirectory.read(Buffer.from(archive.buffer, archive.byteOffset, archive.length))
  if (entries === undefined) return unzipSync(archive, { filter: wanted })
  return Object.fromEntries(entries.filter(wanted).map((entry) => [entry.name, contentOf(archive, entry)]))
}
