import * as characterClass from "./characterClass.ts"
import { type Units, unitAt } from "./units.ts"

const { bitsAt, bitsOf, classOf, codePointAt } = characterClass

// An imported number is looked up each time it is read, which makes all splitting a quarter slower.
const { digit, letter, lower, newline, space, upper, wide } = characterClass

/**
 * End of the piece that starts at `start`, as the encoding's split pattern cuts `[start, end)` of the text.
 *
 * Written out by hand, since a regular expression costs several times the counting itself; `end` acts as the end of the
 * text. Needs `start < end`.
 */
export type Split = (text: Units, start: number, end: number) => number

const width = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1)

/** Length of `'s`, `'ll` and the like at an apostrophe; 0 when there is none. U+017F folds to `s`. */
const contraction = (text: Units, at: number, end: number): number => {
  if (at + 1 >= end) {
    return 0
  }
  const first = unitAt(text, at + 1)
  const a = first | 32
  if (first === 0x17f || a === 115 || a === 100 || a === 109 || a === 116) {
    return 2
  }
  if (at + 2 >= end) {
    return 0
  }
  const b = unitAt(text, at + 2) | 32
  return (a === 108 && b === 108) || (a === 118 && b === 101) || (a === 114 && b === 101) ? 3 : 0
}

/** End of the run of code points that have one of the bits. */
const run = (text: Units, start: number, end: number, bits: number): number => {
  let at = start
  while (at < end && (bitsAt(text, at) & bits) !== 0) {
    at++
  }
  return at < end && unitAt(text, at) >= 128 ? wideRun(text, at, end, bits) : at
}

/** The same, where it may start with any code point. */
const wideRun = (text: Units, start: number, end: number, bits: number): number => {
  let at = start
  while (at < end) {
    const codePoint = codePointAt(text, at, end)
    if ((classOf(codePoint) & bits) === 0) {
      return at
    }
    at += width(codePoint)
  }
  return end
}

/** `\p{N}{1,3}` */
const digits = (text: Units, start: number, end: number): number => {
  let at = start
  for (let count = 0; count < 3 && at < end; count++) {
    const bits = bitsAt(text, at)
    const codePoint = bits === wide ? codePointAt(text, at, end) : 0
    if (((bits === wide ? classOf(codePoint) : bits) & digit) === 0) {
      return at
    }
    at += width(codePoint)
  }
  return at
}

/** ` ?[^\s\p{L}\p{N}]+` and then newlines (and slashes); `start` when it does not match. */
const symbols = (text: Units, start: number, end: number, slashes: boolean): number => {
  const first = unitAt(text, start) === 32 ? start + 1 : start
  let at = first
  while (at < end) {
    const bits = bitsAt(text, at)
    const codePoint = bits === wide ? codePointAt(text, at, end) : 0
    if (((bits === wide ? classOf(codePoint) : bits) & (letter | digit | space)) !== 0) {
      break
    }
    at += width(codePoint)
  }
  if (at === first) {
    return start
  }
  while (at < end) {
    const unit = unitAt(text, at)
    if (unit !== 10 && unit !== 13 && !(slashes && unit === 47)) {
      break
    }
    at++
  }
  return at
}

/** White space: to the last newline of the run, else all but the space before what follows. `toEnd`: `\s+$` comes first. */
const spaces = (text: Units, start: number, end: number, toEnd: boolean): number => {
  let lastNewline = -1
  let at = start
  while (at < end) {
    const unit = unitAt(text, at)
    const bits = bitsOf(unit)
    if (((bits === wide ? classOf(unit) : bits) & space) === 0) {
      break
    }
    if (unit === 10 || unit === 13) {
      lastNewline = at
    }
    at++
  }
  if (at === end && (toEnd || lastNewline < 0)) {
    return end
  }
  if (lastNewline >= 0) {
    return lastNewline + 1
  }
  return at - start > 1 ? at - 1 : at
}

/**
 * cl100k_base: `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s`
 */
export const cl100k: Split = (text, start, end) => {
  const unit = unitAt(text, start)
  const after = start + 1
  const next = after < end ? unitAt(text, after) : 0
  const bits = bitsOf(unit)
  if ((bits & letter) !== 0) {
    return run(text, after, end, letter)
  }
  if (bits === digit) {
    return digits(text, start, end)
  }
  if (bits === wide || next >= 128 || unit === 39) {
    return rareCl100k(text, start, end)
  }
  if ((bits & newline) === 0 && (bitsOf(next) & letter) !== 0) {
    return run(text, after, end, letter)
  }
  const symbolEnd = symbols(text, start, end, false)
  return symbolEnd > start ? symbolEnd : spaces(text, start, end, true)
}

/** The same, for a piece that does not start with two characters of ASCII. */
const rareCl100k: Split = (text, start, end) => {
  const codePoint = codePointAt(text, start, end)
  const bits = classOf(codePoint)
  if (codePoint === 39) {
    const length = contraction(text, start, end)
    if (length > 0) {
      return start + length
    }
  }
  const word = (bits & (letter | digit | newline)) === 0 ? start + width(codePoint) : start
  const wordEnd = run(text, word, end, letter)
  if (wordEnd > word) {
    return wordEnd
  }
  if ((bits & digit) !== 0) {
    return digits(text, start, end)
  }
  const symbolEnd = symbols(text, start, end, false)
  return symbolEnd > start ? symbolEnd : spaces(text, start, end, true)
}

/** `[upper]*[lower]+`, with what backtracking would give back; -1 when it does not match. */
const lowerWord = (text: Units, start: number, end: number): number => {
  let at = start
  let lastBoth = -1
  while (at < end) {
    const codePoint = codePointAt(text, at, end)
    const bits = classOf(codePoint)
    if ((bits & upper) === 0) {
      break
    }
    at += width(codePoint)
    if ((bits & lower) !== 0) {
      lastBoth = at
    }
  }
  const wordEnd = run(text, at, end, lower)
  return wordEnd > at ? wordEnd : lastBoth
}

/** `[upper]+[lower]*`; -1 when it does not match. */
const upperWord = (text: Units, start: number, end: number): number => {
  const at = run(text, start, end, upper)
  return at === start ? -1 : run(text, at, end, lower)
}

const suffixed = (text: Units, at: number, end: number): number =>
  at < end && unitAt(text, at) === 39 ? at + contraction(text, at, end) : at

/** The first two alternatives of o200k, in the order in which the pattern tries them; -1 when none matches. */
const cased = (text: Units, start: number, end: number, after: number, prefixed: boolean): number => {
  if (prefixed && after < end) {
    const wordEnd = lowerWord(text, after, end)
    if (wordEnd >= 0) {
      return wordEnd
    }
  }
  const plain = lowerWord(text, start, end)
  if (plain >= 0) {
    return plain
  }
  if (prefixed && after < end) {
    const wordEnd = upperWord(text, after, end)
    if (wordEnd >= 0) {
      return wordEnd
    }
  }
  return upperWord(text, start, end)
}

/**
 * o200k_base: `[^\r\n\p{L}\p{N}]?[upper]*[lower]+(contraction)?|[^\r\n\p{L}\p{N}]?[upper]+[lower]*(contraction)?|\p{N}{1,3}|
 * ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
 */
export const o200k: Split = (text, start, end) => {
  const unit = unitAt(text, start)
  const after = start + 1
  const next = after < end ? unitAt(text, after) : 0
  const bits = bitsOf(unit)
  if (bits === digit) {
    return digits(text, start, end)
  }
  if (bits === wide || next >= 128) {
    return rareO200k(text, start, end)
  }
  const word = (bits & letter) !== 0 ? start : (bits & newline) === 0 ? after : end
  if (word < end && (bitsOf(word === start ? unit : next) & letter) !== 0) {
    const wordEnd = asciiWord(text, word, end)
    return wordEnd < 0 ? rareO200k(text, start, end) : suffixed(text, wordEnd, end)
  }
  const symbolEnd = symbols(text, start, end, true)
  return symbolEnd > start ? symbolEnd : spaces(text, start, end, false)
}

/** `[A-Z]*[a-z]*`; -1 when a character that is not of ASCII ends it. */
const asciiWord = (text: Units, start: number, end: number): number => {
  let at = start
  while (at < end && (bitsAt(text, at) & upper) !== 0) {
    at++
  }
  while (at < end && (bitsAt(text, at) & lower) !== 0) {
    at++
  }
  return at < end && unitAt(text, at) >= 128 ? -1 : at
}

/** The same, for a piece that does not start with two characters of ASCII, or is a word that is not all of them. */
const rareO200k: Split = (text, start, end) => {
  const codePoint = codePointAt(text, start, end)
  const bits = classOf(codePoint)
  const after = start + width(codePoint)
  const prefixed = (bits & (letter | digit | newline)) === 0
  if (
    !prefixed ||
    (after < end && (classOf(codePointAt(text, after, end)) & (upper | lower)) !== 0) ||
    (bits & upper) !== 0
  ) {
    const wordEnd = cased(text, start, end, after, prefixed)
    if (wordEnd >= 0) {
      return suffixed(text, wordEnd, end)
    }
  }
  if ((bits & digit) !== 0) {
    return digits(text, start, end)
  }
  const symbolEnd = symbols(text, start, end, true)
  return symbolEnd > start ? symbolEnd : spaces(text, start, end, false)
}
