/** Words that are made of others: names of programs, codes, numbers with separators, and what punctuation joins. */

/** A part of a word; `start` is a UTF-16 offset in it. */
export interface Part {
  readonly start: number
  readonly text: string
}

const cased = /\p{Ll}\p{Lu}|[\p{Lu}\p{Nd}]\p{Lu}\p{Ll}/u

/** `RFC9110`, `10kg`. */
const coded = /^(?:\p{L}{2,}\p{Nd}+|\p{Nd}+\p{L}{2,})$/u

/** `PDFs`, `2nd`. */
const whole = /^(?:\p{Lu}{2,}s|\p{Nd}+(?:st|nd|rd|th))$/u

const pieces = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Nd}+/gu

const plain = /^\p{Lu}?\p{Ll}*$/u

/** More parts than a name has: those of a key or of bytes as text. */
const most = 6

/**
 * Parts of a word by its capitals and digits: `max` and `Redirections`, `HTTP` and `Server`, `RFC` and `9110`. Single letters are none; a
 * word with fewer than two parts has none.
 */
export const partsOf = (written: string): ReadonlyArray<Part> => {
  if (plain.test(written) || whole.test(written) || !(cased.test(written) || coded.test(written))) return []
  const found = Array.from(written.matchAll(pieces), ({ 0: text, index }) => ({ start: index, text })).filter(
    ({ text }) => text.length > 1 || /\p{Nd}/u.test(text)
  )
  return found.length < 2 || found.length > most ? [] : found
}

/** Thousands by one separator, then decimals by another one. */
const grouped = /^([1-9]\d{0,2}([.,'’٬])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,٫](\d+))?$/u

/** A number whose thousands are divided by spaces, where the search begins. */
const spaced = /([1-9]\d{0,2}(?:[ \u00A0\u2009\u202F]\d{3})+)(?:[.,](\d+))?(?![\d.,]*\d)/uy

const digitsOf = (thousands: string, decimals: string | undefined): string =>
  thousands.replaceAll(/\D/gu, "") + (decimals === undefined ? "" : `·${decimals}`)

/** The digits of a number with thousands, decimals after `·`; null for what is none. `1.234` may be one. */
export const ungrouped = (folded: string): string | null => {
  const [, thousands, , decimals] = grouped.exec(folded) ?? []
  return thousands === undefined ? null : digitsOf(thousands, decimals)
}

/** A number with spaces that begins at a place of a text: where it ends, and its digits. */
export const spacedAt = (text: string, start: number): { readonly end: number; readonly term: string } | null => {
  spaced.lastIndex = start
  const [written, thousands, decimals] = spaced.exec(text) ?? []
  return written === undefined || thousands === undefined
    ? null
    : { end: start + written.length, term: digitsOf(thousands, decimals) }
}

const joint = String.raw`\-.,:/_'’@+\u00AD\u200C\u200D\u2010\u2011"״׳٬٫`

/** Punctuation between two words that may be one. */
export const isJoint = (text: string, at: number): boolean => {
  const between = text.charAt(at)
  return between !== "" && joints.test(between) && (!/["״׳]/u.test(between) || isHebrew(text, at - 1, at + 1))
}

const joints = new RegExp(`^[${joint}]$`, "u")

const hebrewLetter = /\p{Script=Hebrew}/u

/** Quotation marks are letters of abbreviations in Hebrew. */
const isHebrew = (text: string, before: number, after: number): boolean =>
  hebrewLetter.test(text.charAt(before)) && hebrewLetter.test(text.charAt(after))

/** Single letters with points between: `U.S.A`. */
const initials = /^\p{L}(?:\.\p{L})+$/u

/** Joints that belong to the spelling, so that `e-mail` is `email`; between digits they do not. */
const spelled = String.raw`[\-_'’\u00AD\u200C\u200D\u2010\u2011"״׳]`

const dissolving = new RegExp(spelled, "gu")

const betweenDigits = new RegExp(String.raw`(?<=\p{Nd})${spelled}(?=\p{Nd})`, "gu")

const counting = new RegExp(`[${joint}]`, "gu")

/** The term of words joined by punctuation: that of the same written as one word, with `·` where the punctuation counts. */
export const joinedTerm = (folded: string): string =>
  (initials.test(folded)
    ? folded.replaceAll(".", "")
    : folded.replaceAll(betweenDigits, "·").replaceAll(dissolving, "")
  ).replaceAll(counting, "·")

const apostrophe = /['’]/u

const contracted = /^(?:s|t|d|m|ll|re|ve)$/iu

/** True for the end of `children's` and `weren't`, which is no word. */
export const isContracted = (written: string, before: string): boolean =>
  apostrophe.test(before) && contracted.test(written)
