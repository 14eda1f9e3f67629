import type { CheckedQuery, EmbeddingSpace, Query } from "docsluice/ChunkSink"

/** Number of rows that approximate searches look at, for a number of hits. */
export const breadth = (limit: number): number => Math.max(50, 4 * limit)

/** Number of candidates of each ranking for the hits of a query: no more than these where there is only one ranking. */
export const depth = ({ limit, text, vector }: Pick<Query, "limit" | "text" | "vector">): number =>
  text === "" || vector === undefined ? limit : breadth(limit)

/** Keys with their scores, best first; null for a key that the engine cannot compare with the others, after all of them. */
export type Ranking<Key> = ReadonlyArray<{ readonly key: Key; readonly score: number | null }>

/** A ranking, and its weight relative to others. */
export interface Weighted<Key> {
  readonly ranking: Ranking<Key>
  readonly weight: number
  /** Score of a key that the ranking does not hold; null where any may hold one. */
  readonly without: number | null
}

/**
 * Weight of the ranking by vectors, relative to 1 for that by words: a tenth when the vectors are made from the words themselves, as by
 * `Embedder.hash`, since they repeat the same evidence less exactly. Chosen on one half of the questions of `bench/fusion.ts`, reported
 * on the other.
 */
export const weightOf = (space: EmbeddingSpace | null, { vectorWeight }: Pick<CheckedQuery, "vectorWeight">): number =>
  vectorWeight ?? (space?.model.startsWith("hash-") === true ? 0.1 : 1)

/** The candidate whose score is the zero of its ranking, so that scores are the same however many are read. */
const last = 50

/** With fewer candidates the last of them may be as good as the first, and the zero is the score of what is not found. */
const few = 10

/** Scores from 1, the first candidate, to 0, that at place `last` and those after it. */
const scaled = <Key>({ ranking, without }: Weighted<Key>): ReadonlyArray<number> => {
  const known = ranking.flatMap(({ score }) => score ?? [])
  const [best = 1, lowest = 0] = [known[0], known[Math.min(known.length, last) - 1]]
  const least = known.length < few ? (without ?? lowest) : lowest
  return ranking.map(({ score }) =>
    score === null ? 0 : best === least ? 1 : Math.max(0, (score - least) / (best - least))
  )
}

/**
 * Joins rankings by their scores: a key's score is the sum of `weight * scaled score` over the rankings that hold it. Best first; equal
 * scores stay in order of appearance.
 */
export const fuse = <Key>(
  rankings: ReadonlyArray<Weighted<Key>>,
  limit: number
): ReadonlyArray<{ readonly key: Key; readonly score: number }> => {
  const scores = new Map<Key, number>()
  for (const one of rankings) {
    const scale = scaled(one)
    for (const [at, { key }] of one.ranking.entries()) {
      scores.set(key, (scores.get(key) ?? 0) + one.weight * (scale[at] ?? 0))
    }
  }
  return [...scores]
    .map(([key, score]) => ({ key, score }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, limit)
}
