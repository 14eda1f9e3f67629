/** Words of a text, as two texts of the same document are compared: lower case, without punctuation, ideographs and kana one by one. */

export interface Token {
  readonly text: string
  /** `[start, end)` in UTF-16 code units of the text. */
  readonly start: number
  readonly end: number
}

const ideograph = "\\u2e80-\\u2fdf\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff"
const word = new RegExp(`[${ideograph}]|(?:(?![${ideograph}])[\\p{L}\\p{N}\\p{M}\\u00ad])+`, "gu")
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

const comparable = (text: string): string => text.normalize("NFKC").replace(invisible, "").toLowerCase()

export const placed = (text: string): ReadonlyArray<Token> =>
  Array.from(text.matchAll(word), (match) => ({
    text: comparable(match[0]),
    start: match.index,
    end: match.index + match[0].length
  })).filter((token) => token.text !== "")

export const of = (text: string): ReadonlyArray<string> => placed(text).map((token) => token.text)
