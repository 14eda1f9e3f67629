/** Rank of the token that these bytes (as Latin-1 text) are, or undefined. */
export type RankOf = (bytes: string) => number | undefined

const none = 0x7fffffff

/** Up to here the least pair is found by looking at all of them; above it by a heap, so that a long piece stays n log n. */
const small = 48

/** The parts of a piece while they are merged: `next[i]` is the start of the part after the one that starts at `i`. */
interface Parts {
  readonly bytes: string
  readonly next: Int32Array
  readonly previous: Int32Array
  /** Rank of the pair that starts at a part; `none` when it is no token, -1 when the part is gone. */
  readonly rank: Int32Array
  readonly rankOf: (start: number, end: number) => number
}

const partsOf = (bytes: string, rankOf: RankOf, longest: number): Parts => {
  const length = bytes.length
  const pair = (start: number, end: number): number =>
    end - start > longest ? none : (rankOf(bytes.slice(start, end)) ?? none)
  const next = new Int32Array(length + 1)
  const previous = new Int32Array(length + 1)
  const rank = new Int32Array(length + 1).fill(none)
  for (let at = 0; at <= length; at++) {
    next[at] = at + 1
    previous[at] = at - 1
    if (at + 1 < length) {
      rank[at] = pair(at, at + 2)
    }
  }
  return { bytes, next, previous, rank, rankOf: pair }
}

/** Merges the pair that starts at `at`; gives the start of the part before it, or -1. */
const mergeAt = (parts: Parts, at: number): number => {
  const { next, previous, rank, bytes, rankOf } = parts
  const gone = next[at] ?? 0
  const after = next[gone] ?? 0
  next[at] = after
  if (after <= bytes.length) {
    previous[after] = at
  }
  rank[gone] = -1
  rank[at] = after < bytes.length ? rankOf(at, next[after] ?? 0) : none
  const before = previous[at] ?? -1
  if (before >= 0) {
    rank[before] = rankOf(before, after)
  }
  return before
}

/** Merges until no pair is a token; gives how many parts are left. */
const mergeSmall = (parts: Parts): number => {
  const { bytes, next, rank } = parts
  for (let count = bytes.length; ; count--) {
    let best = none
    let bestAt = -1
    for (let at = 0; at < bytes.length; at = next[at] ?? none) {
      const candidate = rank[at] ?? none
      if (candidate < best) {
        best = candidate
        bestAt = at
      }
    }
    if (bestAt < 0) {
      return count
    }
    mergeAt(parts, bestAt)
  }
}

const push = (heap: Array<number>, value: number): void => {
  let at = heap.length
  heap.push(value)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] ?? 0
    if (above <= value) {
      break
    }
    heap[at] = above
    at = parent
  }
  heap[at] = value
}

const pop = (heap: Array<number>): number => {
  const top = heap[0] ?? 0
  const value = heap.pop() ?? 0
  const size = heap.length
  if (size === 0) {
    return top
  }
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) {
      break
    }
    if (child + 1 < size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) {
      child++
    }
    const below = heap[child] ?? 0
    if (below >= value) {
      break
    }
    heap[at] = below
    at = child
  }
  heap[at] = value
  return top
}

/** Rank and position in one number: ranks stay below 2^18, positions below 2^32. */
const positions = 4294967296

const mergeLarge = (parts: Parts): number => {
  const { bytes, rank } = parts
  const heap: Array<number> = []
  const offer = (at: number): void => {
    const candidate = rank[at] ?? none
    if (candidate !== none) {
      push(heap, candidate * positions + at)
    }
  }
  for (let at = 0; at < bytes.length; at++) {
    offer(at)
  }
  let count = bytes.length
  while (heap.length > 0) {
    const value = pop(heap)
    const wanted = Math.floor(value / positions)
    const at = value - wanted * positions
    if (rank[at] !== wanted) {
      continue
    }
    const before = mergeAt(parts, at)
    count--
    offer(at)
    if (before >= 0) {
      offer(before)
    }
  }
  return count
}

const merge = (parts: Parts): number => (parts.bytes.length <= small ? mergeSmall(parts) : mergeLarge(parts))

/** Number of tokens that byte pair merging leaves of the bytes (as Latin-1 text). */
export const mergedLength = (bytes: string, rankOf: RankOf, longest: number): number =>
  bytes.length < 2 ? bytes.length : merge(partsOf(bytes, rankOf, longest))

/**
 * End of each of those tokens, in bytes. What lies between any two of them is merged to the same tokens on its own: no merge
 * reached over its ends, and those in it came in the order of their ranks, as they do without what stood around.
 */
export const mergedEnds = (bytes: string, rankOf: RankOf, longest: number): Int32Array => {
  const parts = partsOf(bytes, rankOf, longest)
  const ends = new Int32Array(merge(parts))
  let at = 0
  for (let token = 0; token < ends.length; token++) {
    at = parts.next[at] ?? bytes.length
    ends[token] = at
  }
  return ends
}
