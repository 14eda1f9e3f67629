/** HTML built from constants and escaped text, so that nothing in a document or its name can become markup. */

/** Source of well-formed HTML. */
export class Html {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Values of a template: text is escaped, numbers are written out, HTML is inserted unchanged, lists are joined. */
export type Value = string | number | Html | ReadonlyArray<Html>

/**
 * Characters with a meaning in HTML, and characters that a reader would not see or would see in another order: controls but tab and line
 * feed, bidirectional controls, invisible characters, tag characters, lone surrogates, noncharacters.
 */
const special =
  /[&<>"'\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[^\P{Cc}\t\n]|\p{Cs}|\p{Noncharacter_Code_Point}|[\u{e0000}-\u{e007f}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const abbreviations: Readonly<Record<number, string>> = {
  0x7f: "\u2421",
  0xad: "SHY",
  0x61c: "ALM",
  0x200b: "ZWSP",
  0x200e: "LRM",
  0x200f: "RLM",
  0x2028: "LSEP",
  0x2029: "PSEP",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2060: "WJ",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0xfeff: "BOM"
}

const hexadecimal = (codePoint: number): string => codePoint.toString(16).toUpperCase().padStart(4, "0")

/** Unicode has pictures for the C0 controls. */
const label = (codePoint: number): string =>
  codePoint < 0x20 ? String.fromCodePoint(0x2400 + codePoint) : (abbreviations[codePoint] ?? hexadecimal(codePoint))

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

const inText = (character: string): string => {
  const entity = entities[character]
  if (entity !== undefined) return entity
  const codePoint = codePointOf(character)
  const hex = hexadecimal(codePoint)
  return `<span class="sign" data-u="${hex}" title="U+${hex}">${label(codePoint)}</span>`
}

/** Text with a sign in place of each invisible character; `data-u` of the sign is the code point, hexadecimal. */
export const shown = (text: string): Html => new Html(text.replace(special, inText))

const inAttribute = (character: string): string => entities[character] ?? `[${label(codePointOf(character))}]`

const written = (value: Value): string =>
  typeof value === "number"
    ? String(value)
    : typeof value === "string"
      ? value.replace(special, inAttribute)
      : value instanceof Html
        ? value.source
        : value.map(({ source }) => source).join("")

const constants = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

/** The constant parts of a template without the program's indentation. */
const constantsOf = (strings: TemplateStringsArray): ReadonlyArray<string> => {
  const known = constants.get(strings)
  if (known !== undefined) return known
  const parts = strings.map((part) => part.replace(/\s*\n\s*/g, "\n"))
  constants.set(strings, parts)
  return parts
}

/** Template tag whose values are safe as text and within a quoted attribute. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(constantsOf(strings).reduce((all, part, index) => all + written(values[index - 1] ?? "") + part))

/** Empty HTML. */
export const nothing = new Html("")

/** A number in groups of three digits. */
export const grouped = (number: number): string => number.toLocaleString("en-US")

/** A number with its noun. */
export const counted = (number: number, noun: string, nouns: string = `${noun}s`): string =>
  `${grouped(number)} ${number === 1 ? noun : nouns}`
