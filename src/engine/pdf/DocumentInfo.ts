/** Metadata in a PDF file: its information dictionary, its language, its XMP packet. The engine does not return them. */
import { Buffer } from "node:buffer"
import { constants, inflateSync } from "node:zlib"
import * as PdfText from "./PdfText.ts"

export interface DocumentInfo {
  readonly title?: string
  readonly author?: string
  /** Value of the `Subject` entry. */
  readonly description?: string
  readonly keywords?: string
  /** Language tag, for example `en-US`. */
  readonly language?: string
  readonly creator?: string
  readonly producer?: string
  /** ISO 8601. */
  readonly creationDate?: string
  /** ISO 8601. */
  readonly modificationDate?: string
}

/** Bounds of the scan: dictionaries are small, and few streams are searched. */
const longestObject = 65_536
const mostStreams = 400
const mostInflated = 33_554_432

/** Last reference under a key, as object number and generation. */
const reference = (file: Buffer, key: string): readonly [number, number] | undefined => {
  let at = file.lastIndexOf(`/${key}`, undefined, "latin1")
  for (let tries = 0; at >= 0 && tries < 64; tries++) {
    const match = /^\/\w+\s+(\d{1,9})\s+(\d{1,5})\s+R/.exec(file.toString("latin1", at, at + 64))
    if (match !== null) return [Number(match[1]), Number(match[2])]
    at = at === 0 ? -1 : file.lastIndexOf(`/${key}`, at - 1, "latin1")
  }
  return undefined
}

/** An uncompressed object of the file; the last definition wins, as updates are appended. */
const plainObject = (file: Buffer, [number, generation]: readonly [number, number]): string | undefined => {
  const mark = `${number} ${generation} obj`
  let at = file.lastIndexOf(mark, undefined, "latin1")
  while (at > 0 && /\d/.test(String.fromCharCode(file[at - 1] ?? 0))) at = file.lastIndexOf(mark, at - 1, "latin1")
  if (at < 0) return undefined
  const text = file.toString("latin1", at + mark.length, at + mark.length + longestObject)
  const end = text.indexOf("endobj")
  return end < 0 ? text : text.slice(0, end)
}

const inflate = (data: Uint8Array): string => {
  try {
    // The end of the data is estimated: missing or extra bytes must not matter.
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostInflated }
    return inflateSync(data, options).toString("latin1")
  } catch {
    return ""
  }
}

const integer = (dictionary: string, key: string): number =>
  Number(new RegExp(`/${key}\\s+(\\d+)`).exec(dictionary)?.[1] ?? "0")

/** An object of the object stream whose text is `body`. */
const member = (body: string, dictionary: string, wanted: number): string | undefined => {
  const first = integer(dictionary, "First")
  const table = body.slice(0, first).trim().split(/\s+/).map(Number)
  for (let at = 0; at + 1 < table.length; at += 2) {
    if (table[at] !== wanted) continue
    const start = first + (table[at + 1] ?? 0)
    const next = table[at + 3]
    return body.slice(start, next === undefined ? start + longestObject : first + next)
  }
  return undefined
}

/** An object of a compressed object stream; the last definition wins. */
const packedObject = (file: Buffer, [number]: readonly [number, number]): string | undefined => {
  let inflated = 0
  let at = file.lastIndexOf("/ObjStm", undefined, "latin1")
  for (let tries = 0; at >= 0 && tries < mostStreams && inflated < mostInflated; tries++) {
    const start = file.lastIndexOf("obj", at, "latin1")
    const begin = file.indexOf("stream", at, "latin1")
    const end = begin < 0 ? -1 : file.indexOf("endstream", begin, "latin1")
    if (start >= 0 && end > 0) {
      const dictionary = file.toString("latin1", start, begin)
      const skip = file[begin + 6] === 13 ? 8 : 7
      const body = inflate(file.subarray(begin + skip, end))
      inflated += body.length
      const found = member(body, dictionary, number)
      if (found !== undefined) return found
    }
    at = at === 0 ? -1 : file.lastIndexOf("/ObjStm", at - 1, "latin1")
  }
  return undefined
}

const object = (file: Buffer, key: string): string => {
  const found = reference(file, key)
  return found === undefined ? "" : (plainObject(file, found) ?? packedObject(file, found) ?? "")
}

/** Converts `D:20240131120000+01'00'` to ISO 8601; undefined when it is not a date. */
const isoDate = (text: string | undefined): string | undefined => {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(text ?? "")
  if (match === null) return undefined
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, zone, part = "00"] = match
  const offset = sign === undefined || zone === undefined ? "Z" : `${sign}${zone}:${part}`
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`
  return Number.isNaN(Date.parse(date)) ? undefined : date
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** Longest part of an XMP packet that is searched. */
const longestPacket = 262_144

/** Starts of a packet, the outermost first; what wraps it is optional. */
const packetStarts = ["<x:xmpmeta", "<rdf:RDF", "<dc:title"]

/** The uncompressed XMP packet of the file; the last one, as updates are appended. */
const xmpPacket = (file: Buffer): string => {
  const start = packetStarts.map((mark) => file.lastIndexOf(mark, undefined, "latin1")).find((at) => at >= 0)
  return start === undefined ? "" : file.toString("utf8", start, start + longestPacket)
}

const unescaped = (text: string): string =>
  text.replace(/&(\w+);/g, (found, name: string) => entities[name] ?? found).trim()

/** Values of a property: its list items, its text, or its attribute. */
const xmp = (packet: string, property: string): string | undefined => {
  const start = packet.indexOf(`<${property}`)
  const end = start < 0 ? -1 : packet.indexOf(`</${property}>`, start)
  const content = end < 0 ? "" : packet.slice(packet.indexOf(">", start) + 1, end)
  const items = Array.from(content.matchAll(/<rdf:li[^>]*>([^<]*)</g), ([, item = ""]) => unescaped(item))
  const own = content.includes("<") ? "" : unescaped(content)
  const attribute = new RegExp(`\\s${property}\\s*=\\s*["']([^"']*)["']`).exec(packet)?.[1] ?? ""
  return items.filter((item) => item !== "").join(", ") || own || unescaped(attribute) || undefined
}

/** Reads the available metadata; never throws. The strings of an encrypted file cannot be read and are left out. */
export const read = (bytes: Uint8Array, encrypted: boolean): DocumentInfo => {
  if (encrypted) return {}
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const info = object(file, "Info")
  const catalog = object(file, "Root")
  const packet = xmpPacket(file)
  const found = {
    title: PdfText.entry(info, "Title") ?? xmp(packet, "dc:title"),
    author: PdfText.entry(info, "Author") ?? xmp(packet, "dc:creator"),
    description: PdfText.entry(info, "Subject") ?? xmp(packet, "dc:description"),
    keywords: PdfText.entry(info, "Keywords") ?? xmp(packet, "pdf:Keywords") ?? xmp(packet, "dc:subject"),
    language: PdfText.entry(catalog, "Lang") ?? xmp(packet, "dc:language"),
    creator: PdfText.entry(info, "Creator") ?? xmp(packet, "xmp:CreatorTool"),
    producer: PdfText.entry(info, "Producer") ?? xmp(packet, "pdf:Producer"),
    creationDate: isoDate(PdfText.entry(info, "CreationDate")) ?? xmp(packet, "xmp:CreateDate"),
    modificationDate: isoDate(PdfText.entry(info, "ModDate")) ?? xmp(packet, "xmp:ModifyDate")
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
