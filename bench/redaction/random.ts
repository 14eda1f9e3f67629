/** Chance from a seed: the same seed gives the same labelled set on every machine. */
export interface Random {
  /** An integer from 0 to `below` - 1. */
  readonly below: (below: number) => number
  readonly pick: <A>(items: ReadonlyArray<A>) => A
  /** `count` characters of `alphabet`. */
  readonly text: (count: number, alphabet: string) => string
  readonly digits: (count: number) => string
}

/** mulberry32. */
export const make = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <A>(items: ReadonlyArray<A>): A => {
    const item = items[below(items.length)]
    if (item === undefined) throw new RangeError("nothing to pick from")
    return item
  }
  const text = (count: number, alphabet: string): string =>
    Array.from({ length: count }, () => pick([...alphabet])).join("")
  return { below, pick, text, digits: (count) => text(count, "0123456789") }
}
