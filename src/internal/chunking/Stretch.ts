/** A stretch of the Markdown that starts a line, counted so that sums are exact for every run of stretches. */
export interface Stretch {
  readonly start: number
  /** Without trailing white space. */
  end: number
  /** Start of the next stretch. */
  readonly next: number
  /** Tokens of `[start, next)`. */
  readonly weight: number
  /** A place near `end` between two pieces, and the tokens before it; -1 until it is asked for. */
  cut: number
  before: number
  /** Tokens of `[start, end)`; -1 until they are asked for. */
  own: number
  /** What the weights of this stretch and the one before it miss to be the weight of both; nearly always 0. */
  seam: number
}

/** A stretch with a place between two pieces, -1 when none is known, and the tokens before it. */
export const stretchOf = (
  start: number,
  end: number,
  next: number,
  weight: number,
  cut: number,
  before: number
): Stretch => ({ start, end, next, weight, cut, before, own: -1, seam: 0 })

/** A part that ends its chunk: its tokens are known, nothing is added behind it. */
export const closedStretch = (start: number, end: number, tokens: number): Stretch =>
  stretchOf(start, end, end, tokens, -1, 0)
