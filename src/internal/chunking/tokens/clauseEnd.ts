/** Where a sentence that is too long, or text whose sentences begin with small letters, is cut best. */
import { isWhite } from "../scan/Leaf.ts"

/** A word as names and beginnings of sentences have it. */
const capitalised = /\p{Lu}\p{Ll}/u

/** Beginnings with a small letter for one with a capital from which on the capitals count as names. */
const names = 4

/** Words whose full stop ends no sentence, in the languages of most documents. */
const abbreviations = new Set(
  (
    "abb abs al approx apr art aug av bzw ca cf ch co corp dec dept dr ed eds eq est etc evtl feb fig figs ggf gov inc incl " +
    "inkl jan jr jul jun lt ltd max min mr mrs ms nov nr no nos oct op pl pp prof resp sec sen sep sept sr st str tab tel univ " +
    "usw vgl vol vs"
  ).split(" ")
)

/** Letters and full stops before a full stop that are read. */
const longest = 12

const isWord = (unit: number): boolean =>
  unit > 0x7f || (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) - 0x61) >>> 0 < 26

/** True when the full stop at `at` is that of an abbreviation, an initial, an ordinal number or an ellipsis. */
export const isAbbreviated = (text: string, at: number): boolean => {
  let start = at
  while (start > 0 && at - start < longest && (isWord(text.charCodeAt(start - 1)) || text[start - 1] === ".")) {
    start--
  }
  const word = text.slice(start, at).toLowerCase()
  return word.length === 1 || word.includes(".") || /^\d{1,2}$/.test(word) || abbreviations.has(word)
}

const isSmall = (letter: string): boolean =>
  letter >= "a" && (letter <= "z" || (letter > "\u007F" && /\p{Ll}/u.test(letter)))

const isCapital = (letter: string): boolean =>
  (letter >= "A" && letter <= "Z") || (letter > "\u007F" && /\p{Lu}/u.test(letter))

/** True when sentences begin with small letters in the text, so that a full stop before one ends a sentence. */
const isUncased = (text: string): boolean => {
  let small = 0
  let capital = 0
  for (let at = text.indexOf("."); at >= 0; at = text.indexOf(".", at + 1)) {
    if (!isWhite(text.charCodeAt(at + 1))) continue
    const letter = text.charAt(at + 2)
    if (isCapital(letter)) capital++
    else if (isSmall(letter) && !isAbbreviated(text, at)) small++
  }
  return capital === 0 ? small > 1 || (small === 1 && !capitalised.test(text)) : small > names * capital
}

const closers = new Set(['"', "'", "”", "’", "»", ")", "]", "*", "_", "`"])

/** Kinds of ends, the best one first. */
const kindOf: Readonly<Record<string, number>> = { ".": 0, "!": 0, "?": 0, "…": 0, ";": 1, ":": 1, ",": 2 }

/** Those of scripts that put no blank after them. */
const wideKindOf: Readonly<Record<string, number>> = { "、": 2, "，": 2, "：": 1, "；": 1 }

/** The first of them. */
const firstWide = 0x3001

/**
 * The last place in `(floor, limit]` after a full stop, where sentences begin with small letters in `[start, limit]`; else after a
 * semicolon or colon, else after a comma, each before white space; -1 when there is none.
 */
export const lastClauseEnd = (text: string, start: number, floor: number, limit: number): number => {
  const found = [-1, -1, -1]
  let uncased: boolean | undefined = undefined
  let after = text.charCodeAt(limit)
  for (let at = limit; at > floor; at--) {
    const before = text.charCodeAt(at - 1)
    const ends = isWhite(after) && !isWhite(before)
    after = before
    if (before >= firstWide) {
      const wide = wideKindOf[text.charAt(at - 1)]
      if (wide !== undefined && found[wide] === -1) found[wide] = at
    }
    if (!ends) continue
    let mark = at - 1
    while (mark > floor && closers.has(text.charAt(mark))) mark--
    const kind = kindOf[text.charAt(mark)]
    if (kind === undefined || found[kind] !== -1) continue
    if (kind > 0) found[kind] = at
    else {
      uncased ??= isUncased(text.slice(start, limit))
      if (uncased && (text[mark] !== "." || !isAbbreviated(text, mark))) return at
    }
  }
  return found.find((at) => at > 0) ?? -1
}
