/**
 * What the split patterns of the encodings ask of a code point, as bits.
 *
 * The classes are those of tiktoken: white space is Unicode's `White_Space` (U+0085 is, U+FEFF is not).
 */
export const letter = 1
export const digit = 2
export const space = 4
export const newline = 8
/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` of o200k. */
export const upper = 16
/** `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` of o200k. */
export const lower = 32

const isLetter = /^\p{L}$/u
const isDigit = /^\p{N}$/u
const isUpper = /^[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]$/u
const isLower = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}]$/u
const isSpace = /^\p{White_Space}$/u

const classes = new Uint8Array(0x110000)
const known = new Uint8Array(0x1100)

const classify = (codePoint: number): number => {
  if (codePoint >= 0xd800 && codePoint < 0xe000) {
    return 0
  }
  const text = String.fromCodePoint(codePoint)
  return (
    (isLetter.test(text) ? letter : isDigit.test(text) ? digit : 0) |
    (isSpace.test(text) ? space : 0) |
    (codePoint === 10 || codePoint === 13 ? newline : 0) |
    (isUpper.test(text) ? upper : 0) |
    (isLower.test(text) ? lower : 0)
  )
}

const fill = (block: number): void => {
  known[block] = 1
  for (let codePoint = block << 8; codePoint < (block + 1) << 8; codePoint++) {
    classes[codePoint] = classify(codePoint)
  }
}

/** The bits of a code point; classified 256 at a time, when first met. */
export const classOf = (codePoint: number): number => {
  if (known[codePoint >> 8] === 0) {
    fill(codePoint >> 8)
  }
  return classes[codePoint] ?? 0
}

/** The code point at `at`; a lone surrogate is itself. */
export const codePointAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff) {
    return unit
  }
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next < 0xe000 ? ((unit - 0xd800) << 10) + (next - 0xdc00) + 0x10000 : unit
}
