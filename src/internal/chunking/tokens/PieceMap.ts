import type { Tokenizer } from "../../../Tokenizer.ts"
import type { PieceList, PieceReader } from "../../bpe/PieceReader.ts"
import { isWhite } from "../scan/Leaf.ts"
import type { Steps } from "../steps.ts"
import { inPair } from "./cluster.ts"
import { joinsLineBreak, type Rendered, type TokenMap } from "./TokenMap.ts"

/** Counts of longer parts are kept. */
const long = 4

/** Own texts whose counts are kept, and the most characters of each. */
const kept = { texts: 1000, longest: 2048 } as const

/** Characters a token that the first window expects. */
const usualToken = 2

/** The rest of a longer piece is not read to its end before it is known to fit. */
const longest = 256

/** Least characters a token: a code unit is at most three bytes. */
const leastToken = 1 / 3

/** Characters that are read after a joint before all of the part is counted. */
const jointLength = 64

interface Part {
  readonly end: number
  readonly tokens: number
}

/** The part of a piece that was merged last. */
interface Window {
  readonly start: number
  readonly stop: number
  /** End of each token, counted from the start. */
  readonly ends: Int32Array
}

interface Source {
  readonly text: string
  readonly tokenizer: Tokenizer.Service
  readonly open: (text: string) => PieceReader
  /** Reads the pieces of `text`. */
  readonly reader: PieceReader
}

/**
 * The pieces of a text, read once: where each ends, and the tokens up to there (8 bytes a piece). The tokens of a part are
 * a difference, plus the pieces at its two ends, which are read again until one ends where a piece of the map does.
 *
 * A piece above the limit is merged again window by window, so each of its characters at most twice more.
 */
export class PieceMap implements TokenMap {
  readonly text: string
  private readonly tokenizer: Tokenizer.Service
  private readonly open: (text: string) => PieceReader
  private readonly reader: PieceReader
  /** Ends of the pieces after a leading 0. */
  private readonly ends: Int32Array
  /** Tokens up to each end. */
  private readonly sums: Int32Array
  private readonly last: number
  /** The last answer of `floor`: most questions come in the order of the text. */
  private near = 0
  private readonly counts = new Map<string, number>()
  /** Counted long parts, by their start. */
  private readonly parts = new Map<number, Part>()
  private window: Window = { start: -1, stop: -1, ends: new Int32Array(0) }
  /** Characters a token in the last window. */
  private density: number = usualToken;

  static *read(text: string, tokenizer: Tokenizer.Service, open: (text: string) => PieceReader): Steps<PieceMap> {
    const reader = open(text)
    return new PieceMap({ text, tokenizer, open, reader }, yield* listAll(reader, text.length))
  }

  private constructor({ open, reader, text, tokenizer }: Source, { ends, length, sums }: PieceList) {
    this.text = text
    this.tokenizer = tokenizer
    this.open = open
    this.reader = reader
    this.ends = ends
    this.sums = sums
    this.last = length - 1
  }

  count(text: string): number {
    if (text === "") {
      return 0
    }
    const known = this.counts.get(text)
    if (known !== undefined) {
      return known
    }
    const tokens = this.tokenizer.count(text)
    if (text.length <= kept.longest) {
      if (this.counts.size === kept.texts) {
        this.counts.clear()
      }
      this.counts.set(text, tokens)
    }
    return tokens
  }

  tokens(start: number, end: number): number {
    return start >= end ? 0 : this.closed(start, end, "")
  }

  weight(start: number, end: number): number {
    const first = this.floor(start)
    const last = this.floor(end)
    return this.end(first) === start && this.end(last) === end
      ? this.sum(last) - this.sum(first)
      : this.tokens(start, end)
  }

  joined(before: Rendered, start: number, end: number, after: string): number {
    return before.text !== "" && joinsLineBreak(this.text.charCodeAt(start))
      ? this.acrossJoint(before.text, start, end, after)
      : before.tokens + this.closed(start, end, after)
  }

  /** Reads from before the joint on until a piece ends where one of the map's does. */
  private acrossJoint(before: string, start: number, end: number, after: string): number {
    const joint = before + this.text.slice(start, Math.min(end, start + jointLength))
    const shift = start - before.length
    const { next } = this.open(joint)
    for (let at = next(0, joint.length); at < joint.length; at = next(at, joint.length)) {
      if (at >= before.length && this.end(this.floor(at + shift)) === at + shift && at + shift > start) {
        return this.count(joint.slice(0, at)) + this.closed(at + shift, end, after)
      }
    }
    return this.count(before + this.text.slice(start, end) + after)
  }

  reach(start: number, end: number, limit: number): number {
    let at = start
    let sum = 0
    let index = this.floor(at)
    while (at < end && this.end(index) !== at) {
      const rest = Math.min(end, this.end(index + 1))
      const next = rest - at > longest ? rest : this.reader.next(at, end)
      const place = this.cutPiece(at, next, limit - sum)
      if (place < next) {
        return at > start ? at : place
      }
      sum += this.part(at, next)
      at = next
      index = this.floor(at)
    }
    if (at >= end) {
      return end
    }
    const farthest = this.end(this.lastWithin(index, this.sum(index) + limit - sum))
    if (farthest >= end && this.tokens(start, end) <= limit) {
      return end
    }
    const place = farthest < end ? farthest : this.end(this.floor(end - 1))
    return place > start ? place : this.cutPiece(start, Math.min(end, this.end(index + 1)), limit)
  }

  /** Tokens of `[start, end)` followed by `after`. */
  private closed(start: number, end: number, after: string): number {
    const stop = this.settled(start, end, after !== "")
    let at = start
    let sum = 0
    let index = this.floor(at)
    while (at < stop && this.end(index) !== at) {
      const next = this.reader.next(at, end)
      if (next > stop) {
        return sum + this.tail(at, end, after)
      }
      sum += this.part(at, next)
      at = next
      index = this.floor(at)
    }
    return at < stop
      ? sum + this.sum(this.floor(stop)) - this.sum(index) + this.tail(stop, end, after)
      : sum + this.tail(at, end, after)
  }

  /**
   * The last end of a piece in `[start, end]` that stays one whatever is put after `end`; `start` when there is none. A
   * piece looks no farther ahead than over white space, and a word takes no line break.
   */
  private settled(start: number, end: number, joins: boolean): number {
    const { text } = this
    let last = end
    while (last > start && isSpace(text.charCodeAt(last - 1))) {
      last--
    }
    if (last === start) {
      return start
    }
    const index = this.floor(last - 1)
    const isEnd = this.end(index + 1) === last && (!joins || endsInWord(text, last))
    return isEnd ? last : Math.max(start, this.end(index))
  }

  private tail(start: number, end: number, after: string): number {
    if (after === "") {
      return this.part(start, end)
    }
    return end - start > long && endsInWord(this.text, end)
      ? this.part(start, end) + this.count(after)
      : this.count(this.text.slice(start, end) + after)
  }

  /** Tokens of a part that is read again. */
  private part(start: number, end: number): number {
    if (end - start <= long) {
      return this.reader.count(start, end)
    }
    const known = this.parts.get(start)
    if (known?.end === end) {
      return known.tokens
    }
    const tokens = this.windowTokens(start, end) ?? this.reader.count(start, end)
    this.parts.set(start, { end, tokens })
    return tokens
  }

  /** Tokens of a part that starts and ends as tokens of the last window do, and is one piece when it stands alone. */
  private windowTokens(start: number, end: number): number | undefined {
    const { window } = this
    const index = window.start === start ? window.ends.indexOf(end - start) : -1
    return index >= 0 && this.reader.next(start, end) === end ? index + 1 : undefined
  }

  /** The farthest end of a token in one piece up to which there are at most `limit` tokens: `end` when all of it fits. */
  private cutPiece(start: number, end: number, limit: number): number {
    const known = this.parts.get(start)
    if (limit <= 0 || (known?.end === end && known.tokens <= limit)) {
      return limit <= 0 ? start : end
    }
    const { window } = this
    if (window.start === start && window.stop <= end && window.ends.length > limit) {
      return this.cutWindow(start, window.ends, limit)
    }
    for (let size = Math.ceil(limit * this.density) + 1; ; size *= 4) {
      const stop = size < end - start ? pairEnd(this.text, start + size) : end
      const ends = this.reader.tokenEnds(start, stop)
      this.window = { start, stop, ends }
      if (ends.length > limit) {
        return this.cutWindow(start, ends, limit)
      }
      if (stop === end) {
        return end
      }
    }
  }

  private cutWindow(start: number, ends: Int32Array, limit: number): number {
    let tokens = limit
    while (tokens > 0 && (ends[tokens - 1] ?? -1) < 0) {
      tokens--
    }
    const length = tokens === 0 ? 0 : (ends[tokens - 1] ?? 0)
    this.density = Math.max(leastToken, (length / limit) * 1.1)
    return start + length
  }

  private end(index: number): number {
    return this.ends[index] ?? this.text.length
  }

  private sum(index: number): number {
    return this.sums[index] ?? 0
  }

  /** The last end at or before a place: steps that double from the last answer, then halves. */
  private floor(place: number): number {
    let low = this.near
    let high = low
    if (this.end(low) > place) {
      for (let step = 1; low > 0 && this.end(low) > place; step *= 2) {
        high = low
        low = Math.max(0, low - step)
      }
    } else {
      high = low + 1
      for (let step = 1; high <= this.last && this.end(high) <= place; step *= 2) {
        low = high
        high += step
      }
    }
    high = Math.min(high, this.last + 1)
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.end(middle) <= place) {
        low = middle
      } else {
        high = middle
      }
    }
    this.near = low
    return low
  }

  /** The last end from `index` on with at most `most` tokens before it. */
  private lastWithin(index: number, most: number): number {
    let low = index
    let high = index + 1
    for (let step = 1; high <= this.last && this.sum(high) <= most; step *= 2) {
      low = high
      high += step
    }
    high = Math.min(high, this.last + 1)
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.sum(middle) <= most) {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }
}

/** Code units a piece that there is room for at first. */
const usualPiece = 3

/** Pieces that are read in one step. */
const piecesPerStep = 256

function* listAll(reader: PieceReader, length: number): Steps<PieceList> {
  let list: PieceList = listOf(Math.max(16, Math.ceil(length / usualPiece)), undefined)
  for (let at = 0; at < length;) {
    if (list.length === list.ends.length) list = listOf(list.ends.length * 2, list)
    const stop = list.length + piecesPerStep
    const part = { ends: list.ends.subarray(0, stop), sums: list.sums.subarray(0, stop), length: list.length }
    at = reader.list(at, length, part)
    list.length = part.length
    yield
  }
  return list
}

const listOf = (room: number, former: PieceList | undefined): PieceList => {
  const ends = new Int32Array(room)
  const sums = new Int32Array(room)
  if (former !== undefined) {
    ends.set(former.ends)
    sums.set(former.sums)
  }
  return { ends, sums, length: former?.length ?? 1 }
}

/** White space to an encoding, which includes U+0085; JavaScript does not count it. */
const isSpace = (unit: number): boolean => isWhite(unit) || unit === 0x85

/** A letter or digit stands before the place: no encoding puts a line break after it into one piece with it. */
const endsInWord = (text: string, place: number): boolean => {
  const unit = text.charCodeAt(place - 1)
  return unit < 128 ? /[A-Za-z0-9]/.test(text.charAt(place - 1)) : /[\p{L}\p{N}]$/u.test(text.slice(place - 2, place))
}

/** A place that tears no surrogate pair. */
const pairEnd = (text: string, at: number): number => (inPair(text, at) ? at + 1 : at)
