/** What a stretch that is above the budget is cut into. */
import type { Stretch } from "./Stretch.ts"

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
  /** Tokens that no part may exceed, if it has to stay in one. */
  readonly most: number
}

/** The parts of a stretch; all but the last end their chunks, and the last one too unless it is `open`. */
export interface Parts {
  readonly stretches: ReadonlyArray<Stretch>
  readonly open: boolean
  /** Those that add up with the part before them, by their seam. */
  readonly added: ReadonlySet<Stretch>
}
