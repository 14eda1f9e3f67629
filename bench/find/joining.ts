/** Ways to join a ranking by words and one by vectors, and what each gives. */

export interface Scored {
  readonly key: number
  readonly score: number
}

/** Best first. */
export type Ranking = ReadonlyArray<Scored>

export interface Asked {
  readonly question: string
  readonly half: "dev" | "unseen"
  readonly right: ReadonlySet<number>
  readonly words: Ranking
  readonly vectors: Ranking
}

type Way = (asked: Asked) => Ranking

export const mrr = (all: ReadonlyArray<Asked>, way: Way, half: Asked["half"]): number => {
  const asked = all.filter((one) => one.half === half)
  const ranks = asked.map((one) => {
    const at = way(one).findIndex(({ key }) => one.right.has(key))
    return at < 0 ? 0 : 1 / (at + 1)
  })
  return asked.length === 0 ? 0 : ranks.reduce((sum, one) => sum + one, 0) / asked.length
}

/** The quality at which the vectors reach an MRR, by halving: the better the quality, the higher it is. */
export const qualityFor = (aim: number, reached: (quality: number) => number): number => {
  let [low, high] = [-1, 2]
  for (let step = 0; step < 7; step += 1) {
    const middle = (low + high) / 2
    if (reached(middle) < aim) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const joined = (parts: ReadonlyArray<Ranking>): Ranking => {
  const scores = new Map<number, number>()
  for (const { key, score } of parts.flat()) scores.set(key, (scores.get(key) ?? 0) + score)
  return [...scores].map(([key, score]) => ({ key, score })).toSorted((left, right) => right.score - left.score)
}

const byRank =
  (weight: number, damping: number): Way =>
  ({ vectors, words }) => {
    const ranked = (ranking: Ranking, own: number) =>
      ranking.map(({ key }, at) => ({ key, score: own / (damping + at + 1) }))
    return joined([ranked(words, 1), ranked(vectors, weight)])
  }

/** From 0, the last candidate, to 1, the first. */
const between = (ranking: Ranking): Ranking => {
  const [first, last] = [ranking.at(0)?.score ?? 0, ranking.at(-1)?.score ?? 0]
  return ranking.map(({ key, score }) => ({ key, score: first === last ? 1 : (score - last) / (first - last) }))
}

/** In standard deviations above the lowest candidate. */
const deviations = (ranking: Ranking): Ranking => {
  const mean = ranking.reduce((sum, { score }) => sum + score, 0) / Math.max(1, ranking.length)
  const variance = ranking.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / Math.max(1, ranking.length)
  const least = ranking.at(-1)?.score ?? 0
  return ranking.map(({ key, score }) => ({ key, score: variance === 0 ? 1 : (score - least) / Math.sqrt(variance) }))
}

const byScore =
  (weight: number, normalised: (ranking: Ranking) => Ranking): Way =>
  ({ vectors, words }) => {
    const times = (ranking: Ranking, own: number) => ranking.map(({ key, score }) => ({ key, score: own * score }))
    return joined([times(normalised(words), 1), times(normalised(vectors), weight)])
  }

const weights = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4]

/** By name. */
const ways: ReadonlyArray<readonly [string, Way]> = [
  ...[1, 2, 5, 10, 20, 60].flatMap((damping) =>
    weights.map((weight) => [`ranks, damping ${damping}, weight ${weight}`, byRank(weight, damping)] as const)
  ),
  ...weights.flatMap((weight) => [
    [`scores from 0 to 1, weight ${weight}`, byScore(weight, between)] as const,
    [`scores in deviations, weight ${weight}`, byScore(weight, deviations)] as const
  ])
]

const rounded = (value: number): number => Number(value.toFixed(3))

/** MRR of each half: the parts, and every way to join them less the better part of the half. */
export const table = (asked: ReadonlyArray<Asked>) => {
  const both = (way: Way) => [mrr(asked, way, "dev"), mrr(asked, way, "unseen")] as const
  const [words, vectors] = [both((one) => one.words), both((one) => one.vectors)]
  const best = [Math.max(words[0], vectors[0]), Math.max(words[1], vectors[1])] as const
  const gains = ways.map(([name, way]) => {
    const [dev, unseen] = both(way)
    return [name, [rounded(dev - best[0]), rounded(unseen - best[1])]] as const
  })
  return { words: words.map(rounded), vectors: vectors.map(rounded), gains: Object.fromEntries(gains) }
}
