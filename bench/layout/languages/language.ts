/** What a language gives to a document: words, the shapes of its sentences, and its fixed terms. */
export type Script =
  | "latin"
  | "cyrillic"
  | "greek"
  | "arabic"
  | "hebrew"
  | "devanagari"
  | "thai"
  | "han"
  | "kana"
  | "hangul"

export interface Terms {
  readonly figure: string
  readonly table: string
  readonly contents: string
  readonly chapter: string
  readonly abstract: string
  readonly notes: string
  readonly page: string
  readonly total: string
  readonly date: string
  readonly number: string
  readonly name: string
  readonly amount: string
  readonly address: string
  readonly greeting: string
  readonly closing: string
  readonly invoice: string
  readonly references: string
}

export interface Language {
  /** BCP 47. */
  readonly code: string
  readonly script: Script
  readonly rtl: boolean
  /** What stands between two words. */
  readonly space: "" | " "
  /** What stands between two sentences, if not `space`. */
  readonly sentenceSpace?: " "
  /** True for lines that run from top to bottom, the first at the right. */
  readonly vertical?: true
  readonly nouns: ReadonlyArray<string>
  readonly verbs: ReadonlyArray<string>
  readonly adjectives: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  /** Sentences with slots: `n` noun, `v` verb, `a` adjective, `N` name, `0` number, each in braces. */
  readonly sentences: ReadonlyArray<string>
  readonly headings: ReadonlyArray<string>
  readonly terms: Terms
}

/** The code, with `-vertical` after it where lines are vertical. */
export const nameOf = ({ code, vertical }: Language): string => (vertical === true ? `${code}-vertical` : code)

/** Words separated by white space. */
export const list = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

/** Lines of a text, without the white space at their ends. */
export const lines = (text: string): ReadonlyArray<string> =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const termNames = [
  "figure",
  "table",
  "contents",
  "chapter",
  "abstract",
  "notes",
  "page",
  "total",
  "date",
  "number",
  "name",
  "amount",
  "address",
  "greeting",
  "closing",
  "invoice",
  "references"
] as const

/** Terms in the order of {@link Terms}, separated by vertical bars. */
export const terms = (text: string): Terms => {
  const parts = text.split("|").map((part) => part.trim())
  const at = (name: (typeof termNames)[number]): string => {
    const part = parts[termNames.indexOf(name)]
    if (part === undefined) throw new Error(`no term for ${name} in ${text}`)
    return part
  }
  return {
    figure: at("figure"),
    table: at("table"),
    contents: at("contents"),
    chapter: at("chapter"),
    abstract: at("abstract"),
    notes: at("notes"),
    page: at("page"),
    total: at("total"),
    date: at("date"),
    number: at("number"),
    name: at("name"),
    amount: at("amount"),
    address: at("address"),
    greeting: at("greeting"),
    closing: at("closing"),
    invoice: at("invoice"),
    references: at("references")
  }
}
