import * as Terms from "docsluice/Terms"
import * as Words from "./Words.ts"

/** The terms of a chunk or a query as a sparse vector; no index comes twice. */
export interface Sparse {
  readonly indices: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** Number of terms of a usual chunk in BM25, as Qdrant's own model has it: what a row holds cannot follow the mean of all. */
const usualLength = 256

/** Numbers of 32 bits. */
const numbers = 2 ** 32

/** The number of a term below `size`: FNV-1a over its UTF-16 code units, mixed at the end. */
export const indexOf = (term: string, size = numbers): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) % size
}

/** Repetitions of each term of the text, the headings and the source of a chunk. */
export const countsOf = (
  chunk: Parameters<typeof Terms.fields>[0],
  version: Terms.Version
): ReadonlyMap<string, number> => {
  const { headings, source, text } = Terms.fields(chunk, version)
  const counts = new Map<string, number>()
  for (const terms of [text, headings, source]) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

/** Sums of values with one index. */
const summed = (values: Iterable<readonly [index: number, value: number]>): Map<number, number> => {
  const sums = new Map<number, number>()
  for (const [index, value] of values) sums.set(index, (sums.get(index) ?? 0) + value)
  return sums
}

const sparse = (values: Iterable<readonly [index: number, value: number]>): Sparse => {
  const sums = summed(values)
  return { indices: [...sums.keys()], values: [...sums.values()] }
}

/**
 * The part of BM25 that a chunk gives, by the counts of its terms: its inner product with that of a query, each term of which is weighed by
 * its rarity, is the score. Null without terms.
 */
export const ofCounts = (counts: ReadonlyMap<string, number>, size = numbers): Sparse | null => {
  const repeated = summed([...counts].map(([term, count]) => [indexOf(term, size), count]))
  let length = 0
  for (const count of repeated.values()) length += count
  if (length === 0) return null
  const { b, k1 } = Words.bm25
  const damping = k1 * (1 - b + (b * length) / usualLength)
  return sparse([...repeated].map(([index, count]) => [index, (count * (k1 + 1)) / (count + damping)]))
}

/** The part that the words of a query give, where each term weighs as much as it is rare. */
export const ofWords = (
  words: ReadonlyArray<Words.Word>,
  rarityOf: (term: string) => number = () => 1,
  size = numbers
): Sparse => {
  const { half, whole } = Words.joined(words)
  const weights = new Map([
    ...half.map((term) => [term, Words.halfWeight] as const),
    ...whole.map((term) => [term, 1] as const)
  ])
  return sparse([...weights].map(([term, weight]) => [indexOf(term, size), weight * rarityOf(term)]))
}
