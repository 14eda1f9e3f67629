/**
 * Typographic quotation marks and dashes, which the engine gives as `"`, `'` and `-`.
 *
 * It does so once it has looked up what the codes of a font stand for. So it reads the file with an update in which the code of such a sign
 * stands for a code point without a character, which it leaves alone. In the same tables lam and alef of one glyph become one character.
 *
 * Source: ISO 32000-1, 9.6.6 (encodings of simple fonts), 9.10.3 (ToUnicode), annex D.2 (Latin encodings).
 */
import * as FileText from "./FileText.ts"
import { type PdfObjects, reference } from "./PdfObjects.ts"
import * as PdfUpdate from "./PdfUpdate.ts"

/** Signs by the names of their glyphs. */
const signsByName: ReadonlyMap<string, string> = new Map([
  ["quoteleft", "‘"],
  ["quoteright", "’"],
  ["quotesinglbase", "‚"],
  ["quotereversed", "‛"],
  ["quotedblleft", "“"],
  ["quotedblright", "”"],
  ["quotedblbase", "„"],
  ["figuredash", "‒"],
  ["endash", "–"],
  ["emdash", "—"],
  ["afii00208", "―"]
])

const signs = Array.from(signsByName.values())

/** Stands for the first of the signs, and the next ones for the others: no characters of Unicode 16.0, in a block of punctuation. */
const firstStandIn = 0x2e60

const standIns = /[\u2e60-\u2e6a]/g

const ascii = (sign: string): string => ("‒–—―".includes(sign) ? "-" : "“”„".includes(sign) ? '"' : "'")

/** A text of the engine with its signs; those of ASCII in a font of one width, in which code is set. */
export const restored = (text: string, mono: boolean): string =>
  text.replace(standIns, (found) => {
    const sign = signs[found.charCodeAt(0) - firstStandIn] ?? found
    return mono ? ascii(sign) : sign
  })

/** Signs by their codes. */
type Codes = ReadonlyMap<number, string>

/** The signs of a text, the codes of which count up from `first`; a space is a code of another character. */
const from = (first: number, text: string): ReadonlyArray<readonly [number, string]> =>
  Array.from(text, (sign, at) => [first + at, sign] as const).filter(([, sign]) => sign !== " ")

const standard: Codes = new Map(
  [from(0x27, "’"), from(0x60, "‘"), from(0xaa, "“"), from(0xb1, "–"), from(0xb8, "‚„”"), from(0xd0, "—")].flat()
)

const encodings: ReadonlyMap<string, Codes> = new Map([
  ["StandardEncoding", standard],
  ["WinAnsiEncoding", new Map(from(0x82, "‚ „            ‘’“” –—"))],
  ["MacRomanEncoding", new Map([...from(0xd0, "–—“”‘’"), ...from(0xe2, "‚„")])]
])

const none: Codes = new Map()

const signOfGlyph = (name: string): string | undefined => {
  const code = /^uni(20[0-9A-F]{2})$/i.exec(name)?.[1]
  const sign = code === undefined ? signsByName.get(name) : String.fromCharCode(Number.parseInt(code, 16))
  return sign !== undefined && signs.includes(sign) ? sign : undefined
}

/** Changes codes as an array of `/Differences` says: a number is the code of the next name. */
const withDifferences = (base: Codes, differences: string): Codes => {
  const codes = new Map(base)
  let code = 0
  for (const [token] of differences.matchAll(/\d+|\/[^\s/[\]]+/g)) {
    if (!token.startsWith("/")) {
      code = Number(token)
      continue
    }
    const sign = signOfGlyph(token.slice(1))
    if (sign === undefined) codes.delete(code)
    else codes.set(code, sign)
    code++
  }
  return codes
}

/** Bytes of a font program of Type 1 that are unpacked: its encoding stands in its clear text, which comes first. */
const longestClearText = 32_768

/** Codes of the program of a Type 1 font. */
const builtIn = (objects: PdfObjects, program: number | undefined): Codes => {
  const text = program === undefined ? "" : objects.stream(program, longestClearText)
  if (/\/Encoding\s+StandardEncoding\b/.test(text)) return standard
  const names = Array.from(text.matchAll(/\bdup\s+(\d{1,3})\s*\/(\S+)\s+put\b/g))
  return new Map(
    names.flatMap(([, code, name = ""]) => {
      const sign = signOfGlyph(name)
      return sign === undefined ? [] : [[Number(code), sign]]
    })
  )
}

const symbolNames = /symbol|dingbat/i

/** Bit of a font's flags that says that it has the characters of a standard Latin alphabet. */
const nonSymbolic = 32

/** Codes of an encoding of Unicode. */
const unicode: Codes = new Map(signs.map((sign) => [sign.charCodeAt(0), sign]))

/** The signs of a font without a table of its own, by its encoding, and the number of hexadecimal digits of its codes. */
const codesOf = (font: string, objects: PdfObjects): readonly [number, Codes] => {
  if (/\/Encoding\s*\/Uni\w+-(?:UCS2|UTF16)-/.test(font)) return [4, unicode]
  return [2, /\/Subtype\s*\/(?:(?:MM)?Type1|TrueType)\b/.test(font) ? simpleCodes(font, objects) : none]
}

const simpleCodes = (font: string, objects: PdfObjects): Codes => {
  if (symbolNames.test(/\/BaseFont\s*\/(\S+)/.exec(font)?.[1] ?? "")) return none
  const encoding = reference(font, "Encoding") === undefined ? font : objects.text(reference(font, "Encoding"))
  const name = /\/((?:Standard|WinAnsi|MacRoman)Encoding)\b/.exec(encoding)?.[1]
  const differences = /\/Differences\s*\[([^\]]*)\]/.exec(encoding)?.[1]
  const descriptor = objects.text(reference(font, "FontDescriptor"))
  const embedded = /\/FontFile[23]?\b/.test(descriptor)
  const type1 = /\/Subtype\s*\/(?:MM)?Type1\b/.test(font)
  const flags = Number(/\/Flags\s+(\d+)/.exec(descriptor)?.[1] ?? "0")
  const isStandard =
    differences === undefined ? type1 && (!embedded || (flags & nonSymbolic) !== 0) : !embedded || !type1
  const unnamed = isStandard ? standard : builtIn(objects, reference(descriptor, "FontFile"))
  const base = name === undefined ? unnamed : (encodings.get(name) ?? none)
  return differences === undefined ? base : withDifferences(base, differences)
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0")

const standInOf = (sign: string): string => hex(firstStandIn + signs.indexOf(sign), 4)

const codeOf = (sign: string): number => sign.charCodeAt(0)

/** What one code, or codes that count up, stand for: UTF-16 in hexadecimal digits, of the first one. */
interface Entry {
  readonly low: number
  readonly high: number
  readonly digits: number
  readonly value: string
}

/** Most entries of a table. */
const mostEntries = 70_000

/** The entries of a table; undefined for one that names another. */
const entriesOf = (table: string): ReadonlyArray<Entry> | undefined => {
  if (/\busecmap\b/.test(table)) return undefined
  const entries: Array<Entry> = []
  for (const [, kind, section = ""] of table.matchAll(/\bbeginbf(char|range)\b([^]*?)\bendbf/g)) {
    const pattern = kind === "char" ? /<([^>]*)>()\s*<([^>]*)>/g : /<([^>]*)>\s*<([^>]*)>\s*(?:<([^>]*)>|\[([^\]]*)\])/g
    for (const [, first = "", last, value, list] of section.matchAll(pattern)) {
      const low = Number.parseInt(first, 16)
      const digits = first.length
      if (value !== undefined) entries.push({ low, high: last ? Number.parseInt(last, 16) : low, digits, value })
      else
        for (const [at, [, each = ""]] of Array.from((list ?? "").matchAll(/<([^>]*)>/g)).entries())
          entries.push({ low: low + at, high: low + at, digits, value: each })
      if (entries.length > mostEntries) return undefined
    }
  }
  return entries
}

/** Arabic letters of one glyph, which the engine would turn round with their line, and their form of one character. */
const lamAlef: ReadonlyMap<string, string> = new Map([
  ["06440622", "fef5"],
  ["06440623", "fef7"],
  ["06440625", "fef9"],
  ["06440627", "fefb"]
])

/** The entry in parts, with stand-ins for its signs. */
const divided = (entry: Entry): ReadonlyArray<Entry> => {
  const { digits, high, low, value } = entry
  const form = low === high ? lamAlef.get(value) : undefined
  if (form !== undefined) return [{ low, high, digits, value: form }]
  if (value.length !== 4) return [entry]
  const first = Number.parseInt(value, 16)
  const parts: Array<Entry> = []
  let begin = low
  for (const sign of signs.toSorted()) {
    const code = low + codeOf(sign) - first
    if (code < begin || code > high) continue
    if (code > begin) parts.push({ low: begin, high: code - 1, digits, value: hex(first + begin - low, 4) })
    parts.push({ low: code, high: code, digits, value: standInOf(sign) })
    begin = code + 1
  }
  if (begin === low) return [entry]
  return begin > high ? parts : [...parts, { low: begin, high, digits, value: hex(first + begin - low, 4) }]
}

const written = (entries: ReadonlyArray<Entry>): Uint8Array => {
  const lines = entries.map(({ digits, high, low, value }) => `<${hex(low, digits)}> <${hex(high, digits)}> <${value}>`)
  return PdfUpdate.stream(
    `/CIDInit /ProcSet findresource begin begincmap\n${lines.length} beginbfrange\n${lines.join("\n")}\nendbfrange\nendcmap end\n`
  )
}

/** The table with stand-ins for signs; undefined when it has none. */
const withStandIns = (table: string): Uint8Array | undefined => {
  const entries = entriesOf(table)
  const marked = entries?.flatMap(divided)
  return marked === undefined || marked.every((entry, at) => entry === entries?.[at]) ? undefined : written(marked)
}

/** Bytes of a table that are unpacked. */
const longestTable = 2_097_152

/** Most fonts that are looked at: a file that is made to take long may name hundreds of thousands. */
const mostFonts = 10_000

/** Adds to the update the tables of fonts with stand-ins for their signs. */
export const mark = (update: PdfUpdate.PdfUpdate, objects: PdfObjects): void => {
  let fonts = 0
  for (const [number, font] of objects.holding("BaseFont")) {
    if (++fonts > mostFonts) return
    const table = reference(font, "ToUnicode")
    if (table !== undefined) {
      const stream = update.has(table) ? undefined : withStandIns(objects.stream(table, longestTable))
      if (stream !== undefined) update.put(table, stream)
    } else {
      const [digits, codes] = codesOf(font, objects)
      const end = font.lastIndexOf(">>")
      if (codes.size === 0 || end < 0) continue
      const entries = Array.from(codes, ([code, sign]) => ({ low: code, high: code, digits, value: standInOf(sign) }))
      const own = `${font.slice(font.indexOf("<<"), end)} /ToUnicode ${update.add(written(entries))} 0 R >>`
      update.put(number, FileText.bytesOf(own))
    }
  }
}
