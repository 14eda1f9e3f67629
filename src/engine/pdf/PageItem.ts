/**
 * Lean form of a page: only the data of the text layer that layout needs.
 *
 * A document is read in batches of pages; only this form of each page is kept, some 200 bytes per text item.
 */
import type * as Box from "./Box.ts"
import * as Characters from "./Characters.ts"
import type { Tag } from "./lines/StructureTags.ts"
import type * as PageTurn from "./PageTurn.ts"

/** A word of an item, with the address of its link annotation. */
export interface Word {
  readonly text: string
  readonly box: Box.Box
  readonly link: string | undefined
}

/** A piece of text in one font on one line, from the text layer. */
export interface Item {
  readonly text: string
  readonly box: Box.Box
  /** Height of the font in points. */
  readonly size: number
  /** Name of the font without the prefix of its subset. */
  readonly font: string
  /** Colour of the text as the engine writes it: `aarrggbb`; empty when unknown. */
  readonly color: string
  readonly bold: boolean
  readonly italic: boolean
  readonly math: boolean
  readonly mono: boolean
  /** Id of its marked content; undefined in an untagged document. */
  readonly mcid: number | undefined
  /** Present only if the item has to be split: under a link, in a table, in right-to-left text. */
  readonly words: ReadonlyArray<Word> | undefined
}

/** The words of an item as items; the item itself where they are not known. */
export const wordItems = (item: Item): ReadonlyArray<Item> => {
  const words = item.words ?? []
  if (words.length < 2) return [item]
  return words.map((word): Item => Object.assign({}, item, { text: word.text, box: word.box, words: [word] }))
}

/** A table proposed by the engine: rows of cells in reading order. */
export interface TableCandidate {
  readonly box: Box.Box
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A horizontal or vertical stroke. */
export interface Rule {
  readonly horizontal: boolean
  /** y of a horizontal rule, x of a vertical one. */
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Text that does not have the direction of the page. */
export interface Sideways {
  /** Undefined for oblique text. */
  readonly turn: PageTurn.Turn | undefined
  /** Items in the frame in which they are upright; oblique ones as shown. */
  readonly items: ReadonlyArray<Item>
}

/** One page, small enough to be kept for the passes over the whole document. */
export interface PageItems {
  /** 1-based physical page. */
  readonly pageNumber: number
  /** Size in points of the upright frame, in which all boxes below are given. */
  readonly width: number
  readonly height: number
  /** Turn of the text relative to the page as shown. */
  readonly turn: PageTurn.Turn
  readonly items: ReadonlyArray<Item>
  /** Text that is turned relative to the rest of the page. */
  readonly sideways: ReadonlyArray<Sideways>
  readonly tables: ReadonlyArray<TableCandidate>
  readonly figures: ReadonlyArray<Box.Box>
  /** Boxes that the engine considers headings. */
  readonly headings: ReadonlyArray<Box.Box>
  /** Tags by marked content id, from the structure tree. */
  readonly tagged: ReadonlyMap<number, Tag>
  readonly rules: ReadonlyArray<Rule>
  /** True if the page shows something but has no readable text layer. */
  readonly unreadable: boolean
  /** Words that were recognised in the page's picture, of which the items consist; undefined when the items are of the text layer. */
  readonly recognised?: ReadonlyArray<Recognised> | undefined
}

/** A word that was recognised in a picture. */
export interface Recognised {
  readonly text: string
  readonly box: Box.Box
  /** 0 to 1. */
  readonly confidence: number
}

const boldName = /bold|black|heavy|semibold|demi|-bd\b|cmbx|sfbx|\bmedi\b/i
const italicName = /ital|obli|slanted|kursiv|cmti|cmsl|sfti|sfsl|cmmi|-it\b/i
const mathName = /cmmi|cmsy|cmex|msam|msbm|math|mtextra|eufm|rsfs|symbol/i
const monoName = /mono|nimbusmon|courier|consol|cmtt|sftt|lmtt|ectt|txtt|pxtt|typewriter|menlo|inconsolata|lucidacon/i

/** Traits of a font by its name and weight. */
export const fontTraits = (
  name: string,
  weight: number | undefined
): Pick<Item, "bold" | "italic" | "math" | "mono"> => ({
  bold: (weight ?? 0) >= 600 || boldName.test(name),
  italic: italicName.test(name),
  math: mathName.test(name),
  mono: monoName.test(name)
})

const symbolName = /wingding|dingbat|webding/i

/** Wingdings characters by the low byte of their codes; missing ones are bullets. */
const wingdings: Readonly<Record<number, string>> = {
  0x6f: "☐",
  0x71: "☐",
  0xa8: "☐",
  0xfb: "✗",
  0xfc: "✓",
  0xfd: "☒",
  0xfe: "☑",
  0xe0: "→",
  0xe8: "→",
  0xf0: "→"
}

/**
 * Unicode text of an item in letters with their accents; single characters that are still codes of a symbol font become check marks,
 * arrows and bullets.
 */
export const readable = (text: string, font: string): string => {
  const symbol = text.trim()
  // The hollow bullet of Word is a letter of Courier.
  if (symbol === "o" && /^courier ?new/i.test(font.replace(/^[A-Z]{6}\+/, ""))) return "◦"
  const code = symbol.charCodeAt(0)
  const coded = code >= 0xf020 && code <= 0xf0ff && !/symbol/i.test(font)
  if (
    symbol.length !== 1 ||
    !(coded || (symbolName.test(font) && (code <= 0xff || (code >= 0xe000 && code <= 0xf8ff))))
  ) {
    return Characters.withAccents(Characters.plain(text), !monoName.test(font))
  }
  return wingdings[code & 0xff] ?? "•"
}

const rtlLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g

/** True if more than 40 % of the characters other than white space are right-to-left. */
export const isRightToLeft = (text: string): boolean => {
  const hits = text.match(rtlLetters)
  return hits !== null && hits.length > text.replace(/\s/g, "").length * 0.4
}

/** Median; 0 for an empty list. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[sorted.length >> 1] ?? 0
}
