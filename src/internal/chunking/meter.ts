import type { Tokenizer } from "../../Tokenizer.ts"
import { PieceLog } from "./PieceLog.ts"

/**
 * A stretch of the Markdown that starts a line, counted so that sums are exact for every run of stretches.
 */
export interface Stretch {
  readonly start: number
  /** Without trailing white space. */
  end: number
  /** Tokens up to the start of the next stretch. */
  weight: number
  /** Tokens before `lastPiece`. */
  before: number
  /** Start of the last piece that begins before `end`. */
  lastPiece: number
  /** What the weights of this stretch and the one before it miss to be the weight of both; nearly always 0. */
  seam: number
}

/** Share of the source, and characters, that may be counted a second time. */
const spare = { share: 0.05, constant: 16_384 } as const

/** A piece that is longer is left in the chunk with the line break that belongs to it, rather than counted again. */
const longTail = 64

/** Counts one Markdown, every character about once. */
export class Meter {
  readonly log = new PieceLog()
  readonly text: string
  readonly tokenizer: Tokenizer.Service
  readonly maxTokens: number
  /** Characters that may still be counted again. */
  private credit: number = spare.constant

  constructor(text: string, tokenizer: Tokenizer.Service, maxTokens: number) {
    this.text = text
    this.tokenizer = tokenizer
    this.maxTokens = maxTokens
  }

  get pieces(): Tokenizer.Pieces | undefined {
    return this.tokenizer.pieces
  }

  /** Takes characters to count again, when there are that many left. */
  spend(characters: number): boolean {
    if (characters > this.credit) {
      return false
    }
    this.credit -= characters
    return true
  }

  /** Tokens of a text of our own. */
  count(text: string): number {
    return text === "" ? 0 : this.tokenizer.count(text)
  }

  /** Counts `[start, next)`, whose text ends at `end`, and logs its pieces. */
  measure(start: number, end: number, next: number): Stretch {
    const { text, log, pieces } = this
    this.credit += (next - start) * spare.share
    log.clear(start)
    if (pieces === undefined) {
      const weight = this.tokenizer.count(text, start, next)
      return { start, end, weight, before: 0, lastPiece: start, seam: 0 }
    }
    let weight = 0
    let before = 0
    let lastPiece = start
    let last = start
    for (let at = start; at < next;) {
      last = pieces.next(text, at, next)
      if (at < end) {
        lastPiece = at
        before = weight
      }
      weight +=
        last - at > this.maxTokens && last - at > this.credit ? this.maxTokens + 1 : pieces.count(text, at, last)
      log.push(last, weight)
      at = last
    }
    const whole = end - lastPiece > longTail ? Math.max(end, log.endAfter(lastPiece)) : end
    return { start, end: whole, weight, before, lastPiece, seam: 0 }
  }

  /** Tokens of `[start, end)` of a stretch, without its trailing white space. */
  trimmed(stretch: Stretch): number {
    if (this.pieces === undefined) {
      return this.tokenizer.count(this.text, stretch.start, stretch.end)
    }
    return stretch.before + this.piece(stretch.lastPiece, stretch.end)
  }

  /** Tokens of a stretch with a line of our own behind it; `closing` starts with a line break unless the stretch ends with one. */
  closed(stretch: Stretch, closing: string): number {
    const { text } = this
    if (stretch.lastPiece >= stretch.end) {
      return this.count(text.slice(stretch.start, stretch.end) + closing)
    }
    const lineBreak = closing.startsWith("\n") ? 1 : 0
    const tail = text.slice(stretch.lastPiece, stretch.end) + closing.slice(0, lineBreak)
    return stretch.before + this.count(tail) + this.count(closing.slice(lineBreak))
  }

  /** Tokens of one piece or a part of it; 0 when it is empty. */
  piece(start: number, end: number): number {
    return start < end ? (this.pieces?.count(this.text, start, end) ?? this.tokenizer.count(this.text, start, end)) : 0
  }

  /**
   * Sets the seam between two stretches that follow each other; false when one piece swallows all of the right one, so
   * that the two cannot be counted apart.
   */
  join(left: Stretch, right: Stretch, next: number): boolean {
    const { pieces } = this
    if (pieces === undefined || pieces.additive || !isSticky(this.text.charCodeAt(right.start))) {
      return true
    }
    const meeting = meet(pieces, this.text, left.lastPiece, right.start, next)
    right.seam = meeting.difference - (left.weight - left.before)
    return meeting.at <= right.lastPiece
  }

  /** What a text of our own put directly before `start` adds to its own tokens and to those of `[start, end)`. */
  seam(before: string, start: number, end: number): number {
    const { pieces } = this
    if (pieces === undefined || pieces.additive || before === "" || !isSticky(this.text.charCodeAt(start))) {
      return 0
    }
    const text = before + this.text.slice(start, end)
    return meet(pieces, text, 0, before.length, text.length).difference - this.count(before)
  }
}

/**
 * Follows the pieces from `left` and those from `right` until both end at one place: that place, and the tokens from
 * `left` to it less those from `right` to it.
 */
const meet = (
  pieces: Tokenizer.Pieces,
  text: string,
  left: number,
  right: number,
  end: number
): { readonly at: number; readonly difference: number } => {
  let difference = 0
  let a = left
  let b = right
  while (a !== b) {
    if (a < b) {
      const stop = pieces.next(text, a, end)
      difference += pieces.count(text, a, stop)
      a = stop
    } else {
      const stop = pieces.next(text, b, end)
      difference -= pieces.count(text, b, stop)
      b = stop
    }
  }
  return { at: a, difference }
}

/**
 * Whether a piece of an encoding may reach over the line break before this character: o200k's takes slashes after line
 * breaks, and U+0085 is white space to the encodings and to nobody else.
 */
export const isSticky = (unit: number): boolean => unit === 47 || unit === 0x85
