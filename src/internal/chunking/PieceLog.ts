import type { Tokenizer } from "../../Tokenizer.ts"

const none = new Int32Array(0)

/** Pieces that there is room for at first. */
const least = 512

/** The pieces of a stretch: where each ends, and the tokens up to there. */
export class PieceLog implements Tokenizer.Log {
  ends = none
  sums = none
  length = 0
  start = 0
  readonly longest: number
  /** The tokens of pieces that may be above the budget, by the piece's number. */
  private readonly long = new Map<number, Int32Array>()

  /** Wants no piece of more characters than `longest`. */
  constructor(longest: number) {
    this.longest = longest
  }

  clear(start: number): void {
    this.length = 0
    this.start = start
    if (this.long.size > 0) {
      this.long.clear()
    }
  }

  push(end: number, tokens: number): void {
    if (this.length === this.ends.length) {
      this.grow()
    }
    this.ends[this.length] = end
    this.sums[this.length] = this.sum(this.length - 1) + tokens
    this.length++
  }

  /** A piece that may have to be cut between its tokens, which end where they are said to. */
  pushLong(end: number, tokens: Int32Array): void {
    this.long.set(this.length, tokens)
    this.push(end, tokens.length)
  }

  /** Where the tokens of a long piece end, counted from its start; undefined for any other piece. */
  tokens(index: number): Int32Array | undefined {
    return this.long.size === 0 ? undefined : this.long.get(index)
  }

  private grow(): void {
    const room = Math.max(least, this.length * 2)
    const ends = new Int32Array(room)
    const sums = new Int32Array(room)
    ends.set(this.ends)
    sums.set(this.sums)
    this.ends = ends
    this.sums = sums
  }

  /** End of a piece; the start of the stretch for -1. */
  end(index: number): number {
    return index < 0 ? this.start : (this.ends[index] ?? this.start)
  }

  /** Tokens up to the end of a piece; 0 for -1. */
  sum(index: number): number {
    return index < 0 ? 0 : (this.sums[index] ?? 0)
  }

  /** Whether a logged piece ends at a place, or the first one starts there. */
  divides(place: number): boolean {
    return this.end(this.indexAfter(place) - 1) === place
  }

  /** First piece from `index` on that ends at or behind `end`, or with which more than `limit` tokens are reached. */
  indexPast(index: number, end: number, limit: number): number {
    let piece = index
    while (piece < this.length && this.end(piece) < end && this.sum(piece) <= limit) {
      piece++
    }
    return piece
  }

  /** First piece that ends behind a place. */
  indexAfter(place: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.end(middle) <= place) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
