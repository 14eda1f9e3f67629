/** How far a rank is damped: the first place counts 1/61, the sixty-first half of that. */
const damping = 60

/** Candidates of each ranking for so many hits. */
export const depth = (limit: number): number => Math.max(50, 4 * limit)

/**
 * Joins rankings by reciprocal rank: a key's score is the sum of `1 / (60 + rank)` over the rankings that hold it. Best
 * first; equal scores stay in order of appearance.
 */
export const fuse = <A>(
  rankings: ReadonlyArray<ReadonlyArray<A>>,
  limit: number
): ReadonlyArray<{ readonly key: A; readonly score: number }> => {
  const scores = new Map<A, number>()
  for (const ranking of rankings) {
    for (const [at, key] of ranking.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (damping + at + 1))
  }
  return [...scores]
    .map(([key, score]) => ({ key, score }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, limit)
}

/** Words of a query that may take part in a full-text search. */
const mostWords = 64

/** The words of a query: what stands between blanks and holds a letter or a digit; each once, 64 at most. */
export const words = (text: string): ReadonlyArray<string> =>
  [...new Set(text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)))].slice(0, mostWords)
