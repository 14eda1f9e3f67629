/**
 * Texts of spans, which a producer gives for glyphs that do not stand for their letters one by one: Arabic forms, Devanagari syllables, Thai
 * letters with their marks. The engine puts such a text into the place of the span's first glyph, so that it sees gaps within words, and
 * leaves it out of its order of right-to-left letters. It reads the file with an update in which the glyphs are set in copies of their
 * fonts, whose codes stand for parts of the text.
 *
 * Source: ISO 32000-1, 9.4 (text objects), 9.7.4 (CIDFonts), 9.10.3 (ToUnicode), 14.9.4 (replacement text).
 */
import * as FileText from "./FileText.ts"
import { type PdfObjects, reference } from "./PdfObjects.ts"
import * as PdfUpdate from "./PdfUpdate.ts"

/** Entries of a ToUnicode table for Hebrew, Arabic, the scripts of India and South-East Asia, and Arabic forms. */
const shaped = /<(?:0[5-9a-f][0-9a-f]|1[07-9a-c][0-9a-f]|fb[1-9a-f]|f[cd][0-9a-f]|fe[7-9a-f])[0-9a-f]>/i

const rightToLeft = /[\u0590-\u08ff]/

/** Bytes of a table and of a page's operators that are unpacked. */
const longest = 16_777_216

const operators =
  /\/(\w+)\s+(-?[\d.]+)\s+Tf\b|<((?:[0-9A-Fa-f]{4})+)>\s*Tj\b|\/Span\s*<<\s*\/ActualText\s*<FEFF((?:[0-9A-F]{4})+)>\s*>>\s*BDC\b|\bEMC\b|\b(?:BMC|BDC|TJ)\b|[)]\s*Tj\b/g

/** Glyphs that are set at once. */
interface Show {
  readonly at: number
  readonly end: number
  readonly font: string
  readonly size: string
  /** Four hexadecimal digits each. */
  readonly codes: ReadonlyArray<string>
}

interface Span {
  readonly at: number
  readonly end: number
  readonly text: string
  readonly shows: Array<Show>
}

/** The characters of a text that is written in hexadecimal digits, two or four each. */
const textOf = (digits: string, each: RegExp): string =>
  (digits.match(each) ?? []).map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join("")

/** Spans with a text that hold nothing but glyphs. */
const spansOf = (page: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let font = ""
  let size = ""
  let open: Span | undefined
  for (const match of page.matchAll(operators)) {
    const [found, name, height = "", codes, text] = match
    const end = match.index + found.length
    if (name !== undefined) {
      font = name
      size = height
    } else if (codes !== undefined) {
      open?.shows.push({ at: match.index, end, font, size, codes: codes.match(/.{4}/g) ?? [] })
    } else if (text !== undefined) {
      open = { at: match.index, end, text: textOf(text, /.{4}/g), shows: [] }
    } else {
      if (found === "EMC" && open !== undefined && open.shows.length > 0) spans.push(open)
      open = undefined
    }
  }
  return spans
}

const hex = (value: number): string => value.toString(16).padStart(4, "0")

interface Code {
  /** Four hexadecimal digits. */
  readonly code: string
  readonly glyph: string
  readonly text: string
}

/** The widths of codes in a descendant font, in thousandths of its size. */
const widthsOf = (descendant: string): ReadonlyMap<number, number> => {
  const widths = new Map<number, number>()
  const array = /\/W\s*\[((?:[^[\]]|\[[^\]]*\])*)\]/.exec(descendant)?.[1] ?? ""
  for (const [, first, list, last, width] of array.matchAll(/(\d+)\s*(?:\[([^\]]*)\]|\s(\d+)\s+(-?[\d.]+))/g)) {
    const low = Number(first)
    if (list !== undefined)
      list
        .trim()
        .split(/\s+/)
        .forEach((own, at) => widths.set(low + at, Number(own)))
    else for (let code = low; code <= Math.min(Number(last), low + 0xffff); code++) widths.set(code, Number(width))
  }
  return widths
}

/** A copy of a font whose codes are given as they are needed. */
class FontCopy {
  readonly number: number
  private readonly codes = new Map<string, Code>()
  private readonly update: PdfUpdate.PdfUpdate
  private readonly font: string
  private readonly descendant: string
  private readonly widths: ReadonlyMap<number, number>
  private readonly otherWidth: number

  constructor(update: PdfUpdate.PdfUpdate, font: string, descendant: string) {
    this.update = update
    this.font = font
    this.descendant = descendant
    this.widths = widthsOf(descendant)
    this.otherWidth = Number(/\/DW\s+(\d+)/.exec(descendant)?.[1] ?? "1000")
    this.number = update.add(FileText.bytesOf("null"))
  }

  width(glyph: string): number {
    return this.widths.get(Number.parseInt(glyph, 16)) ?? this.otherWidth
  }

  /** The code of a glyph that stands for a text. */
  code(glyph: string, text: string): string {
    const key = `${glyph}${text}`
    const known = this.codes.get(key)
    if (known !== undefined) return known.code
    const code = hex(this.codes.size + 1)
    this.codes.set(key, { code, glyph, text })
    return code
  }

  write(): void {
    const codes = Array.from(this.codes.values())
    const entries = codes.map(
      ({ code, text }) =>
        `<${code}> <${Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join("")}>`
    )
    const table = this.update.add(
      PdfUpdate.stream(
        `/CIDInit /ProcSet findresource begin begincmap\n${entries.length} beginbfchar\n${entries.join("\n")}\nendbfchar\nendcmap end\n`
      )
    )
    const glyphs = textOf(`0000${codes.map(({ glyph }) => glyph).join("")}`, /../g)
    const map = this.update.add(PdfUpdate.stream(glyphs))
    const widths = codes.map(({ glyph }) => this.width(glyph)).join(" ")
    const own = this.descendant
      .replace(/\/CIDToGIDMap\s*\/Identity/, "")
      .replace(/\/W\s*\[(?:[^[\]]|\[[^\]]*\])*\]/, "")
      .replace(/>>$/, ` /CIDToGIDMap ${map} 0 R /W [1 [${widths}]] >>`)
    const descendant = this.update.add(FileText.bytesOf(own))
    const whole = this.font
      .replace(/\/DescendantFonts\s*\[[^\]]*\]/, `/DescendantFonts [${descendant} 0 R]`)
      .replace(/\/ToUnicode\s+\d+\s+\d+\s+R/, `/ToUnicode ${table} 0 R`)
    this.update.put(this.number, FileText.bytesOf(whole))
  }
}

/** A glyph that keeps its place, with its part of its span's text. */
interface Part {
  readonly show: Show
  readonly glyph: string
  readonly text: string
}

/** The text by its glyphs in the order in which they are seen; marks, which take no space, have their letter's part. */
const partsOf = ({ shows, text }: Span, fontOf: (show: Show) => FontCopy | undefined): ReadonlyArray<Part> => {
  const glyphs = shows.flatMap((show) => {
    const glyph = show.codes.find((code) => (fontOf(show)?.width(code) ?? 0) > 0)
    return glyph === undefined ? [] : [{ show, glyph }]
  })
  const [first] = shows
  const holders = glyphs.length > 0 || first === undefined ? glyphs : [{ show: first, glyph: first.codes[0] ?? "" }]
  const letters = Array.from(text)
  const seen = rightToLeft.test(text) ? letters.toReversed() : letters
  const most = Math.max(1, seen.length - holders.length + 1)
  return holders.flatMap(({ glyph, show }, at) => {
    const part = at === 0 ? seen.slice(0, most).join("") : seen[most + at - 1]
    return part === undefined ? [] : [{ show, glyph, text: part }]
  })
}

/** The dictionary of an object's text. */
const dictionary = (text: string): string => text.slice(text.indexOf("<<"), text.lastIndexOf(">>") + 2)

/** Fonts whose codes are glyphs, with shaped letters, by number: the font and its descendant. */
const fontsOf = (objects: PdfObjects): ReadonlyMap<number, readonly [string, string]> => {
  const fonts = new Map<number, readonly [string, string]>()
  for (const [number, font] of objects.holding("DescendantFonts")) {
    const table = reference(font, "ToUnicode")
    const descendant = objects.text(Number(/\/DescendantFonts\s*\[\s*(\d+)/.exec(font)?.[1] ?? "-1"))
    if (
      table !== undefined &&
      /\/Encoding\s*\/Identity-H\b/.test(font) &&
      /\/CIDToGIDMap\s*\/Identity\b/.test(descendant) &&
      shaped.test(objects.stream(table, longest))
    )
      fonts.set(number, [dictionary(font), dictionary(descendant)])
  }
  return fonts
}

/** Adds to the update the pages that have such spans. */
export const mark = (update: PdfUpdate.PdfUpdate, objects: PdfObjects): void => {
  const fonts = fontsOf(objects)
  if (fonts.size === 0) return
  const copies = new Map<number, FontCopy>()
  const copyOf = (number: number, [font, descendant]: readonly [string, string]): FontCopy => {
    const copy = copies.get(number) ?? new FontCopy(update, font, descendant)
    copies.set(number, copy)
    return copy
  }
  for (const [number, object] of objects.holding("Contents")) {
    const contents = reference(object, "Contents")
    const names = /\/Font\s*<<([^<>]*)>>/.exec(object)?.[1]
    if (contents === undefined || names === undefined || update.has(contents)) continue
    const numbers = new Map(
      Array.from(names.matchAll(/\/(\w+)\s+(\d+)\s+\d+\s+R/g), ([, name = "", font]) => [name, Number(font)])
    )
    const page = objects.stream(contents, longest)
    if (page.length >= longest) continue
    const added = new Map<string, number>()
    let result = ""
    let from = 0
    const put = (at: number, end: number, text: string): void => {
      result += page.slice(from, at) + text
      from = end
    }
    const fontOf = ({ font }: Show): FontCopy | undefined => {
      const number = numbers.get(font) ?? -1
      const own = fonts.get(number)
      return own === undefined ? undefined : copyOf(number, own)
    }
    for (const span of spansOf(page)) {
      if (span.shows.some((show) => fontOf(show) === undefined)) continue
      const parts = partsOf(span, fontOf)
      put(span.at, span.end, "/Span BMC")
      for (const show of span.shows) {
        const part = parts.find((each) => each.show === show)
        const copy = fontOf(show)
        if (part === undefined || copy === undefined) put(show.at, show.end, "")
        else {
          const name = `${show.font}SpanTexts`
          added.set(name, copy.number)
          const code = copy.code(part.glyph, part.text)
          put(show.at, show.end, `/${name} ${show.size} Tf <${code}> Tj /${show.font} ${show.size} Tf`)
        }
      }
    }
    if (added.size === 0) continue
    const all = Array.from(added, ([name, font]) => ` /${name} ${font} 0 R`).join("")
    update.put(contents, PdfUpdate.stream(result + page.slice(from)))
    update.put(number, FileText.bytesOf(dictionary(object).replace(/\/Font\s*<<[^<>]*/, (found) => found + all)))
  }
  for (const copy of copies.values()) copy.write()
}
