/** Measures of agreement between two readings, each from 0 to 1; undefined where the truth has nothing to compare. */
import type { Grid, Heading } from "./reading.ts"

/** Length of the longest common subsequence, 32 words of the shorter list at a time (Hyyrö). */
export const commonLength = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  const size = (short.length + 31) >>> 5
  const places = new Map<string, Array<number>>()
  short.forEach((word, at) => {
    const own = places.get(word)
    if (own === undefined) places.set(word, [at])
    else own.push(at)
  })
  const open = new Uint32Array(size).fill(0xffffffff)
  const mask = new Uint32Array(size)
  for (const word of long) {
    const own = places.get(word)
    if (own === undefined) continue
    for (const at of own) mask[at >>> 5] = (mask[at >>> 5] ?? 0) | (1 << (at & 31))
    let carry = 0
    for (let at = 0; at < size; at++) {
      const value = open[at] ?? 0
      const bits = mask[at] ?? 0
      const sum = value + ((value & bits) >>> 0) + carry
      carry = sum > 0xffffffff ? 1 : 0
      open[at] = ((sum >>> 0) | ((value & ~bits) >>> 0)) >>> 0
    }
    for (const at of own) mask[at >>> 5] = 0
  }
  return short.reduce((sum, _, at) => sum + (((open[at >>> 5] ?? 0) >>> (at & 31)) & 1 ? 0 : 1), 0)
}

/** Twice the longest common subsequence, in words of both. */
export const similarity = (truth: ReadonlyArray<string>, found: ReadonlyArray<string>): number =>
  truth.length + found.length === 0 ? 1 : (2 * commonLength(truth, found)) / (truth.length + found.length)

export interface Bag {
  readonly recall: number
  readonly precision: number
  readonly f1: number
}

const counts = (words: ReadonlyArray<string>): Map<string, number> => {
  const bag = new Map<string, number>()
  for (const word of words) bag.set(word, (bag.get(word) ?? 0) + 1)
  return bag
}

export const f1 = (precision: number, recall: number): number =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)

/** Agreement without order. */
export const bag = (truth: ReadonlyArray<string>, found: ReadonlyArray<string>): Bag => {
  const theirs = counts(found)
  let both = 0
  for (const [word, count] of counts(truth)) both += Math.min(count, theirs.get(word) ?? 0)
  const recall = truth.length === 0 ? 1 : both / truth.length
  const precision = found.length === 0 ? (truth.length === 0 ? 1 : 0) : both / found.length
  return { recall, precision, f1: f1(precision, recall) }
}

export interface Headings {
  readonly f1: number
  /** Share of steps from one matched heading to the next that go up, down or stay as in the truth. */
  readonly levels: number | undefined
}

/** Headings are the same when three quarters of their words are. */
export const headings = (truth: ReadonlyArray<Heading>, found: ReadonlyArray<Heading>): Headings | undefined => {
  if (truth.length === 0) return undefined
  const used = new Set<Heading>()
  const pairs: Array<readonly [number, number]> = []
  for (const heading of truth) {
    let best: Heading | undefined
    let most = 0
    for (const other of found) {
      if (used.has(other)) continue
      const likeness = bag(heading.words, other.words).f1
      if (likeness >= 0.75 && likeness > most) {
        most = likeness
        best = other
      }
    }
    if (best === undefined) continue
    used.add(best)
    pairs.push([heading.level, best.level])
  }
  const steps = pairs.slice(1).map(([level, other], at) => {
    const [before = 0, otherBefore = 0] = pairs[at] ?? []
    return Math.sign(level - before) === Math.sign(other - otherBefore)
  })
  return {
    f1: f1(found.length === 0 ? 0 : pairs.length / found.length, pairs.length / truth.length),
    levels: steps.length === 0 ? undefined : steps.filter(Boolean).length / steps.length
  }
}

/** Each filled cell with the next filled one to its right and below it. */
const neighbours = (grid: Grid): ReadonlyArray<string> => {
  const pairs: Array<string> = []
  grid.forEach((row, top) =>
    row.forEach((text, left) => {
      if (text === "") return
      const right = row.slice(left + 1).find((other) => other !== "")
      if (right !== undefined) pairs.push(`right ${text} ${right}`)
      const below = grid.slice(top + 1).find((other) => (other[left] ?? "") !== "")?.[left]
      if (below !== undefined) pairs.push(`below ${text} ${below}`)
    })
  )
  return pairs
}

export interface Tables {
  /** F1 of the texts of cells. */
  readonly cells: number
  /** F1 of neighbouring cells, as in the ICDAR 2013 competition. */
  readonly adjacency: number
}

export const tables = (truth: ReadonlyArray<Grid>, found: ReadonlyArray<Grid>): Tables | undefined => {
  if (truth.length === 0) return undefined
  const texts = (grids: ReadonlyArray<Grid>) => grids.flatMap((grid) => grid.flat().filter((text) => text !== ""))
  const wanted = truth.flatMap(neighbours)
  const cells = bag(texts(truth), texts(found)).f1
  return { cells, adjacency: wanted.length === 0 ? cells : bag(wanted, found.flatMap(neighbours)).f1 }
}

/** F1 of whole list items; undefined where the truth has fewer than three. */
export const items = (truth: ReadonlyArray<string>, found: ReadonlyArray<string>): number | undefined =>
  truth.length < 3 ? undefined : bag(truth, found).f1
