/** Quotations: the forms in which a quote and the text that it is from are compared. */

/** Numbers, signs and raised letters whose compatibility form says something else: `½`, `10²`, `10⁻³`, `①`, `™`. */
const kept =
  /[^\p{No}\p{So}ªº\u02B0-\u02B8\u02E0-\u02E4\u1D2C-\u1D6A\u1D78\u1D9B-\u1DBF\u2071\u207A-\u207F\u208A-\u209C]+/gu

/** Soft hyphens, blanks without width, and marks of the writing direction. */
const invisible = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu

const marks: ReadonlyArray<readonly [RegExp, string]> = [
  [/[“”„‟«»‹›″〝〞〟]/gu, '"'],
  [/[‘’‚‛′´`]/gu, "'"],
  [/[‐‑‒–—―−]/gu, "-"]
]

/** Scripts without blanks between words, where the end of a line is no blank either. */
const unspaced =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}]"
const unspacedEnd = new RegExp(`(?<=${unspaced})[^\\S\\n]*\\n\\s*(?=${unspaced})`, "gu")

/** A hyphen at the end of a line within a word. */
const hyphened = /(?<=\p{L})-[^\S\n]*\n\s*(?=(\p{L}))/gu

const isLower = (letter: string): boolean => /\p{Ll}/u.test(letter)

/** The text with its characters evened out; line ends stay. */
const evened = (text: string): string =>
  marks
    .reduce((before, [pattern, mark]) => before.replaceAll(pattern, mark), text.replaceAll(/\r\n?/gu, "\n"))
    .normalize("NFC")
    .replaceAll(kept, (part) => part.normalize("NFKC"))
    .replaceAll(invisible, "")

const inOneLine = (text: string): string => text.replaceAll(unspacedEnd, "").replaceAll(/\s+/gu, " ").trim()

/**
 * The text as it is compared: in one line, with single blanks, plain quotation marks, apostrophes and hyphens, without ligatures, invisible
 * characters and wide forms. A hyphen at the end of a line is taken out before a small letter. Numbers, names, negations, signs and
 * capital letters stay as they are.
 */
export const normalised = (text: string): string =>
  inOneLine(evened(text).replaceAll(hyphened, (_, next: string) => (isLower(next) ? "" : "-")))

/** As {@link normalised}, with the hyphens at the ends of lines: `well-known` may have been broken at its own. */
const withHyphens = (text: string): string => inOneLine(evened(text).replaceAll(hyphened, "-"))

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" }

const markup: ReadonlyArray<readonly [RegExp, string]> = [
  // The row between a table's head and its body; then the bars of its cells.
  [/^[^\S\n]*\|?(?:[^\S\n]*:?-+:?[^\S\n]*\|)+(?:[^\S\n]*:?-+:?)?[^\S\n]*$/gmu, ""],
  [/(?<!\\)\|/gu, " "],
  [/<br\s*\/?>/giu, " "],
  [/<!--[\s\S]*?-->|<\/?[a-z][^<>]*>/giu, ""],
  [/(?<!\\)!?\[([^[\]]*)\]\((?:[^()\s]|\\[()])*(?:\s+"[^"]*")?\)/gu, "$1"],
  [/^(?:[^\S\n]{0,3}>[^\S\n]?)*[^\S\n]*(?:#{1,6}[^\S\n]+|[-*+][^\S\n]+)?/gmu, ""],
  // Between two letters or digits, as in `5*3`, they stay.
  [/(?<![\\\p{L}\p{N}])(?:[*_]+|~~)(?=\S)|(?<=[^\s\\])(?:[*_]+|~~)(?![\p{L}\p{N}])/gu, ""],
  [/(?<!\\)`+/gu, ""],
  [/\\([!-/:-@[-`{-~])/gu, "$1"]
]

/** The words of Markdown without its markup. */
const unmarked = (markdown: string): string =>
  markup
    .reduce((before, [pattern, words]) => before.replaceAll(pattern, words), markdown)
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/gu, (_, name: string) => named[name] ?? "")

/** Every form in which a text may agree with a quote: as it is, and as Markdown without its markup. */
export const readings = (text: string): ReadonlyArray<string> => {
  const words = unmarked(text)
  return [...new Set([normalised(text), withHyphens(text), normalised(words), withHyphens(words)])]
}

/** True if one of the readings of a text has the quote. An empty quote stands nowhere. */
export const holds = (text: ReadonlyArray<string>, quote: string): boolean =>
  readings(quote).some((words) => words !== "" && text.some((reading) => reading.includes(words)))
