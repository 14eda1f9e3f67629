/**
 * Objects of a PDF file by number, without a parser: those that stand in the file, and those packed into object streams.
 *
 * Source: ISO 32000-1, 7.3.10 (indirect objects) and 7.5.7 (object streams). Of several definitions the last one counts, as updates are
 * appended.
 */
import { Unzlib } from "fflate"
import * as FileText from "./FileText.ts"

/** Bounds of the scan: a damaged or hostile file must not take long. */
const longestObject = 65_536
const mostObjects = 2_000_000
const mostStreams = 4000
const mostInflated = 67_108_864

/** Bytes that are unpacked in one step without Node: each may become a thousand. */
const step = 65_536

/** Inflated data, at most `most` bytes, without Node. Throws. */
export const inflatedParts = (data: Uint8Array, most: number): Uint8Array => {
  const parts: Array<Uint8Array> = []
  let length = 0
  const stream = new Unzlib((part) => {
    length += part.length
    if (length > most) throw new RangeError("longer than allowed")
    parts.push(part)
  })
  for (let at = 0; at < data.length; at += step) stream.push(data.subarray(at, at + step))
  return FileText.joined(parts)
}

/** Node's own way is several times as fast; browsers and workers do not have it. */
const zlib = globalThis.process?.getBuiltinModule?.("node:zlib")

const inflatedBytes = (data: Uint8Array, most: number): Uint8Array =>
  zlib === undefined
    ? inflatedParts(data, most)
    : // The end of the data is estimated: missing or extra bytes must not matter.
      zlib.inflateSync(data, { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, most) })

/** Inflated data as Latin-1, at most `most` bytes; empty when it cannot be read. */
export const inflated = (data: Uint8Array, most: number): string => {
  try {
    return FileText.of(inflatedBytes(data, most)).text(0, most)
  } catch {
    return ""
  }
}

/** Offsets of the contents of the objects that stand in the file, by number. */
const placesOf = (file: FileText.FileText, most: number): ReadonlyMap<number, number> => {
  const places = new Map<number, number>()
  let at = file.indexOf(" obj")
  for (let count = 0; at >= 0 && count < most; count++) {
    const match = /(?:^|\D)(\d{1,9})\s+\d{1,5}$/.exec(file.text(Math.max(0, at - 20), at))
    if (match !== null) places.set(Number(match[1]), at + 4)
    at = file.indexOf(" obj", at + 4)
  }
  return places
}

/** The number of a key of a dictionary; 0 without one. */
export const integer = (dictionary: string, key: string): number =>
  Number(new RegExp(`/${key}\\s+(\\d{1,9})(?!\\s+\\d+\\s+R)`).exec(dictionary)?.[1] ?? "0")

/** The object that a key of a dictionary refers to. */
export const reference = (dictionary: string, key: string): number | undefined => {
  const match = new RegExp(`/${key}\\s+(\\d{1,9})\\s+\\d{1,5}\\s+R`).exec(dictionary)
  return match === null ? undefined : Number(match[1])
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** Texts of the objects of a file, which is indexed when the first one is asked for. */
export class PdfObjects {
  private readonly file: FileText.FileText
  private places: ReadonlyMap<number, number> | undefined
  private packed: ReadonlyMap<number, string> | undefined
  private readonly most: number
  private left = mostInflated

  /** Indexes the first `most` objects that stand in the file. */
  constructor(bytes: Uint8Array, most = mostObjects) {
    this.most = most
    this.file = FileText.of(bytes)
  }

  /** True if the bytes of a mark occur in the file. */
  includes(mark: string): boolean {
    return this.file.indexOf(mark) >= 0
  }

  /**
   * The objects that the first `most` occurrences of a key refer to, from the end of the file on.
   * @yields {number} the next object
   */
  *references(key: string, most: number): Generator<number, undefined> {
    let at = this.file.lastIndexOf(`/${key}`)
    for (let tries = 0; at >= 0 && tries < most; tries++) {
      const number = reference(this.file.text(at, at + 64), key)
      if (number !== undefined) yield number
      at = at === 0 ? -1 : this.file.lastIndexOf(`/${key}`, at - 1)
    }
    return undefined
  }

  /** The text from the last of the marks that occurs, the first one in their order; empty without any. */
  textFrom(marks: ReadonlyArray<string>, longest: number): string {
    const start = marks.map((mark) => this.file.lastIndexOf(mark)).find((at) => at >= 0)
    return start === undefined ? "" : utf8.decode(this.file.bytes.subarray(start, start + longest))
  }

  /** From the end of the file on: the catalog and the information dictionary mostly stand there. */
  private unpacked(): ReadonlyMap<number, string> {
    const { file } = this
    const packed = new Map<number, string>()
    let left = mostInflated
    let mark = file.lastIndexOf("/ObjStm")
    for (let count = 0; mark >= 0 && count < mostStreams && left >= 0; count++) {
      const start = file.lastIndexOf("obj", mark)
      const begin = file.indexOf("stream", mark)
      const end = begin < 0 ? -1 : file.indexOf("endstream", begin)
      if (start >= 0 && end >= 0 && begin - start <= longestObject) {
        const skip = file.bytes[begin + 6] === 13 ? 8 : 7
        const body = inflated(file.bytes.subarray(begin + skip, end), left)
        left -= body.length
        const first = integer(file.text(start, begin), "First")
        const table = body.slice(0, first).trim().split(/\s+/).map(Number)
        for (let at = 0; at + 1 < table.length; at += 2) {
          const number = table[at] ?? -1
          const from = first + (table[at + 1] ?? 0)
          const next = table[at + 3]
          if (!packed.has(number))
            packed.set(number, body.slice(from, next === undefined ? from + longestObject : first + next))
        }
      }
      mark = mark === 0 ? -1 : file.lastIndexOf("/ObjStm", mark - 1)
    }
    return packed
  }

  /** Offsets of the objects that stand in the file, by number. */
  standing(): ReadonlyMap<number, number> {
    return (this.places ??= placesOf(this.file, this.most))
  }

  /** The text of an object that stands in the file; undefined when none of that number does. */
  standingText(number: number): string | undefined {
    const at = this.standing().get(number)
    if (at === undefined) return undefined
    const object = FileText.of(this.file.bytes.subarray(at, at + longestObject))
    const end = object.indexOf("endobj")
    return object.text(0, end < 0 ? object.bytes.length : end)
  }

  /** Highest number of an object; 0 without any. */
  highest(): number {
    let highest = 0
    for (const numbers of [this.standing(), this.unpackedOnce()])
      for (const number of numbers.keys()) highest = Math.max(highest, number)
    return highest
  }

  /**
   * The objects that hold a key, with their texts; of those that stand in the file and were replaced, the last.
   * @yields {[number, string]} the next object
   */
  *holding(key: string): Generator<readonly [number, string], undefined> {
    const mark = `/${key}`
    const places = Array.from(this.standing(), ([number, at]) => ({ number, at })).toSorted(
      (one, other) => one.at - other.at
    )
    let next = 0
    let taken = 0
    for (let at = this.file.indexOf(mark); at >= 0; at = this.file.indexOf(mark, at + 1)) {
      while ((places[next]?.at ?? Number.POSITIVE_INFINITY) <= at) next++
      const place = places[next - 1]
      if (place === undefined || next === taken || at - place.at > longestObject) continue
      taken = next
      const text = this.standingText(place.number) ?? ""
      if (text.includes(mark)) yield [place.number, text]
    }
    for (const [number, text] of this.unpackedOnce()) {
      if (!this.standing().has(number) && text.includes(mark)) yield [number, text]
    }
    return undefined
  }

  /**
   * The unpacked data of a stream as Latin-1, at most `most` bytes; empty when it is packed in another way than `FlateDecode`, and when too
   * much of the file was unpacked.
   */
  stream(number: number, most: number): string {
    const data = this.left > 0 ? this.unpackedStream(number, Math.min(most, this.left)) : ""
    this.left -= data.length
    return data
  }

  private unpackedStream(number: number, most: number): string {
    const at = this.standing().get(number)
    const head = this.standingText(number)?.split(/\bstream\r?\n/, 1)[0] ?? ""
    if (at === undefined) return ""
    const begin = this.file.indexOf("stream", at + head.length)
    const start = begin + (this.file.bytes[begin + 6] === 13 ? 8 : 7)
    const end = this.file.indexOf("endstream", start)
    if (begin < 0 || end < 0) return ""
    if (!/\/Filter\b/.test(head)) return this.file.text(start, Math.min(end, start + most))
    const filters = head.match(/\/\w+Decode\b/g) ?? []
    if (filters.length !== 1 || filters[0] !== "/FlateDecode") return ""
    const data = inflated(this.file.bytes.subarray(start, end), most)
    // A stream that is longer than allowed was unpacked up to there.
    if (data === "") this.left -= most
    return data
  }

  private unpackedOnce(): ReadonlyMap<number, string> {
    return (this.packed ??= this.unpacked())
  }

  /** The text of an object; empty when the file has none of that number. */
  text(number: number | undefined): string {
    if (number === undefined) return ""
    return this.standingText(number) ?? this.unpackedOnce().get(number) ?? ""
  }
}

/** The objects of a file; none of an encrypted one, whose strings cannot be read. */
export const objectsOf = (bytes: Uint8Array, encrypted: boolean): PdfObjects =>
  new PdfObjects(encrypted ? new Uint8Array() : bytes)
