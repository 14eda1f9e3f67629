/**
 * An update appended to a PDF file: objects that replace others, or are new.
 *
 * Source: ISO 32000-1, 7.5.4 (cross-reference table), 7.5.6 (incremental updates), 7.5.8 (cross-reference streams).
 */
import * as FileText from "./FileText.ts"
import type { PdfObjects } from "./PdfObjects.ts"

/** A stream that is not packed. */
export const stream = (data: string): Uint8Array =>
  FileText.bytesOf(`<< /Length ${data.length} >>\nstream\n${data}\nendstream`)

/** Bytes of a trailer in which its entries are looked for. */
const longestTrailer = 4096

interface Section {
  /** Offset of the file's last cross-reference section. */
  readonly at: number
  readonly trailer: string
  /** True for a cross-reference stream. */
  readonly packed: boolean
}

/** The last cross-reference section; undefined when it is not where the file says: then the file has to be searched for its objects. */
const sectionOf = (file: FileText.FileText): Section | undefined => {
  const { length } = file.bytes
  const found = Array.from(file.text(Math.max(0, length - 2048), length).matchAll(/startxref\s+(\d{1,10})/g))
  const at = Number(found.at(-1)?.[1] ?? "-1")
  if (at < 0 || at >= length) return undefined
  const packed = /^\s*\d+\s+\d+\s+obj\b/.test(file.text(at, at + 40))
  if (!packed && !/^\s*xref\b/.test(file.text(at, at + 20))) return undefined
  const begin = packed ? at : file.indexOf("trailer", at)
  return begin < 0 ? undefined : { at, packed, trailer: file.text(begin, begin + longestTrailer) }
}

/** Collects objects and appends them. */
export class PdfUpdate {
  private readonly bytes: Uint8Array
  private readonly objects = new Map<number, Uint8Array>()
  private readonly source: PdfObjects
  private readonly section: Section | undefined
  private next: number | undefined

  constructor(bytes: Uint8Array, source: PdfObjects) {
    this.bytes = bytes
    this.source = source
    this.section = sectionOf(FileText.of(bytes))
  }

  has(number: number): boolean {
    return this.objects.has(number)
  }

  /** Gives a number to a new object. */
  add(object: Uint8Array): number {
    const number = (this.next ??= this.firstFree())
    this.next = number + 1
    this.objects.set(number, object)
    return number
  }

  /** Replaces the object of a number. */
  put(number: number, object: Uint8Array): void {
    this.objects.set(number, object)
  }

  private firstFree(): number {
    const size = Number(/\/Size\s+(\d{1,9})/.exec(this.section?.trailer ?? "")?.[1] ?? "0")
    return Math.max(size, this.source.highest() + 1)
  }

  /** The bytes of the file with the update; the file itself when nothing changed. */
  applied(): Uint8Array {
    if (this.objects.size === 0) return this.bytes
    const parts = [this.bytes, FileText.bytesOf("\n")]
    let length = this.bytes.length + 1
    const places = new Map<number, number>()
    const append = (text: string | Uint8Array): void => {
      const part = typeof text === "string" ? FileText.bytesOf(text) : text
      parts.push(part)
      length += part.length
    }
    for (const [number, object] of this.objects) {
      places.set(number, length)
      append(`${number} 0 obj\n`)
      append(object)
      append("\nendobj\n")
    }
    // Without a section that can be found the engine searches the file for objects, of which the last ones count.
    if (this.section !== undefined) append(this.references(this.section, places, length))
    return FileText.joined(parts)
  }

  private references(section: Section, places: ReadonlyMap<number, number>, at: number): Uint8Array {
    const entry = (key: string): string => new RegExp(`/${key}\\s+\\d+\\s+\\d+\\s+R`).exec(section.trailer)?.[0] ?? ""
    const shared = (size: number): string => `/Size ${size} /Prev ${section.at} ${entry("Root")} ${entry("Info")}`
    const size = Math.max(this.firstFree(), ...places.keys(), 0) + 1
    const end = `\nstartxref\n${at}\n%%EOF\n`
    const sorted = Array.from(places).toSorted(([left], [right]) => left - right)
    if (!section.packed) {
      const lines = sorted.map(([number, place]) => `${number} 1\n${String(place).padStart(10, "0")} 00000 n \n`)
      return FileText.bytesOf(`xref\n${lines.join("")}trailer\n<< ${shared(size)} >>${end}`)
    }
    const rows = [...sorted, [size, at] as const]
    const data = new Uint8Array(rows.length * 6)
    const view = new DataView(data.buffer)
    for (const [row, [, place]] of rows.entries()) {
      data[row * 6] = 1
      view.setUint32(row * 6 + 1, place)
    }
    const index = rows.map(([number]) => `${number} 1`).join(" ")
    return FileText.joined([
      FileText.bytesOf(
        `${size} 0 obj\n<< /Type /XRef ${shared(size + 1)} /W [1 4 1] /Index [${index}] /Length ${data.length} >>\nstream\n`
      ),
      data,
      FileText.bytesOf(`\nendstream\nendobj${end}`)
    ])
  }
}
