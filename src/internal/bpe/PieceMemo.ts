import { type Units, unitAt } from "./units.ts"

/** Pieces of at most so many characters, none above U+00FF, are remembered; nearly all are. */
const longest = 11

const slotBits = 16

/** Three keys and a value. */
const stride = 4

/**
 * Token counts of short pieces, looked up without making a string.
 *
 * A piece is its own key: eleven characters and the length, a byte each, in three integers. Each piece has one slot, which the
 * last piece that fell on it holds; so it takes 1 MB, and never grows.
 */
export class PieceMemo {
  private readonly slots = new Int32Array(stride << slotBits)
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
    const { slots } = this
    const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)
    const slot = (Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f) >>> (32 - slotBits)) * stride
    if (slots[slot] === a && slots[slot + 1] === b && slots[slot + 2] === c) {
      return slots[slot + 3] ?? 0
    }
    const tokens = this.compute(text, start, end)
    slots[slot] = a
    slots[slot + 1] = b
    slots[slot + 2] = c
    slots[slot + 3] = tokens
    return tokens
  }
}
