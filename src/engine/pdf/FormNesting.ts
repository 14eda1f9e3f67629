/**
 * Bounds the forms of a PDF that draw each other: a few bytes can request more drawings than any time allows, by a form that draws itself
 * twice, or by a tower of forms each of which draws the next one twice. PDFium limits the depth, not the number.
 *
 * Source: ISO 32000-1, 8.10 (form XObjects) and 7.5 (file structure). Forms are streams, so their dictionaries are not compressed; forms
 * that are encrypted or under a filter other than Flate are not examined.
 */
import * as Tally from "../Tally.ts"
import * as FileText from "./FileText.ts"
import { inflated, PdfObjects } from "./PdfObjects.ts"

/** Most drawings that a form may cause, those of all forms below it included; a form with more is left out. */
const mostDrawings = 100_000

/** Nesting depth at which PDFium stops. */
const deepest = 40

/** Bounds of the scan: dictionaries are small, and only forms that contain forms are examined. */
const longestDictionary = 65_536
const mostForms = 100_000
const mostInflated = 67_108_864

interface Form {
  /** Offset of `/Form` in the file. */
  readonly mark: number
  /** Number of drawings of each form that it draws, by object number. */
  readonly draws: ReadonlyMap<number, number>
}

const subtype = /\/Subtype\s*\/Form(?![\w#])/

const references = /\/([^\s/<>[\]()%{}]+)\s+(\d{1,9})\s+\d{1,5}\s+R/g

/** The nested dictionary that begins at the first `<<` from an offset on. */
const nested = (text: string, from: number): string => {
  let depth = 0
  const marks = /<<|>>/g
  marks.lastIndex = from
  let start = -1
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    depth += mark[0] === "<<" ? 1 : -1
    start = start < 0 ? mark.index : start
    if (depth <= 0) {
      return text.slice(start, mark.index + 2)
    }
  }
  return start < 0 ? "" : text.slice(start)
}

class File {
  readonly places: ReadonlyMap<number, number>
  private readonly file: FileText.FileText
  private readonly objects: PdfObjects
  private inflated = 0

  constructor(file: FileText.FileText) {
    this.file = file
    this.objects = new PdfObjects(file.bytes, Number.POSITIVE_INFINITY)
    this.places = this.objects.standing()
  }

  /** The dictionary of an object, without its stream. */
  dictionary(number: number): string {
    const text = this.objects.standingText(number) ?? ""
    const stream = /\bstream\r?\n/.exec(text)?.index
    return stream === undefined ? text : text.slice(0, stream)
  }

  /** Value of a key: the dictionary itself, or the one that it refers to. */
  under(dictionary: string, key: string): string {
    const found = new RegExp(`/${key}(?![\\w#])\\s*(?:(\\d{1,9})\\s+\\d{1,5}\\s+R|<<)`).exec(dictionary)
    if (found === null) {
      return ""
    }
    return found[1] === undefined ? nested(dictionary, found.index) : this.dictionary(Number(found[1]))
  }

  /** The operators of a form; empty when they cannot be read. */
  content(number: number, dictionary: string): string {
    const at = this.places.get(number) ?? 0
    const head = this.file.text(at, at + longestDictionary)
    const start = /\bstream\r?\n/.exec(head)
    const begin = start === null ? -1 : at + start.index + start[0].length
    const end = begin < 0 ? -1 : this.file.indexOf("endstream", begin)
    if (end < 0 || this.inflated > mostInflated) {
      return ""
    }
    const text = /\/Filter(?![\w#])/.test(dictionary)
      ? inflated(this.file.bytes.subarray(begin, end), mostInflated - this.inflated)
      : this.file.text(begin, end)
    this.inflated += text.length
    return text
  }
}

const drawing = /\/([^\s/<>[\]()%{}]+)\s+Do(?![\w])/g

/** Number of times that the operators draw each name. */
const drawings = (content: string): ReadonlyMap<string, number> =>
  Tally.of(Array.from(content.matchAll(drawing), ([, name = ""]) => name))

/** Forms by object number. A form without resources uses those of the forms that draw it: any name that leads to a form counts. */
const formsOf = (file: File): ReadonlyMap<number, Form> => {
  const dictionaries = new Map<number, string>()
  for (const number of file.places.keys()) {
    const dictionary = file.dictionary(number)
    if (subtype.test(dictionary) && dictionaries.size < mostForms) {
      dictionaries.set(number, dictionary)
    }
  }
  const inherited = new Map<string, number>()
  const named = (resources: string): ReadonlyMap<string, number> => {
    const names = new Map<string, number>()
    for (const [, name = "", number] of file.under(resources, "XObject").matchAll(references)) {
      if (dictionaries.has(Number(number))) {
        names.set(name, Number(number))
      }
    }
    return names
  }
  if (dictionaries.size > 0) {
    for (const number of file.places.keys()) {
      const dictionary = dictionaries.has(number) ? "" : file.dictionary(number)
      if (dictionary.includes("/XObject")) {
        const resources = dictionary.includes("/Resources") ? file.under(dictionary, "Resources") : dictionary
        named(resources).forEach((form, name) => inherited.set(name, form))
      }
    }
  }
  const forms = new Map<number, Form>()
  for (const [number, dictionary] of dictionaries) {
    const own = dictionary.includes("/Resources") ? named(file.under(dictionary, "Resources")) : inherited
    const draws = new Map<number, number>()
    if (own.size > 0) {
      for (const [name, count] of drawings(file.content(number, dictionary))) {
        const form = own.get(name)
        if (form !== undefined) {
          Tally.add(draws, form, count)
        }
      }
    }
    const place = file.places.get(number) ?? 0
    const mark = subtype.exec(dictionary)
    forms.set(number, { mark: place + (mark?.index ?? 0) + (mark?.[0].lastIndexOf("/") ?? 0), draws })
  }
  return forms
}

/** Number of drawings of each form, itself included, to PDFium's depth, capped at twice the limit. */
const sizes = (forms: ReadonlyMap<number, Form>): ReadonlyMap<number, number> => {
  let known = new Map<number, number>(Array.from(forms.keys(), (number) => [number, 1]))
  for (let depth = 0; depth < deepest; depth++) {
    const next = new Map<number, number>()
    let changed = false
    for (const [number, { draws }] of forms) {
      let sum = 1
      for (const [form, count] of draws) {
        sum = Math.min(2 * mostDrawings, sum + count * (known.get(form) ?? 0))
      }
      changed ||= sum !== known.get(number)
      next.set(number, sum)
    }
    known = next
    if (!changed) {
      break
    }
  }
  return known
}

/** A document, with the number of forms that were left out. */
export interface Bounded {
  readonly bytes: Uint8Array
  readonly left: number
}

/**
 * The document without the forms that cause more than 100,000 drawings: their type is replaced by an unknown one of the same length, so
 * that nothing else in the file moves. The same bytes when there are none. Never throws.
 */
export const bound = (bytes: Uint8Array): Bounded => {
  const file = FileText.of(bytes)
  if (file.indexOf("/Form") < 0) {
    return { bytes, left: 0 }
  }
  const forms = formsOf(new File(file))
  const endless = Array.from(sizes(forms)).flatMap(([number, size]) => (size > mostDrawings ? [number] : []))
  if (endless.length === 0) {
    return { bytes, left: 0 }
  }
  const copy = bytes.slice()
  for (const number of endless) {
    copy.set(FileText.bytesOf("/None"), forms.get(number)?.mark ?? 0)
  }
  return { bytes: copy, left: endless.length }
}
