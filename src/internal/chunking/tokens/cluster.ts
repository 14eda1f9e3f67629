/** Boundaries between characters as people see them (UAX 29 grapheme clusters). */

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" })

/** Code units that never join with a neighbour of the same kind. */
const isSimple = (unit: number): boolean =>
  unit < 0x300
    ? unit !== 13 && unit !== 10
    : (unit >= 0x4e00 && unit <= 0x9fff) ||
      (unit >= 0x3001 && unit <= 0x3029) ||
      (unit >= 0x3031 && unit <= 0x303c) ||
      (unit >= 0x3041 && unit <= 0x3096) ||
      (unit >= 0x309f && unit <= 0x30ff) ||
      (unit >= 0x391 && unit <= 0x3ff) ||
      (unit >= 0x400 && unit <= 0x482) ||
      (unit >= 0x48a && unit <= 0x52f) ||
      (unit >= 0xe01 && unit <= 0xe30) ||
      (unit >= 0x2010 && unit <= 0x2027) ||
      (unit >= 0xff01 && unit <= 0xff9d)

/** A cut between two such units is certain. */
const isCertain = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before === 10 || (before === 13 && after !== 10) || (isSimple(before) && isSimple(after))
}

/** True when `at` is inside a surrogate pair. */
export const inPair = (text: string, at: number): boolean =>
  at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800

/** End of the code point that starts at `at`. */
export const codePointEnd = (text: string, at: number): number => (inPair(text, at + 1) ? at + 2 : at + 1)

/** Characters after a cut that are read to find the end of its cluster. */
const reach = 64

/**
 * Greatest boundary in `(from, at]`, where `from` is one; `from` when there is none. Reads no farther back than `from`.
 */
export const boundaryAtOrBefore = (text: string, from: number, at: number): number => {
  if (at >= text.length || at <= from || isCertain(text, at)) {
    return Math.max(from, at)
  }
  let start = at - 1
  while (start > from && !isCertain(text, start)) {
    start--
  }
  const window = text.slice(start, Math.min(text.length, at + reach))
  let last = 0
  for (const { index } of segmenter.segment(window)) {
    if (start + index > at) {
      break
    }
    last = index
  }
  return start + last
}

/** The text, or its first characters and `…`: at most `most` code units. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text
  const whole = boundaryAtOrBefore(text, 0, most - 1)
  const end = whole > 0 ? whole : inPair(text, most - 1) ? most - 2 : most - 1
  return `${text.slice(0, end)}…`
}

/** End of the cluster that starts at `from`, looked for up to `limit`. */
export const clusterEnd = (text: string, from: number, limit: number): number => {
  const window = text.slice(from, limit)
  const first = segmenter.segment(window).containing(0)
  return first === undefined ? limit : from + first.segment.length
}
