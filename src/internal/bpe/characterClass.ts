import { type Units, unitAt } from "./units.ts"

/**
 * Classes of a code point that the encodings' split patterns distinguish, as bits.
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

/**
 * Letters, marks and digits that came with Unicode 17, first and last of each range. tiktoken's tables are those of Unicode 16
 * and take them for unassigned, whatever the tables of this Node know. Characters that even Unicode 16 is too new for, on a
 * Node with older tables, are taken for unassigned too.
 */
const later: ReadonlyArray<readonly [number, number]> = [
  [0x88f, 0x88f],
  [0xc5c, 0xc5c],
  [0xcdc, 0xcdc],
  [0x1acf, 0x1add],
  [0x1ae0, 0x1aeb],
  [0xa7ce, 0xa7cf],
  [0xa7d2, 0xa7d2],
  [0xa7d4, 0xa7d4],
  [0xa7f1, 0xa7f1],
  [0x10940, 0x10959],
  [0x10ec5, 0x10ec7],
  [0x10efa, 0x10efb],
  [0x11b60, 0x11b67],
  [0x11db0, 0x11ddb],
  [0x11de0, 0x11de9],
  [0x16ea0, 0x16eb8],
  [0x16ebb, 0x16ed3],
  [0x16ff2, 0x16ff6],
  [0x187f8, 0x187ff],
  [0x18d09, 0x18d1e],
  [0x18d80, 0x18df2],
  [0x1e6c0, 0x1e6de],
  [0x1e6e0, 0x1e6f5],
  [0x1e6fe, 0x1e6ff],
  [0x2b73a, 0x2b73f],
  [0x2cea2, 0x2cead],
  [0x323b0, 0x33479]
]

const classes = new Uint8Array(0x110000)
const known = new Uint8Array(0x1100)

const classify = (codePoint: number): number => {
  const surrogate = codePoint >= 0xd800 && codePoint < 0xe000
  if (surrogate || later.some(([first, last]) => codePoint >= first && codePoint <= last)) {
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

/** Stands for the bits of a code unit that is not of ASCII. */
export const wide = 128

/** Those of each code unit of ASCII, and `wide` for any other. */
const unitBits = new Uint8Array(0x10000).fill(wide)
for (let unit = 0; unit < 128; unit++) {
  unitBits[unit] = classify(unit)
}

/** The bits of a code point; classified 256 at a time, when first met. */
export const classOf = (codePoint: number): number => {
  if (known[codePoint >> 8] === 0) {
    fill(codePoint >> 8)
  }
  return classes[codePoint] ?? 0
}

/** The bits of a code unit of ASCII; `wide` for any other. */
export const bitsOf = (unit: number): number => unitBits[unit] ?? 0

/** The same of the code unit at `at`. */
export const bitsAt = (text: Units, at: number): number => unitBits[unitAt(text, at)] ?? 0

/** The code point at `at` of a text that ends at `end`; a lone surrogate is itself. */
export const codePointAt = (text: Units, at: number, end: number): number => {
  const unit = unitAt(text, at)
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= end) {
    return unit
  }
  const next = unitAt(text, at + 1)
  return next >= 0xdc00 && next < 0xe000 ? ((unit - 0xd800) << 10) + (next - 0xdc00) + 0x10000 : unit
}
