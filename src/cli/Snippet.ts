/** Part of a text that best shows the words of a query. */
import * as Line from "./Line.ts"

/** Lines without a word: rules, and the rows between a table's head and its body. */
const ruled = /^[\s|:-]+$/gmu

/** Invisible marks of the writing direction, which occur inside words. */
const marks = /[\u061C\u200E\u200F]/gu

/** The text as one line: white space and control characters become single blanks. */
export const plain = (text: string): string =>
  text
    .replaceAll(marks, "")
    .replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ")
    .trim()

/** Most occurrences that are considered. */
const most = 1000

/** Scripts without blanks between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u

/** Pattern of a word; a long word also matches the beginning of a longer one. */
const patternOf = (word: string): string => {
  if (unspaced.test(word)) return word
  return `(?<![\\p{L}\\p{N}])${word}${word.length < 4 ? "(?![\\p{L}\\p{N}])" : ""}`
}

const finds = (
  text: string,
  words: ReadonlyArray<string>
): ReadonlyArray<{ readonly at: number; readonly word: string }> => {
  const pattern = new RegExp(words.map(patternOf).join("|"), "giu")
  const found: Array<{ readonly at: number; readonly word: string }> = []
  for (const match of text.matchAll(pattern)) {
    found.push({ at: match.index, word: match[0].toLowerCase() })
    if (found.length === most) break
  }
  return found
}

/** Start of the `length` units that hold most of the words, counted by their length; 0 when none occurs. */
const best = (text: string, words: ReadonlyArray<string>, length: number): number => {
  const found = words.length === 0 ? [] : finds(text, words)
  const counts = new Map<string, number>()
  let [start, greatest, weight, end] = [0, 0, 0, 0]
  for (const { at, word } of found) {
    for (let next = found[end]; next !== undefined && next.at < at + length; next = found[++end]) {
      const count = counts.get(next.word) ?? 0
      if (count === 0) weight += next.word.length
      counts.set(next.word, count + 1)
    }
    if (weight > greatest) [start, greatest] = [at, weight]
    const left = (counts.get(word) ?? 0) - 1
    counts.set(word, left)
    if (left === 0) weight -= word.length
  }
  return start
}

/**
 * At most `length` UTF-16 units of the text in one line, at the place where most words of the query are close together, cut between
 * words; `…` marks what is left out.
 */
export const around = (text: string, query: string, length: number): string => {
  const line = plain(text.replaceAll(ruled, " "))
  if (line.length <= length) return line
  const words = [...new Set((query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase()))]
  const found = best(line, words, Math.ceil((length * 3) / 4))
  const from = Math.max(0, Math.min(found - Math.floor(length / 5), line.length - length))
  const start = from === 0 ? 0 : after(line, from, found)
  const end = start + length >= line.length ? line.length : before(line, start + length)
  return `${start > 0 ? "…" : ""}${line.slice(start, end).trim()}${end < line.length ? "…" : ""}`
}

/** Start of the next word, at or before the match. */
const after = (line: string, from: number, found: number): number => {
  const blank = line.indexOf(" ", from)
  return blank >= 0 && blank < found ? blank + 1 : whole(line, from)
}

/** End of the last word, unless a single word is longer than the limit. */
const before = (line: string, to: number): number => {
  const blank = line.lastIndexOf(" ", to)
  return blank > Math.max(0, to - 40) ? blank : whole(line, to)
}

/** Moves an offset out of a surrogate pair. */
const whole = (line: string, at: number): number => ((line.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at)

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`)

/** The line in parts, those that are one of the words in bold. */
export const emphasized = (line: string, words: ReadonlyArray<string>): ReadonlyArray<Line.Part> => {
  const wanted = [...new Set(words.map(plain))].filter((word) => word !== "")
  if (wanted.length === 0) return [line]
  const longestFirst = wanted.toSorted((left, right) => right.length - left.length)
  const patterns = longestFirst.map((word) =>
    unspaced.test(word) ? escaped(word) : `(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`
  )
  return line
    .split(new RegExp(`(${patterns.join("|")})`, "iu"))
    .map((text, at) => (at % 2 === 1 ? Line.strong(text) : text))
    .filter((part) => Line.textOf(part) !== "")
}
