/**
 * Words of a text, as two texts of the same document are compared: lower case, without punctuation, ideographs and kana one by one, Thai
 * cut by a dictionary.
 */

export interface Token {
  readonly text: string
  /** `[start, end)` in UTF-16 code units of the text. */
  readonly start: number
  readonly end: number
}

const ideograph = "\\u2e80-\\u2fdf\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff"
const word = new RegExp(`[${ideograph}]|(?:(?![${ideograph}])[\\p{L}\\p{N}\\p{M}\\u00ad])+`, "gu")
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

const thai = /\p{Script=Thai}/u

const thaiWords = new Intl.Segmenter("th", { granularity: "word" })

/** Form KC has the vowel am in two parts, so that a text with the parts would be as good as one with the letter. */
const comparable = (text: string): string =>
  text
    .normalize(thai.test(text) ? "NFC" : "NFKC")
    .replace(invisible, "")
    .toLowerCase()

/** The words of letters that touch, each with its place in them. */
const cut = (letters: string): ReadonlyArray<readonly [string, number]> =>
  thai.test(letters)
    ? Array.from(thaiWords.segment(letters), ({ index, segment }) => [segment, index] as const)
    : [[letters, 0]]

export const placed = (text: string): ReadonlyArray<Token> =>
  Array.from(text.matchAll(word))
    .flatMap((match) =>
      cut(match[0]).map(([own, at]) => ({
        text: comparable(own),
        start: match.index + at,
        end: match.index + at + own.length
      }))
    )
    .filter((token) => token.text !== "")

export const of = (text: string): ReadonlyArray<string> => placed(text).map((token) => token.text)
