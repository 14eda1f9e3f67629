import type { Tokenizer } from "../../Tokenizer.ts"
import { PieceLog } from "./PieceLog.ts"
import { PieceTokens } from "./PieceTokens.ts"
import { type Stretch, stretchOf } from "./Stretch.ts"
import { UnitLog } from "./UnitLog.ts"
import { exceedsBytes, widest } from "./utf8.ts"

/** Share of the source, and characters, that may be counted a second time. */
const spare = { share: 0.04, constant: 8192 } as const

/** Trailing white space is not worth counting more characters again than this, but out of what may be spent. */
const longTail = 32

/** The tokens of a piece of more characters are kept, so that a part of it is not counted again. */
const long = 64

/** Without its line break a piece may be more tokens, at most one for each byte; of so few it is not worth asking. */
const slack = 64

/** Texts whose tokens are remembered, and characters of each at most. */
const kept = { texts: 1000, longest: 512 } as const

/** Counts one Markdown, every character about once. */
export class Meter {
  private readonly pieceLog: PieceLog
  private readonly unitLog = new UnitLog()
  private readonly counts = new Map<string, number>()
  /** Tokens of the last piece of a stretch, where that is a long one and has white space at its end. */
  private tails: WeakMap<Stretch, PieceTokens> | undefined = undefined
  private source: Tokenizer.Pieces | undefined = undefined
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
    this.pieceLog = new PieceLog(Math.min(long, Math.floor(maxTokens / widest)))
  }

  /** Pieces of the stretch that was measured last. */
  get log(): PieceLog | UnitLog {
    return this.perUnit ? this.unitLog : this.pieceLog
  }

  /** The pieces of the Markdown. */
  get pieces(): Tokenizer.Pieces | undefined {
    this.source ??= this.tokenizer.pieces?.(this.text)
    return this.source
  }

  /** Takes characters to count again, when there are that many left. */
  spend(characters: number): boolean {
    if (characters > this.credit) {
      return false
    }
    this.credit -= characters
    return true
  }

  /** Tokens of a text of our own, or of a few characters at a seam: mostly one of those that came before. */
  count(text: string): number {
    if (text === "") {
      return 0
    }
    if (this.perUnit || text.length > kept.longest) {
      return this.tokenizer.count(text)
    }
    const known = this.counts.get(text)
    if (known !== undefined) {
      return known
    }
    const tokens = this.tokenizer.count(text)
    if (this.counts.size === kept.texts) {
      this.counts.clear()
    }
    this.counts.set(text, tokens)
    return tokens
  }

  /** Tokens of `[start, end)` of the Markdown. */
  tokens(start: number, end: number): number {
    if (start >= end || this.perUnit) {
      return Math.max(0, end - start)
    }
    return this.pieces?.count(start, end) ?? this.tokenizer.count(this.text, start, end)
  }

  /** Counts `[start, next)`, whose text ends at `end`, and logs its pieces. */
  measure(start: number, end: number, next: number): Stretch {
    const { pieces, pieceLog: log } = this
    if (pieces === undefined) {
      this.unitLog.open(start, next)
      return stretchOf(start, end, next, this.tokens(start, next), -1, 0)
    }
    this.walk(pieces, start, next)
    return this.logged(start, end, next, 0, log.length - 1)
  }

  /** Whether the stretch that was measured last can be counted apart at a place in it. */
  divides(at: number): boolean {
    return this.pieces === undefined || this.pieceLog.divides(at)
  }

  /** A part of the stretch that was measured last, between two places where it can be counted apart. */
  part(start: number, end: number, next: number): Stretch {
    return this.pieces === undefined
      ? stretchOf(start, end, next, this.tokens(start, next), -1, 0)
      : this.logged(start, end, next, this.pieceLog.indexAfter(start), this.pieceLog.indexAfter(next - 1))
  }

  private keepTail(stretch: Stretch, index: number): void {
    const tail = this.pieceTokens(index, Math.max(stretch.start, stretch.cut))
    if (tail !== undefined) {
      this.tails ??= new WeakMap()
      this.tails.set(stretch, tail)
    }
  }

  /** The tokens of a long piece, from a place in it on; undefined for any other piece. */
  pieceTokens(index: number, start: number): PieceTokens | undefined {
    const { pieces, pieceLog: log } = this
    const tokens = log.tokens(index)
    return tokens === undefined || pieces === undefined
      ? undefined
      : PieceTokens.of(pieces, log.end(index - 1), tokens).from(this.text, start)
  }

  /** Tokens of `[start, end)`, which is of one piece. */
  tokensWithin(index: number, start: number, end: number): number {
    const tokens = end - start > longTail ? this.pieceTokens(index, start) : undefined
    return this.ending(tokens, end) ?? this.tokens(start, end)
  }

  /** Tokens of a piece up to a place near its end; undefined when that is to be counted anew. */
  private ending(tokens: PieceTokens | undefined, end: number): number | undefined {
    return tokens !== undefined && tokens.start < end && this.pieces?.next(tokens.start, end) === end
      ? tokens.upTo(this.text, end, 0, tokens.length, longTail)
      : undefined
  }

  /** The stretch of logged pieces. */
  private logged(start: number, end: number, next: number, first: number, last: number): Stretch {
    const { pieceLog: log } = this
    const base = log.sum(first - 1)
    const weight = log.sum(last) - base
    let before = last - 1
    while (before >= first && log.end(before) > end) {
      before--
    }
    const stretch = stretchOf(start, end, next, weight, log.end(before), log.sum(before) - base)
    if (end < next && log.tokens(before + 1) !== undefined) {
      this.keepTail(stretch, before + 1)
    }
    return stretch
  }

  /** Logs the pieces, and the tokens of those that may be above the budget. */
  private walk(pieces: Tokenizer.Pieces, start: number, next: number): void {
    const { pieceLog: log } = this
    this.credit += (next - start) * spare.share
    log.clear(start)
    for (let place = pieces.log(start, next, log); place < next; place = pieces.log(place, next, log)) {
      const end = pieces.next(place, next)
      if (end - place > long || exceedsBytes(this.text, place, end, this.maxTokens)) {
        log.pushLong(end, pieces.tokens(place, end))
      } else {
        log.push(end, pieces.count(place, end))
      }
      place = end
    }
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
    const { end } = stretch
    const ending = this.tails === undefined ? undefined : this.ending(this.tails.get(stretch), end)
    if (ending !== undefined) {
      return stretch.before + ending
    }
    const isLong = stretch.cut >= 0 && end - stretch.cut > longTail
    if (!this.cut(this.pieces, stretch) || (isLong && !this.spend(end - stretch.cut))) {
      stretch.end = stretch.next
      return stretch.weight
    }
    return stretch.before + this.tokens(stretch.cut, stretch.end)
  }

  /** Whether a stretch is above so many tokens, trailing white space aside; counts nothing where that is sure. */
  exceeds(stretch: Stretch, limit: number): boolean {
    const { end, next, start, weight } = stretch
    const surely = weight - 3 * (next - end) - slack > limit
    return surely || (weight + Math.min(slack, 3 * (end - start)) > limit && this.trimmed(stretch) > limit)
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
    if (endsInWord(text, stretch.end)) {
      return this.trimmed(stretch) + this.count(closing)
    }
    const cut = this.cut(pieces, stretch)
    // A piece that has taken no line break takes none now.
    const apart = stretch.cut < stretch.end || isLineBreak(text, stretch.end - 1) || isLineBreak(text, stretch.cut)
    if (!cut || !apart) {
      return this.joined(stretch, closing)
    }
    const lineBreak = closing.startsWith("\n") ? 1 : 0
    const tail = text.slice(stretch.cut, stretch.end) + closing.slice(0, lineBreak)
    return stretch.before + this.count(tail) + this.count(closing.slice(lineBreak))
  }

  /** Tokens of a stretch and what is put behind it: a stretch that is one piece, and stays one, is not counted again. */
  private joined({ end, next, start, weight }: Stretch, behind: string): number {
    const text = this.text.slice(start, end) + behind
    const same = end === next && this.tokenizer.pieces?.(text).next(0, text.length) === end - start
    return same ? weight + this.count(behind) : this.count(text)
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
    if (left.cut < right.start && pieces.next(left.cut, right.next) === right.start) {
      return true
    }
    const meeting = this.meet(this.text, pieces, Math.min(left.cut, right.start), right.start, right.next)
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
    const meeting = this.meet(text, tokenizer.pieces?.(text) ?? pieces, 0, before.length, text.length)
    return meeting.at < text.length ? meeting.difference - this.count(before) : undefined
  }

  /**
   * Follows the pieces from `left` and those from `right` until both end at one place: that place, and the tokens from
   * `left` to it less those from `right` to it.
   */
  private meet(
    text: string,
    pieces: Tokenizer.Pieces,
    left: number,
    right: number,
    end: number
  ): { readonly at: number; readonly difference: number } {
    let difference = 0
    let a = left
    let b = right
    while (a !== b) {
      const stop = pieces.next(Math.min(a, b), end)
      if (a < b) {
        difference += this.count(text.slice(a, stop))
        a = stop
      } else {
        difference -= this.count(text.slice(b, stop))
        b = stop
      }
    }
    return { at: a, difference }
  }
}

/** Whether a letter or digit stands before a place: no encoding puts a line break behind it into one piece with it. */
const endsInWord = (text: string, place: number): boolean => {
  const unit = text.charCodeAt(place - 1)
  return unit < 128 ? /[A-Za-z0-9]/.test(text.charAt(place - 1)) : /[\p{L}\p{N}]$/u.test(text.slice(place - 2, place))
}

const isLineBreak = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit === 10 || unit === 13
}

/**
 * Whether a piece of an encoding may reach over the line break before this character: o200k's takes slashes after line
 * breaks, and U+0085 is white space to the encodings and to nobody else.
 */
export const isSticky = (unit: number): boolean => unit === 47 || unit === 0x85
