/** Chance from a seed for whole documents: the same seed gives the same document on every machine. */
import * as Random from "../redaction/random.ts"

export interface Chance extends Random.Random {
  /** An integer from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number
  /** True with probability `share`. */
  readonly holds: (share: number) => boolean
  /** `count` values of `make`. */
  readonly times: <A>(count: number, make: (at: number) => A) => ReadonlyArray<A>
  /** A key, with a probability proportional to its weight. */
  readonly weighted: <K>(weights: ReadonlyArray<readonly [K, number]>) => K
}

const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

/** Independent of the chance of any other name with the same seed. */
export const make = (name: string, seed: number): Chance => {
  const random = Random.make(hash(`${name}/${seed}`))
  const between = (least: number, most: number): number => least + random.below(most - least + 1)
  const holds = (share: number): boolean => random.below(10_000) < share * 10_000
  const times = <A>(count: number, one: (at: number) => A): ReadonlyArray<A> =>
    Array.from({ length: count }, (_, at) => one(at))
  const weighted = <K>(weights: ReadonlyArray<readonly [K, number]>): K => {
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
    let left = random.below(Math.round(total * 1000)) / 1000
    for (const [key, weight] of weights) {
      left -= weight
      if (left < 0) return key
    }
    return random.pick(weights)[0]
  }
  return { ...random, between, holds, times, weighted }
}
