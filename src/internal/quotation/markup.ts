/** The words of Markdown without its markup, for documents and for quotes. */

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" }

type Rule = readonly [pattern: RegExp, words: string]

/** Elements whose tags are no words; `<not>` is one. */
const elements =
  "a|abbr|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|" +
  "kbd|li|mark|ol|p|pre|q|s|samp|section|small|span|strike|strong|summary|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var"

/** The row between a table's head and its body. */
const rule: Rule = [/^[^\S\n]*(?:\|[^\S\n]*)?(?::?-+:?[^\S\n]*\|[^\S\n]*)+(?::?-+:?[^\S\n]*)?$/gmu, ""]

const common: ReadonlyArray<Rule> = [
  [/(?<!\\)<br\s*\/?>/giu, " "],
  // A power is another number than its digits.
  [/(?<!\\)<sup>([^<>]*)<\/sup>/giu, "^{$1}"],
  [/(?<!\\)<sub>([^<>]*)<\/sub>/giu, "_{$1}"],
  [new RegExp(`(?<!\\\\)</?(?:${elements})(?:\\s[^<>]*)?/?>`, "giu"), ""],
  [/(?<!\\)!?\[([^[\]]*)\]\((?:[^()\s]|\\[()])*(?:\s+"[^"]*")?\)/gu, "$1"],
  // Between two letters or digits, as in `5*3`, they stay.
  [/(?<![\\\p{L}\p{N}])(?:[*_]+|~~)(?=\S)|(?<=[^\s\\])(?:[*_]+|~~)(?![\p{L}\p{N}{])/gu, ""],
  [/(?<!\\)`+/gu, ""],
  [/\\([!-/:-@[-`{-~])/gu, "$1"]
]

/** Before a digit, `>` and `+` may be signs of a text that is no Markdown. */
const ofDocuments: ReadonlyArray<Rule> = [
  // The description of a figure is a model's, no words of the document.
  [/!\[(?:[^[\]\\]|\\.)*\]\(figure:description\)/gu, ""],
  rule,
  [/(?<!\\)\|/gu, " "],
  [/(?<!\\)<!--[\s\S]{0,2000}?-->/gu, ""],
  [/^(?:[^\S\n]{0,3}>[^\S\n]?(?!\s*\d))*[^\S\n]*(?:#{1,6}[^\S\n]+|(?:[-*]|\+(?!\s*\d))[^\S\n]+)?/gmu, ""],
  ...common
]

/** In a quote anything that may be a sign of the document stays: `|x|`, `- 5 °C`. */
const ofQuotes: ReadonlyArray<Rule> = [
  rule,
  [/(?<=^|\s)\|(?=\s|$)/gmu, " "],
  [/<!--\s*page\s+\d+\s*-->/giu, ""],
  [/^(?:[^\S\n]{0,3}>[^\S\n]?(?!\s*\d))*[^\S\n]*(?:#{1,6}[^\S\n]+|[-*+](?!\s*\d)[^\S\n]+)?/gmu, ""],
  ...common
]

const without = (rules: ReadonlyArray<Rule>, markdown: string): string =>
  rules
    .reduce((before, [pattern, words]) => before.replaceAll(pattern, words), markdown)
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/gu, (_, name: string) => named[name] ?? "")

/** The words of a document's Markdown. */
export const ofDocument = (markdown: string): string => without(ofDocuments, markdown)

/** The words of a quote that may have been copied with its markup. */
export const ofQuote = (markdown: string): string => without(ofQuotes, markdown)
