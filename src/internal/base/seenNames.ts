import { digest } from "./sha256.ts"

/** Words of a slot: 96 bits of a hash, so that two names are never taken for one. */
const words = 3

/** Names that came already, in 24 to 48 bytes for each: for listings and runs that hold no names. */
export class SeenNames {
  #slots = new Uint32Array(words * 1024)
  #count = 0

  /** True the first time. */
  add(name: string): boolean {
    const bytes = digest(name)
    const word = (at: number): number =>
      (bytes.charCodeAt(at) << 24) |
      (bytes.charCodeAt(at + 1) << 16) |
      (bytes.charCodeAt(at + 2) << 8) |
      bytes.charCodeAt(at + 3)
    if ((this.#count + 1) * 2 * words > this.#slots.length) this.#grow()
    // A slot of zeros is free.
    const added = this.#put((word(0) | 1) >>> 0, word(4) >>> 0, word(8) >>> 0)
    if (added) this.#count += 1
    return added
  }

  #put(first: number, second: number, third: number): boolean {
    const slots = this.#slots
    const size = slots.length / words
    for (let at = second % size; ; at = (at + 1) % size) {
      const from = at * words
      if (slots[from] === 0) {
        slots[from] = first
        slots[from + 1] = second
        slots[from + 2] = third
        return true
      }
      if (slots[from] === first && slots[from + 1] === second && slots[from + 2] === third) return false
    }
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Uint32Array(before.length * 2)
    for (let from = 0; from < before.length; from += words) {
      const [first = 0, second = 0, third = 0] = before.subarray(from, from + words)
      if (first !== 0) this.#put(first, second, third)
    }
  }
}
