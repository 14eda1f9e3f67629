import type { Tokenizer } from "../../../Tokenizer.ts"
import { inPair } from "./cluster.ts"
import type { Rendered, TokenMap } from "./TokenMap.ts"

/** Characters that the first guess takes for a token. */
const usualToken = 4

/** The map of a tokenizer that can only count whole texts: every question counts again. */
export class CountedMap implements TokenMap {
  readonly text: string
  private readonly tokenizer: Tokenizer.Service
  /** Characters a token in the last answer of `reach`. */
  private density: number = usualToken

  constructor(text: string, tokenizer: Tokenizer.Service) {
    this.text = text
    this.tokenizer = tokenizer
  }

  count(text: string): number {
    return text === "" ? 0 : this.tokenizer.count(text)
  }

  tokens(start: number, end: number): number {
    return start >= end ? 0 : this.tokenizer.count(this.text, start, end)
  }

  weight(start: number, end: number): number {
    return this.tokens(start, end)
  }

  joined(before: Rendered, start: number, end: number, after: string): number {
    return this.count(before.text + this.text.slice(start, end) + after)
  }

  /** Doubles the distance from a guess until the limit is passed, then halves the rest. */
  reach(start: number, end: number, limit: number): number {
    const fits = (place: number): boolean => !inPair(this.text, place) && this.tokens(start, place) <= limit
    let low = start
    let high = end + 1
    let step = Math.max(1, Math.floor(limit * this.density))
    while (high - low > 1) {
      const place = high > end ? Math.min(end, low + step) : (low + high) >> 1
      if (fits(place)) {
        low = place
        step *= 2
      } else {
        high = place
      }
    }
    this.density = low > start ? (low - start) / Math.max(1, limit) : usualToken
    return low
  }
}
