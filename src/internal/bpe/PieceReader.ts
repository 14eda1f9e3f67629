/** The end of each piece of a text, and the tokens up to there: plain memory, since a call for every piece takes longer than counting it. */
export interface PieceList {
  /** End of each piece, in UTF-16 code units. Its length is the room there is. */
  readonly ends: Int32Array
  /** Tokens from the first piece to the end of each. */
  readonly sums: Int32Array
  /** Pieces in the list. */
  length: number
}

/**
 * Reads one text in pieces: the parts that an encoding merges to tokens one by one.
 *
 * A range `[start, end)` is read as `text.slice(start, end)`, as if nothing stood around it. Its token count is the sum
 * over its pieces. Two readings of a text that have one end of a piece in common have all later ones in common.
 */
export interface PieceReader {
  /** End of the first piece of the range. Needs `start < end`. */
  readonly next: (start: number, end: number) => number
  /** Tokens of the range. */
  readonly count: (start: number, end: number) => number
  /** Appends the range's pieces to the list until it is full or holds thousands of code units more; returns the end of the last. */
  readonly list: (start: number, end: number, list: PieceList) => number
  /**
   * End of each token of a range that lies in one piece, counted from `start`; -1 for a token that ends inside a code
   * point. The text up to the end of a token has exactly the tokens up to there.
   */
  readonly tokenEnds: (start: number, end: number) => Int32Array
}
