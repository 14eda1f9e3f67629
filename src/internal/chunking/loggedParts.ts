import type { Tokenizer } from "../../Tokenizer.ts"
import type { Breaker } from "./breakPoint.ts"
import { boundaryAtOrBefore, clusterEnd, codePointEnd } from "./cluster.ts"
import { trimEnd, trimStart } from "./Leaf.ts"
import type { Meter } from "./meter.ts"
import { type Limits, type Parts, TooSmall } from "./Parts.ts"
import { around, PieceTokens } from "./PieceTokens.ts"
import { closedStretch, type Stretch, stretchOf } from "./Stretch.ts"
import { bytesEnd } from "./utf8.ts"

/**
 * Where a part starts in the log of pieces: tokens from there to the end of a piece at or behind `sync` are
 * `sum(index) - base`.
 */
interface Head {
  readonly start: number
  /** The first end of a piece, read from the start, that is logged too; the start itself when pieces end there. */
  readonly sync: number
  /** First piece that ends behind the start. */
  readonly index: number
  readonly base: number
  /** What is left of the piece is too long to be counted again before it is cut. */
  readonly long?: true
}

/** A part of one piece: where it ends, its tokens, and how many of the piece's end there; undefined when none does. */
interface Window {
  readonly place: number
  readonly tokens: number
  readonly token: number | undefined
}

/** Most tokens of a code point: one for each byte. */
const longestPoint = 4

/** So little of a piece is counted again without asking. */
const longRest = 64

class Splitter {
  private readonly parts: Array<Stretch> = []
  private readonly added = new Set<Stretch>()
  /** Where the part that was made last starts, if another one may add up with it, and its tokens. */
  private before: { readonly head: Head; readonly tokens: number } | undefined = undefined
  private open = false
  /** Behind the last piece of the stretch. */
  private readonly stop: number
  private readonly meter: Meter
  private readonly stretch: Stretch
  private readonly limits: Limits
  private readonly breaker: Breaker

  constructor(meter: Meter, stretch: Stretch, limits: Limits, breaker: Breaker) {
    this.breaker = breaker
    this.meter = meter
    this.stretch = stretch
    this.limits = limits
    this.stop = meter.log.indexAfter(stretch.next - 1) + 1
  }

  run(): Parts | TooSmall {
    const { stretch, limits } = this
    const { log } = this.meter
    const first = log.indexAfter(stretch.start)
    let head: Head = { start: stretch.start, sync: stretch.start, index: first, base: log.sum(first - 1) }
    let limit = limits.first
    while (head.start < stretch.end) {
      const next = this.part(head, limit)
      if (next instanceof TooSmall) {
        return next
      }
      head = next
      limit = limits.other
    }
    return { stretches: this.parts, open: this.open, added: this.added }
  }

  /** Makes the part that starts at the head, or several of one piece; gives where the next one starts. */
  private part(head: Head, limit: number): Head | TooSmall {
    const { log, text } = this.meter
    const { stretch } = this
    if (head.long === true) {
      return this.pieceInParts(head, limit)
    }
    const index = log.indexPast(head.index, stretch.end, head.base + limit)
    const atEnd = index < this.stop && log.end(index) >= stretch.end && this.mayEnd(head, index)
    const own = atEnd ? this.tokensTo(head, stretch.end) : 0
    if (atEnd && own <= limit) {
      this.last(head, own)
      return { ...head, start: stretch.end }
    }
    for (let piece = index - 1; piece >= head.index; piece--) {
      const cut = this.cutWithin(head, log.end(piece))
      const end = trimEnd(text, head.start, cut)
      if (end <= head.start) {
        break
      }
      const tokens = this.tokensTo(head, end)
      if (tokens <= limit) {
        this.add(head, this.ended(head, end, tokens))
        return this.headAt(trimStart(text, cut, stretch.end))
      }
    }
    return this.pieceInParts(head, limit)
  }

  /** Adds a part that starts at a head: both it and the one before it are counted by the log, so their seam is known. */
  private add(head: Head, part: Stretch): void {
    const { before } = this
    if (before !== undefined && this.isLogged(head, part.end) && this.isLogged(before.head, part.end)) {
      part.seam = head.base - before.head.base - before.tokens
      this.added.add(part)
    }
    this.parts.push(part)
    this.before = { head, tokens: part.weight }
  }

  private addApart(part: Stretch): void {
    this.parts.push(part)
    this.before = undefined
  }

  /** Whether the piece that `end` is in is a logged one, read from the head too. */
  private isLogged(head: Head, end: number): boolean {
    const { log, text } = this.meter
    const before = log.indexAfter(end - 1) - 1
    return before + 1 < this.stop && log.end(before) >= head.sync && text.charCodeAt(end - 1) !== 0x85
  }

  /** Whether the stretch's end is a piece's end, or there is room to count the last piece again up to there. */
  private mayEnd(head: Head, index: number): boolean {
    const { log } = this.meter
    const rest = this.stretch.end - Math.max(head.start, log.end(index - 1))
    return log.end(index) === this.stretch.end || rest <= longRest || this.meter.spend(rest)
  }

  /** A cut inside a piece makes its two halves be counted again, so it is taken only while there is room for that. */
  private cutWithin(head: Head, limit: number): number {
    const { log, text } = this.meter
    const cut = this.breaker(text, head.start, limit, this.stretch.end)
    const index = log.indexAfter(cut)
    const clean = cut <= head.start || log.end(index - 1) === cut
    if (clean || this.meter.spend(log.end(index) - log.end(index - 1))) {
      return cut
    }
    for (let piece = index - 1; piece >= head.index; piece--) {
      const end = log.end(piece)
      if (boundaryAtOrBefore(text, head.start, end) === end) {
        return end
      }
    }
    return head.start
  }

  /** Tokens from the head to `end`, which need not be between two pieces. */
  private tokensTo(head: Head, end: number): number {
    const { log, text, pieces } = this.meter
    if (text.charCodeAt(end - 1) === 0x85 && pieces !== undefined && end > head.start) {
      const cut = pieces.cut(head.start, end)
      return (cut > head.start ? this.tokensTo(head, cut) : 0) + this.meter.tokens(cut, end)
    }
    const index = log.indexAfter(end - 1)
    const before = log.end(index - 1)
    if (index >= this.stop || index < head.index || end < head.sync || (before > head.start && before < head.sync)) {
      return index === head.index ? this.meter.tokensWithin(index, head.start, end) : this.meter.tokens(head.start, end)
    }
    if (log.end(index) === end) {
      return log.sum(index) - head.base
    }
    return index === head.index
      ? this.meter.tokensWithin(index, head.start, end)
      : log.sum(index - 1) - head.base + this.meter.tokensWithin(index, before, end)
  }

  /** A part that ends its chunk, with the start of its last piece where that is logged and stays, whatever is put behind the part. */
  private ended(head: Head, end: number, tokens: number): Stretch {
    const { log, text } = this.meter
    const before = log.indexAfter(end - 1) - 1
    return text.charCodeAt(end - 1) !== 0x85 && before >= head.index && log.end(before) >= head.sync
      ? stretchOf(head.start, end, end, tokens, log.end(before), log.sum(before) - head.base)
      : closedStretch(head.start, end, tokens)
  }

  /** The rest of the stretch, which what follows may join; `own` are its tokens without trailing white space. */
  private last(head: Head, own: number): void {
    const { log } = this.meter
    const { stretch, stop } = this
    const weight = log.sum(stop - 1) - head.base
    const before = Math.min(log.indexAfter(stretch.end), stop - 1) - 1
    const known = before >= head.index && log.end(before) >= head.sync
    const rest = known
      ? stretchOf(head.start, stretch.end, stretch.next, weight, log.end(before), log.sum(before) - head.base)
      : stretchOf(head.start, stretch.end, stretch.next, weight, -1, 0)
    rest.own = own
    this.add(head, rest)
    this.open = true
  }

  private headAt(start: number): Head {
    const { log, pieces } = this.meter
    const index = log.indexAfter(start)
    const here: Head = { start, sync: start, index, base: log.sum(index - 1) }
    const clean = start >= this.stretch.end || index >= this.stop || log.end(index - 1) === start
    if (clean || pieces === undefined) {
      return here
    }
    return log.tokens(index) === undefined ? this.followed(pieces, start, start, 0) : { ...here, long: true }
  }

  /** Pieces from `at`, up to which there are so many tokens, are followed until they end where logged ones end. */
  private followed(pieces: Tokenizer.Pieces, start: number, at: number, tokens: number): Head {
    const { log } = this.meter
    const { next } = this.stretch
    const first = log.indexAfter(start)
    let index = first
    let sync = at
    let sum = tokens
    for (;;) {
      while (index < this.stop - 1 && log.end(index) < sync) {
        index++
      }
      if (log.end(index) === sync || sync >= next) {
        return { start, sync, index: first, base: log.sum(index) - sum }
      }
      const end = pieces.next(sync, next)
      sum += pieces.count(sync, end)
      sync = end
    }
  }

  /** One piece is above the limit: windows of it, counted by its tokens, until the rest is within the limit. */
  private pieceInParts(head: Head, limit: number): Head | TooSmall {
    const { pieces, text } = this.meter
    if (pieces === undefined) {
      return this.clusterAt(head.start)
    }
    const tokens = this.tokensFrom(pieces, head)
    const rest = head.long === true ? this.rest(pieces, tokens, head.start, 0, limit) : undefined
    if (rest !== undefined) {
      return rest
    }
    let room = limit
    for (let at = head.start, done = 0; ;) {
      const window = this.window(tokens, at, done, room) ?? this.cluster(tokens, at, done)
      if (window === undefined || !this.take(pieces, tokens, at, done, window)) {
        return this.clusterAt(at)
      }
      const { place, token } = window
      const next = trimStart(text, place, this.stretch.end)
      room = this.limits.other
      if (token === undefined || next !== place || next >= this.stretch.end) {
        return this.headAt(next)
      }
      if (tokens.length - token <= room) {
        return this.rest(pieces, tokens, next, token, room) ?? this.headAt(next)
      }
      at = next
      done = token
    }
  }

  /** The tokens from the head to the end of its piece. */
  private tokensFrom(pieces: Tokenizer.Pieces, { index, start }: Head): PieceTokens {
    return (
      this.meter.pieceTokens(index, start) ??
      PieceTokens.of(pieces, start, pieces.tokens(start, pieces.next(start, this.stretch.next)))
    )
  }

  /** A head at what is left of a piece behind so many tokens, if that is within the limit and a piece on its own. */
  private rest(
    pieces: Tokenizer.Pieces,
    { end, length }: PieceTokens,
    at: number,
    done: number,
    limit: number
  ): Head | undefined {
    return length - done <= limit && pieces.next(at, this.stretch.next) === end
      ? this.followed(pieces, at, end, length - done)
      : undefined
  }

  /** A window of at most `limit` tokens that ends where it is cut best; undefined when there is no such place. */
  private window(tokens: PieceTokens, at: number, done: number, limit: number): Window | undefined {
    const { meter } = this
    const { text } = meter
    let token = this.lastToken(tokens, done, limit)
    const farthest = tokens.place(token)
    let cut =
      farthest === tokens.end
        ? boundaryAtOrBefore(text, at, farthest)
        : this.breaker(text, at, farthest, this.stretch.end)
    for (let tries = 0; cut > at; tries++) {
      const behind = token
      token = tokens.lastBefore(cut, token)
      const place = tokens.place(token)
      if (token > done && place === cut) {
        return { place, tokens: token - done, token }
      }
      if (tries === 0 && meter.spend(2 * around)) {
        const few = tokens.upTo(text, cut, done, behind, around)
        if (few !== undefined && few <= limit) {
          return { place: cut, tokens: few, token: undefined }
        }
      }
      cut = boundaryAtOrBefore(text, at, place)
    }
    return undefined
  }

  /** The last of at most so many tokens behind the first `done` that the piece can be cut behind; `done` when there is none. */
  private lastToken(tokens: PieceTokens, done: number, limit: number): number {
    const { end } = this.stretch
    return Math.max(done, tokens.lastBefore(end, Math.min(done + limit, tokens.length)))
  }

  /** A cluster that is above the limit: whole, if it is within the budget, else as much of it as is. */
  private cluster(tokens: PieceTokens, at: number, done: number): Window | undefined {
    const { most } = this.limits
    const token = this.lastToken(tokens, done, most)
    const end = clusterEnd(this.meter.text, at, Math.min(this.stretch.end, at + most * longestPoint))
    const last = tokens.lastBefore(end, token)
    const place = tokens.place(last)
    return last > done && (place === end || last === token) ? { place, tokens: last - done, token: last } : undefined
  }

  /** Makes a part of a window, unless it is white space; false when it is no piece on its own, and above the budget. */
  private take(pieces: Tokenizer.Pieces, tokens: PieceTokens, start: number, done: number, window: Window): boolean {
    const { text } = this.meter
    const { place, token } = window
    const end = trimEnd(text, start, place)
    if (end <= start) {
      return true
    }
    const isPiece = pieces.next(start, end) === end
    const own = end === place ? window.tokens : tokens.upTo(text, end, done, token ?? tokens.length, longRest)
    const known = (isPiece ? own : undefined) ?? this.meter.tokens(start, end)
    if (known <= this.limits.most) {
      this.addApart(closedStretch(start, end, known))
    }
    return known <= this.limits.most
  }

  /** A part of a place where tokens cannot be told apart: a cluster, or as many code points as are within the budget for sure. */
  private clusterAt(start: number): Head | TooSmall {
    const { meter } = this
    const { text } = meter
    const { most } = this.limits
    const reach = Math.min(this.stretch.end, start + most * longestPoint)
    const whole = clusterEnd(text, start, reach)
    const fits = (whole < reach || reach === this.stretch.end) && meter.tokens(start, whole) <= most
    const end = fits ? whole : Math.max(codePointEnd(text, start), Math.min(whole, bytesEnd(text, start, most)))
    const tokens = meter.tokens(start, end)
    if (tokens > most) {
      return new TooSmall(start)
    }
    this.addApart(closedStretch(start, end, tokens))
    return this.headAt(trimStart(text, end, this.stretch.end))
  }
}

/** Parts by the log of the stretch that was measured last. */
export const loggedParts = (meter: Meter, stretch: Stretch, limits: Limits, breaker: Breaker): Parts | TooSmall =>
  new Splitter(meter, stretch, limits, breaker).run()
