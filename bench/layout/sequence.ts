/**
 * Matches two sequences of words whose parts may stand in another order: columns read across, notes moved to the end of a page.
 *
 * Runs of words that occur once on both sides are matched first, long ones before short ones; what is left between two matches is
 * matched by the longest common subsequence of its words, and then of its letters, since a word may be split or joined.
 */

export interface Match {
  /** For each word on the right the index of its word on the left, or -1. */
  readonly rightToLeft: Int32Array
  /** For each word on the left 1 if it was found. */
  readonly found: Uint8Array
}

/** Most cells of a table of common subsequences. */
const mostCells = 4_000_000

/** Pairs of a longest common subsequence, in order; none if the table would be too large. */
export const common = (
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>
): ReadonlyArray<readonly [left: number, right: number]> => {
  const width = right.length + 1
  if (left.length === 0 || right.length === 0 || (left.length + 1) * width > mostCells) return []
  const table = new Uint16Array((left.length + 1) * width)
  const at = (row: number, column: number): number => table[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      table[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const pairs: Array<readonly [number, number]> = []
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) pairs.push([row++, column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return pairs
}

class Matcher {
  readonly rightToLeft: Int32Array
  readonly leftToRight: Int32Array
  readonly found: Uint8Array

  private readonly left: ReadonlyArray<string>
  private readonly right: ReadonlyArray<string>
  private readonly taken: (right: number) => boolean

  constructor(left: ReadonlyArray<string>, right: ReadonlyArray<string>, taken: (right: number) => boolean) {
    this.left = left
    this.right = right
    this.taken = taken
    this.rightToLeft = new Int32Array(right.length).fill(-1)
    this.leftToRight = new Int32Array(left.length).fill(-1)
    this.found = new Uint8Array(left.length)
  }

  private openLeft(at: number): boolean {
    return at >= 0 && at < this.left.length && this.found[at] === 0
  }

  private openRight(at: number): boolean {
    return at >= 0 && at < this.right.length && this.rightToLeft[at] === -1 && !this.taken(at)
  }

  private pair(left: number, right: number): void {
    this.leftToRight[left] = right
    this.rightToLeft[right] = left
    this.found[left] = 1
  }

  /** Runs of `length` open words by their text: the place of each, or -1 where it occurs twice. */
  private runs(
    words: ReadonlyArray<string>,
    length: number,
    open: (at: number) => boolean
  ): ReadonlyMap<string, number> {
    const runs = new Map<string, number>()
    let free = 0
    for (let end = 0; end < words.length; end++) {
      free = open(end) ? free + 1 : 0
      if (free < length) continue
      const start = end - length + 1
      const key = words.slice(start, end + 1).join(" ")
      if (length <= 2 && key.length < 4) continue
      runs.set(key, runs.has(key) ? -1 : start)
    }
    return runs
  }

  /** Matches runs of `length` that occur once on both sides, and what goes on before and after them. */
  seed(length: number): void {
    const right = this.runs(this.right, length, (at) => this.openRight(at))
    for (const [key, start] of this.runs(this.left, length, (at) => this.openLeft(at))) {
      const place = right.get(key)
      if (start < 0 || place === undefined || place < 0) continue
      const open = (step: number) =>
        this.openLeft(start + step) &&
        this.openRight(place + step) &&
        this.left[start + step] === this.right[place + step]
      if (!Array.from({ length }, (_, step) => step).every(open)) continue
      for (let step = 0; open(step); step++) this.pair(start + step, place + step)
      for (let step = -1; open(step); step--) this.pair(start + step, place + step)
    }
  }

  /** Open words on the right where those on the left from `from` to `to` may be: between, after or before their neighbours. */
  private near(from: number, to: number): ReadonlyArray<ReadonlyArray<number>> {
    const before = from === 0 ? -1 : (this.leftToRight[from - 1] ?? -1)
    const after = to >= this.left.length ? this.right.length : (this.leftToRight[to] ?? -1)
    const reach = (to - from) * 3 + 12
    const open = (start: number, end: number): ReadonlyArray<number> => {
      const places: Array<number> = []
      for (let at = start; at < end; at++) if (this.openRight(at)) places.push(at)
      return places
    }
    if (after > before && after - before <= reach + 200) return [open(before + 1, after)]
    return [
      ...(before >= 0 || from === 0 ? [open(before + 1, Math.min(this.right.length, before + 1 + reach))] : []),
      ...(after >= 0 ? [open(Math.max(0, after - reach), after)] : [])
    ]
  }

  private gaps(): ReadonlyArray<readonly [from: number, to: number]> {
    const gaps: Array<readonly [number, number]> = []
    for (let from = 0; from < this.left.length; from++) {
      if (this.found[from] === 1) continue
      let to = from
      while (to < this.left.length && this.found[to] === 0) to++
      gaps.push([from, to])
      from = to
    }
    return gaps
  }

  fillWords(): void {
    for (const [from, to] of this.gaps()) {
      for (const places of this.near(from, to)) {
        const open = Array.from({ length: to - from }, (_, at) => from + at).filter((at) => this.found[at] === 0)
        const pairs = common(
          open.map((at) => this.left[at] ?? ""),
          places.map((at) => this.right[at] ?? "")
        )
        for (const [one, other] of pairs) this.pair(open[one] ?? 0, places[other] ?? 0)
      }
    }
  }

  /** Words of the right most of whose letters are letters of one word of the left. */
  fillLetters(): void {
    for (const [from, to] of this.gaps()) {
      for (const places of this.near(from, to)) {
        const ours = Array.from({ length: to - from }, (_, at) => from + at)
          .filter((at) => this.found[at] === 0)
          .flatMap((at) => Array.from(this.left[at] ?? "", (letter) => ({ at, letter })))
        const theirs = places.flatMap((at) => Array.from(this.right[at] ?? "", (letter) => ({ at, letter })))
        if (ours.length > 600 || theirs.length > 600) continue
        const votes = new Map<number, Map<number, number>>()
        for (const [one, other] of common(
          ours.map(({ letter }) => letter),
          theirs.map(({ letter }) => letter)
        )) {
          const left = ours[one]?.at ?? 0
          const right = theirs[other]?.at ?? 0
          const own = votes.get(right) ?? new Map<number, number>()
          votes.set(right, own.set(left, (own.get(left) ?? 0) + 1))
        }
        for (const [right, own] of votes) {
          const [best] = [...own].toSorted(([, one], [, other]) => other - one)
          const shared = [...own.values()].reduce((sum, count) => sum + count, 0)
          const length = (this.right[right] ?? "").length
          if (best === undefined || shared < length * 0.7) continue
          this.rightToLeft[right] = best[0]
          for (const [left, count] of own) if (count >= (this.left[left] ?? "").length * 0.4) this.found[left] = 1
        }
      }
    }
  }
}

/** Words on the right for which `taken` holds are not matched. */
export const match = (
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>,
  taken: (right: number) => boolean = () => false
): Match => {
  const matcher = new Matcher(left, right, taken)
  for (const length of [6, 4, 3]) matcher.seed(length)
  matcher.fillWords()
  for (const length of [2, 1]) matcher.seed(length)
  matcher.fillWords()
  matcher.fillLetters()
  return matcher
}
