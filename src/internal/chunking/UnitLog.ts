/** The pieces of one stretch where every code unit is a token, and so a piece. */
export class UnitLog {
  length = 0
  start = 0

  open(start: number, end: number): void {
    this.start = start
    this.length = end - start
  }

  tokens(): undefined {
    return undefined
  }

  /** End of a piece; the start of the stretch for -1. */
  end(index: number): number {
    return this.start + index + 1
  }

  /** Tokens up to the end of a piece; 0 for -1. */
  sum(index: number): number {
    return index + 1
  }

  /** First piece that ends behind `at`. */
  indexAfter(at: number): number {
    return Math.min(this.length, Math.max(0, at - this.start))
  }

  /** First piece from `index` on that ends at or behind `end`, or with which more than `most` tokens are reached. */
  indexPast(index: number, end: number, most: number): number {
    return Math.max(index, Math.min(this.length, end - this.start - 1, most))
  }
}
