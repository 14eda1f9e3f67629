import type { Tokenizer } from "../../Tokenizer.ts"
import { inPair } from "./cluster.ts"

/** Characters whose tokens are asked for again, to find one that a whole piece has too; then four times as many, and so on. */
export const around = 8

const none = new Int32Array(0)

/** How many tokens there are up to the end of one that two runs of tokens have in common, in each of them. */
interface Meeting {
  readonly few: number
  readonly whole: number
}

/**
 * The tokens of a piece from a place in it on. They are numbered from there: token 1 ends at `place(1)`.
 *
 * Byte pair merging is local: a run of tokens is what a text is merged to if each two neighbours are. So where the tokens of a
 * part of a piece and those of the whole have one in common, they can change over from one to the other behind it.
 */
export class PieceTokens {
  readonly start: number
  readonly end: number
  readonly length: number
  private readonly pieces: Tokenizer.Pieces
  /** Where the first tokens end, counted from `start`. */
  private readonly few: Int32Array
  /** Where the tokens of the whole piece end, counted from its start. */
  private readonly whole: Int32Array
  private readonly wholeStart: number
  /** So many more tokens has the whole piece up to a place behind `few`. */
  private readonly more: number

  private constructor(
    pieces: Tokenizer.Pieces,
    start: number,
    few: Int32Array,
    whole: Int32Array,
    wholeStart: number,
    more: number
  ) {
    this.pieces = pieces
    this.start = start
    this.few = few
    this.whole = whole
    this.wholeStart = wholeStart
    this.more = more
    this.length = whole.length - more
    this.end = wholeStart + (whole[whole.length - 1] ?? 0)
  }

  /** Of a whole piece, whose tokens are known. */
  static of(pieces: Tokenizer.Pieces, start: number, ends: Int32Array): PieceTokens {
    return new PieceTokens(pieces, start, none, ends, start, 0)
  }

  /** Of the part of a whole piece that starts at a place in it. */
  from(text: string, start: number): PieceTokens {
    const { end, pieces, whole, wholeStart } = this
    const first = this.lastUpTo(start)
    if (this.place(first) === start) {
      return new PieceTokens(pieces, start, none, whole, wholeStart, first)
    }
    for (let size = around; ; size = wider(size, end - start)) {
      const stop = pairEnd(text, Math.min(end, start + size))
      const few = pieces.tokens(start, stop)
      const meeting = this.meeting(start, few, first)
      if (meeting !== undefined) {
        return new PieceTokens(
          pieces,
          start,
          few.subarray(0, meeting.few),
          whole,
          wholeStart,
          meeting.whole - meeting.few
        )
      }
      if (stop === end) {
        return PieceTokens.of(pieces, start, few)
      }
    }
  }

  /** End of the first so many tokens; -1 where the piece cannot be cut. */
  place(tokens: number): number {
    if (tokens === 0) {
      return this.start
    }
    const { few } = this
    if (tokens <= few.length) {
      const end = few[tokens - 1] ?? -1
      return end < 0 ? -1 : this.start + end
    }
    const end = this.whole[tokens + this.more - 1] ?? -1
    return end < 0 ? -1 : this.wholeStart + end
  }

  /**
   * Tokens from the end of the first `done` to a place, which need not be where one ends; `token` is one that ends behind it.
   * Undefined when more than `most` characters would have to be counted again.
   */
  upTo(text: string, place: number, done: number, token: number, most: number): number | undefined {
    const from = this.place(done)
    for (let size = around; size <= most; size = wider(size, place - from)) {
      const start = Math.max(from, pairEnd(text, place - size))
      const few = this.pieces.tokens(start, place)
      const meeting = this.meeting(start, few, Math.max(done, this.lastBefore(start, token)))
      if (meeting !== undefined) {
        return meeting.whole - done + few.length - meeting.few
      }
      if (start === from) {
        return few.length
      }
    }
    return undefined
  }

  /** The last token up to a given one that ends at or before a place, where the piece can be cut; 0 when there is none. */
  lastBefore(place: number, token: number): number {
    let last = token
    while (last > 0 && !(this.place(last) >= 0 && this.place(last) <= place)) {
      last--
    }
    return last
  }

  /** The last token that ends at or before a place. */
  private lastUpTo(place: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high + 1) >> 1
      let known = middle
      while (known <= high && this.place(known) < 0) {
        known++
      }
      if (known <= high && this.place(known) <= place) {
        low = known
      } else {
        high = middle - 1
      }
    }
    return low
  }

  /** Where a token ends, in quarters of a code unit. */
  private quarter(token: number): number {
    const { few, more, start, whole, wholeStart } = this
    return token === 0
      ? start * 4
      : token <= few.length
        ? quarterOf(few[token - 1] ?? 0, start)
        : quarterOf(whole[token + more - 1] ?? 0, wholeStart)
  }

  /** The first token of `few`, which start at `start`, that is one of these too; none up to `first` is. */
  private meeting(start: number, few: Int32Array, first: number): Meeting | undefined {
    let theirs = start * 4
    let own = this.quarter(first)
    let index = 0
    let token = first
    while (index < few.length && token < this.length) {
      const theirNext = quarterOf(few[index] ?? 0, start)
      const ownNext = this.quarter(token + 1)
      if (theirNext === ownNext && theirs === own) {
        return { few: index + 1, whole: token + 1 }
      }
      if (theirNext <= ownNext) {
        theirs = theirNext
        index++
      }
      if (ownNext <= theirNext) {
        own = ownNext
        token++
      }
    }
    return undefined
  }
}

/** A place in a text that starts at `start`, which may be inside a code point, in quarters of a code unit. */
const quarterOf = (end: number, start: number): number => start * 4 + (end < 0 ? -end : end * 4)

/** Four times as many characters, or all at once when those are not many more. */
const wider = (size: number, all: number): number => (size * 16 < all ? size * 4 : all)

/** A place that does not tear a surrogate pair. */
const pairEnd = (text: string, at: number): number => (inPair(text, at) ? at + 1 : at)
