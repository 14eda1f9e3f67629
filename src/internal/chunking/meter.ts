import type { Tokenizer } from "../../Tokenizer.ts"
import { PieceLog } from "./PieceLog.ts"
import { type Stretch, stretchOf } from "./Stretch.ts"
import { UnitLog } from "./UnitLog.ts"

/** Share of the source, and characters, that may be counted a second time. */
const spare = { share: 0.04, constant: 8192 } as const

/** Characters of a token, at least, in most tables and code. */
const likelyToken = 2.5

/** Trailing white space is not worth counting more characters again than this, but out of what may be spent. */
const longTail = 32

/** Without its line break a piece may be more tokens, at most one for each byte; of so few it is not worth asking. */
const slack = 64

/** Added to the weight of a stretch that was not counted whole: it is above every budget. */
const huge = 1e12

/** Counts one Markdown, every character about once. */
export class Meter {
  private readonly pieceLog = new PieceLog()
  private readonly unitLog = new UnitLog()
  private readonly tally: Tokenizer.Tally = { tokens: 0, last: 0, before: 0 }
  private read: Tokenizer.Pieces | undefined = undefined
  readonly text: string
  readonly tokenizer: Tokenizer.Service
  readonly maxTokens: number
  /** Every code unit is a token. */
  readonly perUnit: boolean
  /** Characters that may still be counted again. */
  private credit: number = spare.constant

  constructor(text: string, tokenizer: Tokenizer.Service, maxTokens: number) {
    this.text = text
    this.tokenizer = tokenizer
    this.perUnit = tokenizer.perUnit === true
    this.maxTokens = maxTokens
  }

  /** Pieces of the stretch that was measured last, where it is above the budget. */
  get log(): PieceLog | UnitLog {
    return this.perUnit ? this.unitLog : this.pieceLog
  }

  /** The pieces of the Markdown. */
  get pieces(): Tokenizer.Pieces | undefined {
    this.read ??= this.tokenizer.pieces?.(this.text)
    return this.read
  }

  /** Takes characters to count again, when there are that many left. */
  spend(characters: number): boolean {
    if (characters > this.credit) {
      return false
    }
    this.credit -= characters
    return true
  }

  /** Gives back what was taken for characters that were counted once only. */
  refund(characters: number): void {
    this.credit += characters
  }

  /** Tokens of a text of our own. */
  count(text: string): number {
    return text === "" ? 0 : this.tokenizer.count(text)
  }

  /** Tokens of `[start, end)` of the Markdown. */
  tokens(start: number, end: number): number {
    const { perUnit, pieces, tally } = this
    if (start >= end || perUnit) {
      return Math.max(0, end - start)
    }
    if (pieces === undefined) {
      return this.tokenizer.count(this.text, start, end)
    }
    pieces.tally(start, end, tally)
    return tally.tokens
  }

  /** Counts `[start, next)`, whose text ends at `end`; logs its pieces if it is above `room`, which the budget bounds. */
  measure(start: number, end: number, next: number, room: number = this.maxTokens): Stretch {
    const length = next - start
    this.credit += length * spare.share
    const { pieces } = this
    const sure = pieces === undefined || length * 3 <= room
    if (sure || (length <= this.maxTokens * 4 && length <= this.credit)) {
      const stretch = this.counted(start, end, next)
      if (sure || stretch.weight <= room) {
        return stretch
      }
      this.credit -= length
    }
    const weight = this.walk(pieces, start, next)
    const { pieceLog: log } = this
    const before = Math.min(log.indexAfter(end), log.length - 1) - 1
    return log.uncounted < 0
      ? stretchOf(start, end, next, weight, log.end(before), log.sum(before))
      : stretchOf(start, end, next, weight, -1, 0)
  }

  /**
   * Counts `[start, next)` where it is likely to be within `room`, or may be counted in vain; undefined when it is not within it,
   * trailing white space aside.
   */
  tried(start: number, end: number, next: number, room: number): Stretch | undefined {
    const length = next - start
    const { pieces } = this
    const likely = room * likelyToken
    if (length > room && (pieces === undefined || length > likely || length > this.credit)) {
      return undefined
    }
    const stretch = this.counted(start, end, next)
    this.credit += length * spare.share
    if (!this.exceeds(stretch, room)) {
      return stretch
    }
    this.credit -= length * (1 + spare.share)
    return undefined
  }

  private counted(start: number, end: number, next: number): Stretch {
    const { pieces, tally } = this
    if (pieces === undefined) {
      return stretchOf(start, end, next, this.tokens(start, next), -1, 0)
    }
    pieces.tally(start, next, tally)
    const { tokens, last, before } = tally
    return last <= end ? stretchOf(start, end, next, tokens, last, before) : stretchOf(start, end, next, tokens, -1, 0)
  }

  /** Logs the pieces of a stretch, unless they are those that were logged last. */
  logged(stretch: Stretch): void {
    const { pieceLog: log, pieces } = this
    if (this.perUnit) {
      this.unitLog.open(stretch.start, stretch.next)
    } else if (pieces !== undefined && (log.start !== stretch.start || log.end(log.length - 1) !== stretch.next)) {
      this.walk(pieces, stretch.start, stretch.next)
    }
  }

  /** Counts and logs the pieces; one that is sure to be looked at again in parts is taken to be above the budget. */
  private walk(pieces: Tokenizer.Pieces, start: number, next: number): number {
    const { pieceLog: log, maxTokens } = this
    let weight = 0
    let spent = 0
    log.clear(start)
    for (let at = start; at < next;) {
      const end = pieces.next(at, next)
      const long = end - at > maxTokens
      if (long && !this.spend(end - at)) {
        weight += maxTokens + 1
        log.uncounted = log.length
      } else {
        weight += pieces.count(at, end)
        spent += long ? end - at : 0
      }
      log.push(end, weight)
      at = end
    }
    if (log.uncounted >= 0) {
      return weight + huge
    }
    if (weight <= maxTokens) {
      this.refund(spent)
    }
    return weight
  }

  /** Tokens of `[start, end)` of a stretch, without its trailing white space; where that costs too much, it stays on. */
  trimmed(stretch: Stretch): number {
    if (stretch.own < 0) {
      stretch.own = this.ownTokens(stretch)
    }
    return stretch.own
  }

  private ownTokens(stretch: Stretch): number {
    if (this.pieces === undefined) {
      return this.tokens(stretch.start, stretch.end)
    }
    if (stretch.end === stretch.next) {
      return stretch.weight
    }
    if (!this.cut(this.pieces, stretch)) {
      stretch.end = stretch.next
      return stretch.weight
    }
    return stretch.before + this.tokens(stretch.cut, stretch.end)
  }

  /** Whether a stretch of that weight is above so many tokens, whatever its trailing white space is; counts nothing. */
  surelyExceeds(stretch: Stretch, limit: number, weight: number = stretch.weight): boolean {
    return weight - 3 * (stretch.next - stretch.end) - slack > limit
  }

  /** Whether a stretch is above so many tokens, trailing white space aside. */
  exceeds(stretch: Stretch, limit: number): boolean {
    const most = stretch.weight + Math.min(slack, 3 * (stretch.end - stretch.start))
    return this.surelyExceeds(stretch, limit) || (most > limit && this.trimmed(stretch) > limit)
  }

  /** Tokens of a stretch with a line of our own behind it; `closing` starts with a line break unless the stretch ends with one. */
  closed(stretch: Stretch, closing: string): number {
    const { text, pieces, perUnit } = this
    if (perUnit) {
      return stretch.end - stretch.start + closing.length
    }
    if (pieces === undefined) {
      return this.count(text.slice(stretch.start, stretch.end) + closing)
    }
    const cut = this.cut(pieces, stretch)
    // A piece that has taken no line break takes none now.
    const apart = stretch.cut < stretch.end || isLineBreak(text, stretch.end - 1) || isLineBreak(text, stretch.cut)
    if (!cut || !apart) {
      return this.count(text.slice(stretch.start, stretch.end) + closing)
    }
    const lineBreak = closing.startsWith("\n") ? 1 : 0
    const tail = text.slice(stretch.cut, stretch.end) + closing.slice(0, lineBreak)
    return stretch.before + this.count(tail) + this.count(closing.slice(lineBreak))
  }

  /** Finds a place to cut near the end of the text, and the tokens before it; false when that costs too much. */
  private cut(pieces: Tokenizer.Pieces, stretch: Stretch): boolean {
    if (stretch.cut >= 0) {
      return true
    }
    const at = pieces.cut(stretch.start, stretch.end)
    if (stretch.end - at > longTail && !this.spend(2 * (stretch.next - at))) {
      return false
    }
    stretch.cut = at
    stretch.before = stretch.weight - this.tokens(at, stretch.next)
    return true
  }

  /**
   * Sets the seam between two stretches that follow each other; false when the two cannot be counted apart, since one piece
   * swallows all of the right one or it would cost too much to find out.
   */
  join(left: Stretch, right: Stretch): boolean {
    const { pieces } = this
    if (pieces === undefined || !isSticky(this.text.charCodeAt(right.start))) {
      return true
    }
    if (!this.cut(pieces, left)) {
      return false
    }
    const meeting = meet(pieces, Math.min(left.cut, right.start), right.start, right.next)
    right.seam = meeting.difference - (left.weight - left.before)
    return meeting.at < right.end && left.cut < left.next
  }

  /**
   * What a text of our own put directly before `start` adds to its own tokens and to those of `[start, end)`; undefined
   * when one piece reaches from it to the end.
   */
  seam(before: string, start: number, end: number): number | undefined {
    const { pieces, tokenizer } = this
    if (pieces === undefined || before === "" || !isSticky(this.text.charCodeAt(start))) {
      return 0
    }
    const text = before + this.text.slice(start, end)
    const meeting = meet(tokenizer.pieces?.(text) ?? pieces, 0, before.length, text.length)
    return meeting.at < text.length ? meeting.difference - this.count(before) : undefined
  }
}

const isLineBreak = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit === 10 || unit === 13
}

/**
 * Follows the pieces from `left` and those from `right` until both end at one place: that place, and the tokens from
 * `left` to it less those from `right` to it.
 */
const meet = (
  pieces: Tokenizer.Pieces,
  left: number,
  right: number,
  end: number
): { readonly at: number; readonly difference: number } => {
  let difference = 0
  let a = left
  let b = right
  while (a !== b) {
    if (a < b) {
      const stop = pieces.next(a, end)
      difference += pieces.count(a, stop)
      a = stop
    } else {
      const stop = pieces.next(b, end)
      difference -= pieces.count(b, stop)
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
