/** Confidence intervals by bootstrap: the questions are drawn again and again, with replacement. */

/** A mean, and the bounds between which 95 of 100 means of drawn questions lie. */
export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

const mean = (values: Float64Array): number => values.reduce((total, value) => total + value, 0) / values.length

/** The value below which this share of the sorted values lies. */
const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN

/** Mulberry32: the numbers from 0 to below 1 of a seed. */
export const numbersOf = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * The mean of each list with its percentile interval. All lists have one value for each question, at least one, and are drawn together;
 * the same seed gives the same bounds. `resamples` is at least 1.
 */
export const intervals = (
  values: Readonly<Record<string, ReadonlyArray<number>>>,
  { resamples, seed }: { readonly resamples: number; readonly seed: number }
): Readonly<Record<string, Interval>> => {
  const lists = Object.entries(values).map(([name, list]) => ({
    name,
    list: Float64Array.from(list),
    means: new Float64Array(resamples)
  }))
  const count = Math.max(0, ...lists.map(({ list }) => list.length))
  const next = numbersOf(seed)
  const drawn = new Uint32Array(count)
  for (let draw = 0; draw < resamples; draw++) {
    for (let at = 0; at < count; at++) drawn[at] = Math.floor(next() * count)
    for (const { list, means } of lists) {
      let total = 0
      for (const at of drawn) total += list[at] ?? 0
      means[draw] = total / count
    }
  }
  return Object.fromEntries(
    lists.map(({ list, means, name }) => {
      const value = mean(list)
      const sorted = means.toSorted()
      return [name, { value, low: percentile(sorted, 0.025), high: percentile(sorted, 0.975) }]
    })
  )
}
