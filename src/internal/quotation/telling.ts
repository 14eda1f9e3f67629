/** Words by which the chunks of a quote are found: those that few texts have, as far as the words themselves tell. */
import { endsUnspaced, perhaps } from "./form.ts"

/** Letters of a word that count, and what a digit counts. */
const counted = { letters: 12, digit: 5 } as const

const weightOf = (word: string): number =>
  Math.min(word.length, counted.letters) + (/\p{N}/u.test(word) ? counted.digit : 0)

/** Characters of a script without blanks between words that are searched together. */
const longest = 8

/** Words without the marks around them; neighbouring characters of a script without blanks are one. */
const unitsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const units: Array<string> = []
  let open = false
  for (const word of words) {
    const last = units.at(-1)
    const joins = endsUnspaced(word)
    if (open && joins && last !== undefined && last.length < longest) units[units.length - 1] = last + word
    else units.push(joins ? word : word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    open = joins
  }
  return units.filter((unit) => unit !== "")
}

/** The words for a search, each once, the most telling first; one that may have a hyphen is there without it and with it. */
export const of = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(unitsOf(words))]
    .toSorted((left, right) => weightOf(right) - weightOf(left))
    .flatMap((word) =>
      word.includes(perhaps) ? [word.replaceAll(perhaps, ""), word.replaceAll(perhaps, "-")] : [word]
    )

/** Telling words that are looked for in a chunk. */
const most = 12

/** Those that stand in any text of the quote as they are: no typography changes them. */
export const plain = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  of(words.filter((word) => !word.includes(perhaps)))
    .filter((word) => /^[a-z0-9]{2,}$/iu.test(word) || endsUnspaced(word))
    .slice(0, most)
