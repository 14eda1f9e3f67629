/** Metadata in a PDF file: its information dictionary, its language, its XMP packet. The engine does not return them. */
import type { PdfObjects } from "./PdfObjects.ts"
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

/** Most places of a key that are looked at for a reference. */
const mostTries = 64

/** The object that the last reference under a key leads to. */
const object = (objects: PdfObjects, key: string): string => {
  const [last] = objects.references(key, mostTries)
  return objects.text(last)
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

/** Reads the available metadata; never throws. */
export const read = (objects: PdfObjects): DocumentInfo => {
  const info = object(objects, "Info")
  const catalog = object(objects, "Root")
  // The last packet: updates are appended.
  const packet = objects.textFrom(packetStarts, longestPacket)
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
