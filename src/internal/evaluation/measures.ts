/** Measures of one ranking, as trec_eval defines them. */

/**
 * A ranking that was judged. Truth is made of units, such as pages: a hit counts for the units that no hit before it covers, so that a
 * second passage of the same page adds nothing.
 */
export interface Judged {
  /** The grade of every unit of truth, above 0; at least one. */
  readonly grades: ReadonlyArray<number>
  /** For each hit, best first, the grades of the units that it is the first to cover. */
  readonly found: ReadonlyArray<ReadonlyArray<number>>
  /** Tokens of each hit. */
  readonly tokens: ReadonlyArray<number>
}

/** Share of the units among the first `k` hits. */
export const recall = ({ found, grades }: Judged, k: number): number => found.slice(0, k).flat().length / grades.length

/** 1 if any unit is among the first `k` hits, else 0. */
export const hit = ({ found }: Judged, k: number): number => (found.slice(0, k).flat().length > 0 ? 1 : 0)

/** 1-based rank of the first hit that covers a unit; null when none does. */
export const firstRank = ({ found }: Judged): number | null => {
  const at = found.findIndex((grades) => grades.length > 0)
  return at < 0 ? null : at + 1
}

/** 1 / rank of the first hit that covers a unit; 0 when none does. */
export const reciprocalRank = (judged: Judged): number => {
  const rank = firstRank(judged)
  return rank === null ? 0 : 1 / rank
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const discounted = (gains: ReadonlyArray<number>): number => sum(gains.map((gain, at) => gain / Math.log2(at + 2)))

/**
 * Gain of the first `k` hits, grade / log2(rank + 1), divided by that of the units in the order of their grades. A hit that covers several
 * units gains all of their grades; the quotient is at most 1.
 */
export const ndcg = ({ found, grades }: Judged, k: number): number => {
  const ideal = discounted(grades.toSorted((left, right) => right - left).slice(0, k))
  return Math.min(1, discounted(found.slice(0, k).map(sum)) / ideal)
}

/** Mean, over all units, of the share of hits that cover one up to the rank of the unit; 0 for a unit that is not found. */
export const averagePrecision = ({ found, grades }: Judged): number => {
  let right = 0
  const precisions = found.map((units, at) => {
    if (units.length > 0) right++
    return (units.length * right) / (at + 1)
  })
  return sum(precisions) / grades.length
}

/** Share of the units in the hits that fit into a prompt: they are added in order until the next one would be more than `budget` tokens. */
export const recallWithin = (judged: Judged, budget: number): number => {
  let total = 0
  const over = judged.tokens.findIndex((tokens) => (total += tokens) > budget)
  return recall(judged, over < 0 ? judged.tokens.length : over)
}
