import type { EmbeddingSpace, Query } from "docsluice/ChunkSink"

/**
 * Damping of a rank: the first place counts 1/2, the third half of that. The usual 60 is for many rankings of like kind; with
 * two, it ranks hits in the middle of both above the first hit of one. Chosen with the weights on one half of the questions of
 * `bench/retrieval.ts`, reported on the other.
 */
const damping = 1

/** Number of rows that approximate searches look at, for a number of hits. */
export const breadth = (limit: number): number => Math.max(50, 4 * limit)

/** Number of candidates of each ranking for the hits of a query: no more than these where there is only one ranking. */
export const depth = ({ limit, text, vector }: Pick<Query, "limit" | "text" | "vector">): number =>
  text === "" || vector === undefined ? limit : breadth(limit)

/** Keys, best first, and the weight of the ranking relative to others. */
export interface Ranking<A> {
  readonly keys: ReadonlyArray<A>
  readonly weight: number
}

/**
 * Weight of the vector ranking of a space, relative to 1 for a search by words: a quarter when the vectors are made from the words
 * themselves, as by `Embedder.hash`, since they repeat the same evidence less exactly.
 */
export const weightOf = (space: EmbeddingSpace | null): number => (space?.model.startsWith("hash-") === true ? 0.25 : 1)

/**
 * Joins rankings by reciprocal rank: a key's score is the sum of `weight / (1 + rank)` over the rankings that hold it, ranks from 1
 * on. Best first; equal scores stay in order of appearance.
 */
export const fuse = <A>(
  rankings: ReadonlyArray<Ranking<A>>,
  limit: number
): ReadonlyArray<{ readonly key: A; readonly score: number }> => {
  const scores = new Map<A, number>()
  for (const { keys, weight } of rankings) {
    for (const [at, key] of keys.entries()) scores.set(key, (scores.get(key) ?? 0) + weight / (damping + at + 1))
  }
  return [...scores]
    .map(([key, score]) => ({ key, score }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, limit)
}

/** Words of a query that may take part in a full-text search. */
const mostWords = 64

/** The words of a query: parts between blanks that hold a letter or a digit; each once, 64 at most. */
export const words = (text: string): ReadonlyArray<string> =>
  [...new Set(text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)))].slice(0, mostWords)
