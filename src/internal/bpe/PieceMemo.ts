import { type Units, unitAt } from "./units.ts"

/** Most characters of a remembered piece, none above U+00FF; nearly all pieces are within. */
const longest = 11

/** Three integers of key and one of tokens. */
const stride = 4

/** Slots of the small table: 1 MB, most of which stays near the processor. */
const hotBits = 16

/** Places of the large table: 4 MB, four slots each, which are read as one line of memory. */
const coldBits = 16
const place = 4 * stride

/**
 * Token counts of short pieces, looked up without making a string.
 *
 * A piece is its own key: eleven characters and their number, a byte each, in three integers. In the small table a piece has one
 * slot, which the last piece that fell on it holds; in the large one it has four, and those that came first stay.
 */
export class PieceMemo {
  private readonly hot = new Int32Array(stride << hotBits)
  private readonly cold = new Int32Array(place << coldBits)
  private readonly compute: (text: Units, start: number, end: number) => number

  /** `compute` gives the tokens of a piece, at least 1. */
  constructor(compute: (text: Units, start: number, end: number) => number) {
    this.compute = compute
  }

  /** Tokens of the piece `[start, end)`. */
  tokens(text: Units, start: number, end: number): number {
    const length = end - start
    if (length > longest) {
      return this.compute(text, start, end)
    }
    let all = 0
    let a = length
    let b = 0
    let c = 0
    for (let at = start; at < end; at++) {
      const unit = unitAt(text, at)
      all |= unit
      c = (c << 8) | (b >>> 24)
      b = (b << 8) | (a >>> 24)
      a = (a << 8) | unit
    }
    if (all > 255) {
      return this.compute(text, start, end)
    }
    const { hot } = this
    const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)
    const hash = Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f)
    const slot = (hash >>> (32 - hotBits)) * stride
    if (hot[slot] === a && hot[slot + 1] === b && hot[slot + 2] === c) {
      return hot[slot + 3] ?? 0
    }
    // The high bits chose the slot above.
    const first = ((hash >>> 8) & ((1 << coldBits) - 1)) * place
    const tokens = this.find(first, a, b, c) || this.add(first, a, b, c, this.compute(text, start, end))
    set(hot, slot, a, b, c, tokens)
    return tokens
  }

  /** Tokens in the large table; 0 when they are not there. */
  private find(first: number, a: number, b: number, c: number): number {
    const { cold } = this
    for (let slot = first; slot < first + place; slot += stride) {
      if (cold[slot] === a && cold[slot + 1] === b && cold[slot + 2] === c) {
        return cold[slot + 3] ?? 0
      }
    }
    return 0
  }

  private add(first: number, a: number, b: number, c: number, tokens: number): number {
    const { cold } = this
    for (let slot = first; slot < first + place; slot += stride) {
      if (cold[slot + 3] === 0) {
        set(cold, slot, a, b, c, tokens)
        break
      }
    }
    return tokens
  }
}

const set = (slots: Int32Array, slot: number, a: number, b: number, c: number, tokens: number): void => {
  slots[slot] = a
  slots[slot + 1] = b
  slots[slot + 2] = c
  slots[slot + 3] = tokens
}
