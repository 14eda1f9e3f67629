/**
 * Bookmarks of a PDF file: titles of its headings with their depth. The engine does not return them.
 *
 * Source: ISO 32000-1, 12.3.3 (document outline), 7.5.7 (object streams).
 */
import { Buffer } from "node:buffer"
import { constants, inflateSync } from "node:zlib"
import * as PdfText from "./PdfText.ts"

export interface Bookmark {
  readonly title: string
  /** 1 for the highest. */
  readonly depth: number
}

/** Bounds of the scan: a damaged or hostile file must not take long. */
const longestObject = 65_536
const mostObjects = 2_000_000
const mostStreams = 4000
const mostInflated = 67_108_864
const mostBookmarks = 5000
const deepest = 8

const integer = (dictionary: string, key: string): number =>
  Number(new RegExp(`/${key}\\s+(\\d{1,9})(?!\\s+\\d+\\s+R)`).exec(dictionary)?.[1] ?? "0")

const reference = (dictionary: string, key: string): number | undefined => {
  const match = new RegExp(`/${key}\\s+(\\d{1,9})\\s+\\d{1,5}\\s+R`).exec(dictionary)
  return match === null ? undefined : Number(match[1])
}

const inflate = (data: Uint8Array, most: number): string => {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, most) }
    return inflateSync(data, options).toString("latin1")
  } catch {
    return ""
  }
}

/** Texts of objects by number; of several definitions the last one counts, as updates are appended. */
class Objects {
  private readonly file: Buffer
  private readonly places = new Map<number, number>()
  private readonly packed = new Map<number, string>()
  private inflated = 0

  constructor(file: Buffer) {
    this.file = file
    const streams: Array<number> = []
    let at = file.indexOf(" obj", 0, "latin1")
    for (let count = 0; at >= 0 && count < mostObjects; count++) {
      const match = /(?:^|\D)(\d{1,9})\s+\d{1,5}$/.exec(file.toString("latin1", Math.max(0, at - 20), at))
      if (match !== null) this.places.set(Number(match[1]), at + 4)
      at = file.indexOf(" obj", at + 4, "latin1")
    }
    for (
      let mark = file.indexOf("/ObjStm", 0, "latin1");
      mark >= 0;
      mark = file.indexOf("/ObjStm", mark + 7, "latin1")
    ) {
      if (streams.length < mostStreams) streams.push(mark)
    }
    for (const mark of streams) this.unpack(mark)
  }

  private unpack(mark: number): void {
    const start = this.file.lastIndexOf("obj", mark, "latin1")
    const begin = this.file.indexOf("stream", mark, "latin1")
    const end = begin < 0 ? -1 : this.file.indexOf("endstream", begin, "latin1")
    if (start < 0 || end < 0 || begin - start > longestObject || this.inflated > mostInflated) return
    const dictionary = this.file.toString("latin1", start, begin)
    const skip = this.file[begin + 6] === 13 ? 8 : 7
    const body = inflate(this.file.subarray(begin + skip, end), mostInflated - this.inflated)
    this.inflated += body.length
    const first = integer(dictionary, "First")
    const table = body.slice(0, first).trim().split(/\s+/).map(Number)
    for (let at = 0; at + 1 < table.length; at += 2) {
      const from = first + (table[at + 1] ?? 0)
      const next = table[at + 3]
      this.packed.set(table[at] ?? -1, body.slice(from, next === undefined ? from + longestObject : first + next))
    }
  }

  text(number: number | undefined): string {
    if (number === undefined) return ""
    const at = this.places.get(number)
    if (at === undefined) return this.packed.get(number) ?? ""
    const text = this.file.toString("latin1", at, at + longestObject)
    const end = text.indexOf("endobj")
    return end < 0 ? text : text.slice(0, end)
  }
}

/** Root of the outline: that of the last catalog in the file. */
const rootOf = (file: Buffer, objects: Objects): string => {
  for (let at = file.lastIndexOf("/Root", undefined, "latin1"), tries = 0; at >= 0 && tries < 16; tries++) {
    const catalog = objects.text(reference(file.toString("latin1", at, at + 64), "Root"))
    const outline = objects.text(reference(catalog, "Outlines"))
    if (outline !== "") return outline
    at = at === 0 ? -1 : file.lastIndexOf("/Root", at - 1, "latin1")
  }
  return ""
}

/**
 * Bookmarks in their order, at most 5,000 of them to a depth of 8; never throws. Those of an encrypted file cannot be read and are left
 * out.
 */
export const read = (bytes: Uint8Array, encrypted: boolean): ReadonlyArray<Bookmark> => {
  if (encrypted) return []
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.includes("/Outlines", 0, "latin1") && !file.includes("/ObjStm", 0, "latin1")) return []
  const objects = new Objects(file)
  const found: Array<Bookmark> = []
  const seen = new Set<number>()
  const visit = (first: number | undefined, depth: number): void => {
    let number = first
    while (number !== undefined && !seen.has(number) && found.length < mostBookmarks) {
      seen.add(number)
      const item = objects.text(number)
      const indirect = reference(item, "Title")
      const title =
        indirect === undefined
          ? PdfText.entry(item, "Title")
          : PdfText.entry(`/Title ${objects.text(indirect).trim()}`, "Title")
      if (title !== undefined) found.push({ title, depth })
      if (depth < deepest) visit(reference(item, "First"), depth + 1)
      number = reference(item, "Next")
    }
  }
  visit(reference(rootOf(file, objects), "First"), 1)
  return found
}
