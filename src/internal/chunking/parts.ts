/** Cuts a stretch that is above the budget into parts that are not, at the best places there are. */
import type { Breaker } from "./breakPoint.ts"
import { boundaryAtOrBefore, clusterEnd, inPair } from "./cluster.ts"
import { trimEnd, trimStart } from "./Leaf.ts"
import type { Meter } from "./meter.ts"
import { type Stretch, stretchOf } from "./Stretch.ts"
import { bytesEnd, exceedsBytes } from "./utf8.ts"

/** A single code point is above the budget. */
export class TooSmall {
  readonly offset: number
  constructor(offset: number) {
    this.offset = offset
  }
}

export interface Limits {
  /** Tokens of the first part. */
  readonly first: number
  /** Tokens of every other part. */
  readonly other: number
  /** Tokens that no part may exceed, if it has to stay in one. */
  readonly most: number
}

/** The parts of a stretch; all but the last end their chunks, and the last one too unless it is `open`. */
export interface Parts {
  readonly stretches: ReadonlyArray<Stretch>
  readonly open: boolean
}

const codePointEnd = (text: string, at: number): number => (inPair(text, at + 1) ? at + 2 : at + 1)

/** A part that ends its chunk: its tokens are known, nothing is added behind it. */
const closed = (start: number, end: number, tokens: number): Stretch => stretchOf(start, end, end, tokens, -1, 0)

/** Greatest end in `(start, end]` for which `fits`; `start` when there is none. Guesses from what a token was long before. */
const farthest = (start: number, end: number, guess: number, fits: (end: number) => boolean): number => {
  let low = start
  let high = end + 1
  let step = Math.max(1, Math.min(end - start, guess))
  let at = start + step
  while (high - low > 1) {
    if (fits(at)) {
      low = at
      step *= 2
      at = high > end ? Math.min(end, low + step) : (low + high) >> 1
      if (low === end) {
        return end
      }
    } else {
      high = at
      at = (low + high) >> 1
    }
    at = Math.max(low + 1, Math.min(at, high - 1))
  }
  return low
}

/** Parts by counting anew, for tokenizers that do not say how they cut. */
const counted = (meter: Meter, stretch: Stretch, limits: Limits, breaker: Breaker): Parts | TooSmall => {
  const { text } = meter
  const parts: Array<Stretch> = []
  let guess = limits.other * 4
  let limit = limits.first
  for (let at = trimStart(text, stretch.start, stretch.end); at < stretch.end;) {
    const tokens = (end: number): number => meter.tokenizer.count(text, at, trimEnd(text, at, end))
    let room = farthest(at, stretch.end, guess, (end) => !inPair(text, end) && tokens(end) <= limit)
    if (room === at && limit < limits.most) {
      room = farthest(at, stretch.end, 8, (end) => !inPair(text, end) && tokens(end) <= limits.most)
    }
    if (room <= at || inPair(text, room)) {
      const end = codePointEnd(text, at)
      if (tokens(end) > limits.most) {
        return new TooSmall(at)
      }
      room = end
    }
    guess = room - at
    let cut = room === stretch.end ? room : breaker(text, at, room)
    if (cut <= at || tokens(cut) > limits.most) {
      cut = room
    }
    const end = trimEnd(text, at, cut)
    parts.push(
      cut === stretch.end
        ? stretchOf(at, end, stretch.next, meter.tokens(at, stretch.next), -1, 0)
        : closed(at, end, tokens(cut))
    )
    at = trimStart(text, cut, stretch.end)
    limit = limits.other
  }
  return { stretches: parts, open: true }
}

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

class Splitter {
  private readonly parts: Array<Stretch> = []
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
      const at = this.part(head, limit)
      if (at < 0) {
        return new TooSmall(-1 - at)
      }
      head = this.headAt(at)
      limit = limits.other
    }
    return { stretches: this.parts, open: this.open }
  }

  /** Makes the part that starts at the head; gives where the next one starts, or `-1 - offset` of what does not fit. */
  private part(head: Head, limit: number): number {
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
      return stretch.end
    }
    for (let piece = index - 1; piece >= head.index; piece--) {
      const cut = this.cutWithin(head, log.end(piece))
      const end = trimEnd(text, head.start, cut)
      if (end <= head.start) {
        break
      }
      const tokens = this.tokensTo(head, end)
      if (tokens <= limit) {
        this.parts.push(this.ended(head, end, tokens))
        return trimStart(text, cut, stretch.end)
      }
    }
    return this.pieceInParts(head, limit)
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
    const cut = this.breaker(text, head.start, limit)
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
      return this.meter.tokens(head.start, end)
    }
    if (log.end(index) === end) {
      return log.sum(index) - head.base
    }
    const from = Math.max(head.start, before)
    return (index === head.index ? 0 : log.sum(index - 1) - head.base) + this.meter.tokens(from, end)
  }

  /** A part that ends its chunk, with the start of its last piece where that is logged and stays, whatever is put behind the part. */
  private ended(head: Head, end: number, tokens: number): Stretch {
    const { log, text } = this.meter
    const before = log.indexAfter(end - 1) - 1
    return text.charCodeAt(end - 1) !== 0x85 && before >= head.index && log.end(before) >= head.sync
      ? stretchOf(head.start, end, end, tokens, log.end(before), log.sum(before) - head.base)
      : closed(head.start, end, tokens)
  }

  /** The rest of the stretch, which what follows may join; `own` are its tokens without trailing white space. */
  private last(head: Head, own: number): void {
    const { log } = this.meter
    const { stretch, stop } = this
    if (!log.isCounted(head.sync > head.start ? log.indexAfter(head.sync) : head.index, stop - 1)) {
      this.parts.push(closed(head.start, stretch.end, own))
      return
    }
    const weight = log.sum(stop - 1) - head.base
    const before = Math.min(log.indexAfter(stretch.end), stop - 1) - 1
    const known = before >= head.index && log.end(before) >= head.sync
    const rest = known
      ? stretchOf(head.start, stretch.end, stretch.next, weight, log.end(before), log.sum(before) - head.base)
      : stretchOf(head.start, stretch.end, stretch.next, weight, -1, 0)
    rest.own = own
    this.parts.push(rest)
    this.open = true
  }

  /** Pieces from a place inside a piece are followed until they end where logged ones end. */
  private headAt(start: number): Head {
    const { log, maxTokens, pieces, text } = this.meter
    let index = log.indexAfter(start)
    const here: Head = { start, sync: start, index, base: log.sum(index - 1) }
    if (index >= this.stop || log.end(index - 1) === start || pieces === undefined) {
      return here
    }
    const rest = log.end(index) - start
    if (exceedsBytes(text, start, log.end(index), maxTokens) && !this.meter.spend(rest)) {
      return { ...here, long: true }
    }
    let tokens = 0
    let at = start
    while (at < this.stretch.next) {
      const end = pieces.next(at, this.stretch.next)
      tokens += pieces.count(at, end)
      at = end
      while (index < this.stop - 1 && log.end(index) < at) {
        index++
      }
      if (log.end(index) === at) {
        break
      }
    }
    return { start, sync: at, index: log.indexAfter(start), base: log.sum(index) - tokens }
  }

  /** One piece is above the limit: windows of it, each counted on its own, until little is left of it. */
  private pieceInParts(head: Head, limit: number): number {
    const { log, text } = this.meter
    const pieceEnd = Math.min(log.end(head.index), this.stretch.end)
    let at = head.start
    while (at < pieceEnd && (at === head.start || pieceEnd - at > longRest)) {
      const window = this.guessed(at, pieceEnd, limit) ?? this.sure(at, pieceEnd, limit)
      if (window < 0) {
        return window
      }
      const last = this.parts[this.parts.length - 1]
      this.meter.density = last === undefined ? 0 : last.weight / (last.end - last.start)
      at = trimStart(text, window, this.stretch.end)
    }
    return at
  }

  /** Makes a part of `[start, end)` if it is within the limit; gives its tokens. */
  private take(start: number, end: number, limit: number): boolean {
    const trimmed = trimEnd(this.meter.text, start, end)
    const tokens = this.meter.tokens(start, trimmed)
    if (tokens <= limit && trimmed > start) {
      this.parts.push(closed(start, trimmed, tokens))
    }
    return tokens <= limit
  }

  /** A window as long as the limit seems to allow, while characters may be counted in vain; undefined when it is not. */
  private guessed(at: number, pieceEnd: number, limit: number): number | undefined {
    const { density, text } = this.meter
    const room = density > 0 ? Math.floor((limit / density) * 0.9) : pieceEnd - at
    const wide = this.best(at, Math.min(pieceEnd, at + room), pieceEnd)
    if (wide <= at || !this.meter.spend(wide - at) || !this.take(at, wide, limit)) {
      return undefined
    }
    this.meter.refund(wide - at)
    return boundaryAtOrBefore(text, at, wide)
  }

  /** A window that is within the limit by its length in bytes, or else a single cluster. */
  private sure(at: number, pieceEnd: number, limit: number): number {
    const { text } = this.meter
    const sure = this.best(at, Math.min(pieceEnd, bytesEnd(text, at, limit)), pieceEnd)
    const end = sure > at ? sure : this.cluster(at)
    if (end > at) {
      this.take(at, end, this.limits.most)
    }
    return end
  }

  private best(at: number, limit: number, pieceEnd: number): number {
    const { text } = this.meter
    return limit < pieceEnd ? this.breaker(text, at, limit) : boundaryAtOrBefore(text, at, limit)
  }

  /** A cluster that no window holds for sure: whole if it fits, else cut between code points. */
  private cluster(at: number): number {
    const { meter } = this
    const { text } = meter
    const { most } = this.limits
    const whole = clusterEnd(text, at, Math.min(this.stretch.end, at + most * 4))
    if (meter.tokens(at, whole) <= most) {
      return whole
    }
    const sure = bytesEnd(text, at, most)
    if (sure > at) {
      return sure
    }
    const codePoint = codePointEnd(text, at)
    return meter.tokens(at, codePoint) <= most ? codePoint : -1 - at
  }
}

/** What is left of a piece goes on with what follows when it is no longer than this. */
const longRest = 64

/** The parts of a stretch. */
export const parts = (meter: Meter, stretch: Stretch, limits: Limits, breaker: Breaker): Parts | TooSmall => {
  if (meter.pieces === undefined && !meter.perUnit) {
    return counted(meter, stretch, limits, breaker)
  }
  return new Splitter(meter, stretch, limits, breaker).run()
}
