/**
 * Logical order of right-to-left text. The text layer has the words of a line, and the letters, numbers and signs of a word, in the order
 * in which they are seen from the left; only sequences of right-to-left letters are in logical order.
 */

const rtlRange = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc"
const digits = "0-9\\u0660-\\u0669\\u06f0-\\u06f9"
/** Signs of the right-to-left scripts without a direction: comma, percent, separators of numbers. */
const signs = "\\u060c\\u066a-\\u066c"

const parts = new RegExp(
  `(?:(?![${signs}${digits}])[${rtlRange}])+|[${digits}]+(?:[.,:/\\u066b\\u066c][${digits}]+)*|[\\p{L}\\p{M}]+|\\s+|[^]`,
  "gu"
)
const rtlLetter = new RegExp(`(?![${signs}${digits}])[${rtlRange}]`)
const latin = /\p{L}/u

/** True for a word that keeps its order within a right-to-left line: Latin letters, and no letters of a right-to-left script. */
const keepsOrder = (word: string): boolean => latin.test(word) && !rtlLetter.test(word)

/** True for a word that is read from left to right: it has letters or digits, none of a right-to-left script. */
export const isLeftToRight = (word: string): boolean => !rtlLetter.test(word) && /[\p{L}\p{N}]/u.test(word)

/**
 * Lam and alef of one glyph, which the text layer has in the wrong order, where no word is written so: two alefs in a row, a lone article,
 * and the article after a lam.
 */
const swapped: ReadonlyArray<readonly [RegExp, string]> = [
  [/\u0627([\u0622\u0623\u0625\u0627])\u0644/g, "\u0627\u0644$1"],
  [/^([\u0648\u0641]?)\u0644\u0627\u0644(?=\p{L})/gu, "$1\u0644\u0644\u0627"],
  [/^([\u0648\u0641]?)\u0627\u0644$/g, "$1\u0644\u0627"]
]

/** A word of a right-to-left line in logical order. */
export const word = (text: string): string => {
  if (keepsOrder(text)) return text
  const ordered = (text.match(parts) ?? []).toReversed()
  return ordered.map((part) => swapped.reduce((fixed, [wrong, right]) => fixed.replace(wrong, right), part)).join("")
}

const pairs = ["()", "[]", "{}", "«»"]

const sideOf = (before: string, after: string): 0 | 1 | undefined => {
  const tight = (char: string) => /[\p{L}\p{N}]/u.test(char)
  if (tight(after) && !tight(before)) return 0
  return tight(before) && !tight(after) ? 1 : undefined
}

/** Brackets of one kind in the direction of the text: those of an even number alternate, others are as their neighbours say. */
const bracketed = (text: string, pair: string): string => {
  const at = Array.from(text.matchAll(new RegExp(`[${pair.replace(/[[\]]/g, "\\$&")}]`, "g")), ({ index }) => index)
  if (at.length === 0) return text
  const even = at.length % 2 === 0
  let result = ""
  let from = 0
  for (const [order, index] of at.entries()) {
    const side = even ? order % 2 : sideOf(text.charAt(index - 1), text.charAt(index + 1))
    result += text.slice(from, index) + (side === undefined ? text.charAt(index) : pair.charAt(side))
    from = index + 1
  }
  return result + text.slice(from)
}

/** A line in logical order with its brackets in the direction of the text, without spaces on their inner sides. Idempotent. */
export const line = (text: string): string =>
  pairs
    .reduce(bracketed, text)
    .replace(/([^\s([{«])([([{«])/gu, "$1 $2")
    .replace(/([([{«])\s+/g, "$1")
    .replace(/\s+([)\]}»])/g, "$1")
    .replace(/([)\]}»])(?=[\p{L}\p{N}])/gu, "$1 ")
    .replace(/\s+([\u060c\u061b\u061f:.,!;])(?=\s|$)/gu, "$1")
