/**
 * The lean form of a page: what layout needs of the text layer, and nothing else.
 *
 * A document is read in batches of pages; of each page only this is kept, some 200 bytes a text item.
 *
 * @since 0.1.0
 */
import type * as Box from "./Box.ts"
import type * as PageTurn from "./PageTurn.ts"

/**
 * A word inside of an item, with the address of the link annotation it lies under.
 *
 * @since 0.1.0
 * @category models
 */
export interface Word {
  readonly text: string
  readonly box: Box.Box
  readonly link: string | undefined
}

/**
 * A piece of text of one font on one line, as the text layer gives it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Item {
  readonly text: string
  readonly box: Box.Box
  /** Height of the font in points. */
  readonly size: number
  readonly bold: boolean
  readonly math: boolean
  readonly mono: boolean
  /** The marked content it belongs to; undefined in an untagged document. */
  readonly mcid: number | undefined
  /** Only where an item has to be taken apart: under a link, in a table, in right-to-left text. */
  readonly words: ReadonlyArray<Word> | undefined
}

/**
 * A table as the engine proposes it: rows of cells in reading order.
 *
 * @since 0.1.0
 * @category models
 */
export interface TableCandidate {
  readonly box: Box.Box
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/**
 * A horizontal or vertical stroke.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rule {
  readonly horizontal: boolean
  /** y of a horizontal rule, x of a vertical one. */
  readonly at: number
  readonly from: number
  readonly to: number
}

/**
 * Text of a direction of its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sideways {
  /** Undefined for oblique text. */
  readonly turn: PageTurn.Turn | undefined
  /** In the frame in which they stand upright; oblique ones as shown. */
  readonly items: ReadonlyArray<Item>
}

/**
 * One page, light enough to be kept for the passes over the whole document.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageItems {
  /** 1-based physical page. */
  readonly pageNumber: number
  /** Size in points of the upright frame, in which everything below is given. */
  readonly width: number
  readonly height: number
  /** How the text of this page is turned against the page as shown. */
  readonly turn: PageTurn.Turn
  readonly items: ReadonlyArray<Item>
  /** Text that is turned against the rest of the page. */
  readonly sideways: ReadonlyArray<Sideways>
  readonly tables: ReadonlyArray<TableCandidate>
  readonly figures: ReadonlyArray<Box.Box>
  /** What the engine takes for a heading. */
  readonly headings: ReadonlyArray<Box.Box>
  /** Heading levels by marked content id, from the structure tree. */
  readonly tagged: ReadonlyMap<number, number>
  readonly rules: ReadonlyArray<Rule>
  /** The page shows something, but has no text layer that can be read. */
  readonly unreadable: boolean
}

const boldName = /bold|black|heavy|semibold|demi|-bd\b|cmbx|sfbx|\bmedi\b/i
const mathName = /cmmi|cmsy|cmex|msam|msbm|math|mtextra|eufm|rsfs|symbol/i
const monoName = /mono|courier|consol|cmtt|sftt|typewriter|menlo|inconsolata|lucidacon/i

/**
 * What the name and weight of a font say.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fontTraits = (
  name: string,
  weight: number | undefined
): { readonly bold: boolean; readonly math: boolean; readonly mono: boolean } => ({
  bold: (weight ?? 0) >= 600 || boldName.test(name),
  math: mathName.test(name),
  mono: monoName.test(name)
})

const symbolName = /wingding|dingbat|webding/i

/** Wingdings by the low byte of their codes; what is not here is a bullet of some shape. */
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
 * The text of an item as Unicode has it: single characters of a symbol font that were left as codes of that font become
 * check marks, arrows and bullets.
 *
 * @since 0.1.0
 * @category conversions
 */
export const readable = (text: string, font: string): string => {
  const symbol = text.trim()
  const code = symbol.charCodeAt(0)
  if (symbol.length !== 1 || !symbolName.test(font) || (code > 0xff && (code < 0xe000 || code > 0xf8ff))) return text
  return wingdings[code & 0xff] ?? "•"
}

const rtlLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g

/**
 * Whether more than 40 % of what is not white space is written from right to left.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isRightToLeft = (text: string): boolean => {
  const hits = text.match(rtlLetters)
  return hits !== null && hits.length > text.replace(/\s/g, "").length * 0.4
}

/**
 * The middle value; 0 of none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[sorted.length >> 1] ?? 0
}
