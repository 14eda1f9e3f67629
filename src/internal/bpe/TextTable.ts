import { type Units, unitAt } from "./units.ts"

/** Hash, offset in the pool, length and value of a text. */
const stride = 4

const step = (hash: number, unit: number): number => {
  const mixed = Math.imul(hash ^ unit, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

/** Hash of `[start, end)`. */
export const hashOf = (text: Units, start: number, end: number): number => {
  let hash = 0
  for (let at = start; at < end; at++) {
    hash = step(hash, unitAt(text, at))
  }
  return hash
}

/** Most slots that a look-up visits, so that no choice of texts makes it slow. */
const farthest = 64

/**
 * Texts with a number each, above 0. A look-up reads the text in place and makes no string. Open addressing over one pool of
 * UTF-16 units.
 */
export class TextTable {
  private readonly slots: Int32Array
  private readonly pool: Uint16Array
  private readonly mask: number
  private readonly most: number
  private filled = 0
  private held = 0

  /** Makes room for a number of texts. `pool`: code units that hold them, for `point`; or the room for those that are added. */
  constructor(texts: number, pool: Units | number) {
    let size = 1
    while (size < texts * 2) {
      size *= 2
    }
    this.mask = size - 1
    this.most = texts
    this.slots = new Int32Array(size * stride)
    this.pool = typeof pool === "number" ? new Uint16Array(pool) : pool
  }

  /** The value of `[start, end)`, whose hash is given; 0 when it is not there. */
  get(text: Units, start: number, end: number, hash: number): number {
    const { slots, mask } = this
    const length = end - start
    for (let steps = 0; steps < farthest; steps++) {
      const at = ((hash + steps) & mask) * stride
      const value = slots[at + 3] ?? 0
      const found = slots[at] === hash && slots[at + 2] === length
      if (value === 0 || (found && this.equals(text, start, slots[at + 1] ?? 0, length))) {
        return value
      }
    }
    return 0
  }

  /** True when there is room for one more text of that length. */
  fits(length: number): boolean {
    return this.held < this.most && this.filled + length <= this.pool.length
  }

  /** Adds a text that is not there; needs room for it. False when too many others are where it would be looked for. */
  add(text: Units, start: number, end: number, hash: number, value: number): boolean {
    const { filled, pool } = this
    if (!this.point(filled, filled + end - start, hash, value)) return false
    for (let place = start; place < end; place++) {
      pool[this.filled++] = unitAt(text, place)
    }
    return true
  }

  /** As `add`, for a text that the pool holds at `[start, end)`. */
  point(start: number, end: number, hash: number, value: number): boolean {
    const { slots, mask } = this
    for (let steps = 0; steps < farthest; steps++) {
      const at = ((hash + steps) & mask) * stride
      if (slots[at + 3] === 0) {
        slots[at] = hash
        slots[at + 1] = start
        slots[at + 2] = end - start
        slots[at + 3] = value
        this.held++
        return true
      }
    }
    return false
  }

  clear(): void {
    this.slots.fill(0)
    this.filled = 0
    this.held = 0
  }

  private equals(text: Units, start: number, offset: number, length: number): boolean {
    const { pool } = this
    let at = 0
    while (at < length && pool[offset + at] === unitAt(text, start + at)) {
      at++
    }
    return at === length
  }
}
