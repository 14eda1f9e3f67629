const none = new Int32Array(0)

/** Pieces that there is room for at first; nothing is kept before the first one, since most documents need none. */
const least = 128

/** The pieces of one stretch: where each ends, and the tokens up to there. Kept in arrays that are used again. */
export class PieceLog {
  length = 0
  start = 0
  /** Last piece that was taken to be above the budget without being counted; -1 when all were counted. */
  uncounted = -1
  private ends = none
  private sums = none

  clear(start: number): void {
    this.length = 0
    this.start = start
    this.uncounted = -1
  }

  push(end: number, sum: number): void {
    if (this.length === this.ends.length) {
      const room = Math.max(least, this.length * 2)
      const ends = new Int32Array(room)
      const sums = new Int32Array(room)
      ends.set(this.ends)
      sums.set(this.sums)
      this.ends = ends
      this.sums = sums
    }
    this.ends[this.length] = end
    this.sums[this.length] = sum
    this.length++
  }

  /** End of a piece; the start of the stretch for -1. */
  end(index: number): number {
    return index < 0 ? this.start : (this.ends[index] ?? this.start)
  }

  /** Tokens up to the end of a piece; 0 for -1. */
  sum(index: number): number {
    return index < 0 ? 0 : (this.sums[index] ?? 0)
  }

  /** First piece from `index` on that ends at or behind `end`, or with which more than `most` tokens are reached. */
  indexPast(index: number, end: number, most: number): number {
    let piece = index
    while (piece < this.length && this.end(piece) < end && this.sum(piece) <= most) {
      piece++
    }
    return piece
  }

  /** First piece that ends behind `at`. */
  indexAfter(at: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.end(middle) <= at) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
