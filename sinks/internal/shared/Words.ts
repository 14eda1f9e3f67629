/** Words of a query as stores that rank words look for them: the same rule for each. */
import * as Terms from "docsluice/Terms"

/** A word of a query; a row holds it with any of its terms. */
export interface Word {
  /** Its stem in each language that it may be of, and other spellings; of a word without these the word itself. They count whole. */
  readonly whole: ReadonlyArray<string>
  /** The word as it is written: it repeats what a stem says, more exactly. So do pairs of letters, and words joined by punctuation. */
  readonly half: ReadonlyArray<string>
}

/**
 * Weight of a word's own form beside its stem, and of parts and chains beside their words. Chosen with the halves of questions that
 * `bench/find.ts` calls `dev`: with 1 an exact form counted twice, with 0 it was not told from an inflected one.
 */
export const halfWeight = 0.5

/** Strength of repetition and of length in BM25: the usual ones. */
export const bm25 = { k1: 1.2, b: 0.75 } as const

const most = (terms: ReadonlyArray<string>, rowsOf: (term: string) => number): number =>
  Math.max(0, ...terms.map(rowsOf))

const wordOf = ({ kind, terms: [own = "", ...others] }: Terms.Sought, rowsOf: (term: string) => number): Word => {
  const held = (terms: ReadonlyArray<string>) => terms.filter((term) => rowsOf(term) > 0)
  if (kind !== "word") return { whole: [], half: held(others.length === 0 ? [own] : others) }
  // Where most rows that hold the form have it as a word of another language, it is the form that counts.
  return others.length === 0 || rowsOf(own) > most(others, rowsOf)
    ? { whole: held([own, ...others]), half: [] }
    : { whole: held(others), half: held([own]) }
}

/**
 * The words of a query that say something, then its function words, which are to be searched where those find nothing; neither is empty.
 * `rowsOf` is the number of rows with a term, where the store knows it.
 */
export const steps = (
  query: string,
  version: Terms.Version,
  rowsOf: (term: string) => number = () => 1
): ReadonlyArray<ReadonlyArray<Word>> => {
  const known = Terms.sought(query, version).map((sought) => ({ idle: sought.idle, word: wordOf(sought, rowsOf) }))
  return [false, true]
    .map((wanted) =>
      known.flatMap(({ idle, word }) => (idle === wanted && word.whole.length + word.half.length > 0 ? [word] : []))
    )
    .filter((step) => step.length > 0)
}

/** The first of the {@link steps}; empty for a query without words. */
export const of = (...query: Parameters<typeof steps>): ReadonlyArray<Word> => steps(...query)[0] ?? []

/** All terms that count whole, and all that count half. */
export const joined = (words: ReadonlyArray<Word>): Word => ({
  whole: words.flatMap(({ whole }) => whole),
  half: words.flatMap(({ half }) => half)
})

/** Name of a column or field of terms: it names their version. */
export const nameOf = (version: Terms.Version): string => `terms${version}`

/** The version of the terms in a store by the names of its columns, the latest first; null for a store without terms. */
export const versionOf = (names: ReadonlyArray<string>): Terms.Version | null =>
  Terms.versions.findLast((version) => names.includes(nameOf(version))) ?? null

/** Most words of a query that a store without terms looks for. */
const mostWritten = 64

/** The words of a query as they are written, for a store without terms: parts between blanks that hold a letter or a digit; each once, 64 at most. */
export const written = (text: string): ReadonlyArray<string> =>
  [...new Set(text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)))].slice(0, mostWritten)
