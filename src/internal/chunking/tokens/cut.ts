import { trimEnd, trimStart } from "../scan/Leaf.ts"
/** Cuts what is above the budget into parts that are not, at the best places there are. */
import type { Steps } from "../steps.ts"
import type { Breaker } from "./breakPoint.ts"
import { clusterEnd, codePointEnd } from "./cluster.ts"
import type { TokenMap } from "./TokenMap.ts"

/** A single code point is above the budget. */
export class TooSmall {
  readonly offset: number
  constructor(offset: number) {
    this.offset = offset
  }
}

export interface Limits {
  /** Tokens of the first part. */
  readonly first: number
  /** Tokens of every other part. */
  readonly other: number
  /** Tokens of a cluster that is above both, if it is to stay whole. */
  readonly most: number
}

/** `[start, end)` without white space at its ends. */
export interface Part {
  readonly start: number
  readonly end: number
}

/** A rest of so few characters is counted, in case all of it fits. */
const nearEnd = 32

/** Most bytes of a code point, so most tokens of it. */
const widest = 4

/**
 * The parts of `[start, end)`, in order; white space between two of them is in neither.
 *
 * @yields {undefined} After each step.
 */
export function* cut(
  map: TokenMap,
  { end, start }: Part,
  limits: Limits,
  breaker: Breaker
): Steps<ReadonlyArray<Part> | TooSmall> {
  const { text } = map
  const parts: Array<Part> = []
  let limit = limits.first
  for (let at = start; at < end;) {
    const place = cutWithin(map, { start: at, end }, limit, breaker) ?? clusterWithin(map, at, end, limits.most)
    if (place instanceof TooSmall) {
      return place
    }
    const part = { start: at, end: trimEnd(text, at, place) }
    at = trimStart(text, place, end)
    if (part.end > part.start) {
      parts.push(part)
      limit = limits.other
    }
    yield
  }
  return parts
}

/** The best place up to which there are at most `limit` tokens; undefined when every place there would tear a cluster. */
const cutWithin = (map: TokenMap, { end, start }: Part, limit: number, breaker: Breaker): number | undefined => {
  const fits = (place: number): boolean => map.tokens(start, trimEnd(map.text, start, place)) <= limit
  for (let room = limit; room > 0; room -= Math.max(1, room >> 3)) {
    const farthest = map.reach(start, end, room)
    if (end - farthest <= nearEnd && fits(end)) {
      return end
    }
    const place = farthest > start ? breaker(map.text, start, farthest, end) : start
    if (place === start) {
      return undefined
    }
    if (fits(place)) {
      return place
    }
  }
  return undefined
}

/** The end of the cluster, or of as much of it as there is room for. */
const clusterWithin = (map: TokenMap, start: number, end: number, most: number): number | TooSmall => {
  const fits = (place: number): boolean => map.tokens(start, place) <= most
  const farthest = map.reach(start, Math.min(end, start + most * widest), most)
  const cluster = clusterEnd(map.text, start, Math.min(end, farthest + nearEnd))
  const least = codePointEnd(map.text, start)
  const place = cluster <= farthest || cluster - farthest < widest ? cluster : Math.max(least, farthest)
  return fits(place) ? place : fits(least) ? least : new TooSmall(start)
}
