/**
 * Tokens of an RTF text with their places, so that parts of it can be replaced and the rest stays as it is.
 *
 * Source: Rich Text Format Specification 1.9.1, "RTF Syntax". The text has one character a byte. Linear in it.
 */

/** A token at `[start, end)`. */
export interface Token {
  /** `symbol` is a backslash with one character that is no letter; the space after a word belongs to the word. */
  readonly kind: "open" | "close" | "word" | "symbol" | "text"
  readonly start: number
  readonly end: number
  /** Name of a word; the character of a symbol. */
  readonly name: string
  /** Number of a word. */
  readonly value: number | undefined
}

const special = /[\\{}]/gu
const word = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/uy

/**
 * The tokens from an offset on, in order. The bytes of `\bin` are part of their word.
 *
 * @yields {Token} the next token
 */
export const of = function* (rtf: string, from = 0): Generator<Token, undefined> {
  for (let at = from; at < rtf.length;) {
    special.lastIndex = at
    const start = special.exec(rtf)?.index ?? rtf.length
    if (start > at) yield { kind: "text", start: at, end: start, name: "", value: undefined }
    if (start >= rtf.length) return undefined
    const character = rtf[start]
    if (character !== "\\") {
      yield { kind: character === "{" ? "open" : "close", start, end: start + 1, name: "", value: undefined }
      at = start + 1
      continue
    }
    word.lastIndex = start + 1
    const found = word.exec(rtf)
    if (found === null) {
      const end = start + (rtf[start + 1] === "'" ? 4 : 2)
      yield { kind: "symbol", start, end, name: rtf[start + 1] ?? "", value: undefined }
      at = end
      continue
    }
    const [{ length }, name = "", digits] = found
    const value = digits === undefined ? undefined : Number(digits)
    at = start + 1 + length + (name === "bin" ? Math.max(0, value ?? 0) : 0)
    yield { kind: "word", start, end: at, name, value }
  }
  return undefined
}
