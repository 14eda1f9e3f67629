/** Hides the structure tree of a PDF from every reader, so that it is read as if it had never been tagged. */
import { deflateSync, inflateSync } from "node:zlib"

const name = Buffer.from("/StructTreeRoot")

/** As long, and it compresses better. */
const unknown = Buffer.from("/AAAAAAAAAAAAAA")

const replaced = (bytes: Buffer): { readonly bytes: Buffer; readonly count: number } => {
  const copy = Buffer.from(bytes)
  let count = 0
  for (let at = copy.indexOf(name); at >= 0; at = copy.indexOf(name, at + 1)) {
    unknown.copy(copy, at)
    count++
  }
  return { bytes: copy, count }
}

const objectStream = /\/Type\s*\/ObjStm/

/** Replaces the name in compressed objects. Each keeps its length: the bytes after a shorter stream are not read. */
const inObjectStreams = (file: Buffer): void => {
  for (let at = file.indexOf("stream"); at >= 0; at = file.indexOf("stream", at + 6)) {
    const dictionary = file.subarray(Math.max(0, at - 300), at).toString("latin1")
    if (!objectStream.test(dictionary.slice(dictionary.lastIndexOf(" obj")))) continue
    const start = at + (file[at + 6] === 0x0d ? 8 : 7)
    const end = file.indexOf("endstream", start)
    if (end < 0) return
    try {
      const { bytes, count } = replaced(inflateSync(file.subarray(start, end)))
      const packed = count === 0 ? undefined : deflateSync(bytes, { level: 9 })
      if (packed !== undefined && packed.length <= end - start) packed.copy(file, start)
    } catch {
      // Encrypted, or compressed in another way: left as it is.
    }
    at = end
  }
}

/** A copy of the file, as long as the file. */
export const stripTags = (bytes: Uint8Array): Uint8Array => {
  const { bytes: file } = replaced(Buffer.from(bytes))
  inObjectStreams(file)
  return new Uint8Array(file)
}
