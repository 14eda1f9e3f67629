import type { Rendered, TokenMap } from "./TokenMap.ts"

/** The map of a tokenizer for which every code unit is a token: nothing is counted. */
export class UnitMap implements TokenMap {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  count(text: string): number {
    return text.length
  }

  tokens(start: number, end: number): number {
    return Math.max(0, end - start)
  }

  weight(start: number, end: number): number {
    return end - start
  }

  joined(before: Rendered, start: number, end: number, after: string): number {
    return before.text.length + end - start + after.length
  }

  reach(start: number, end: number, limit: number): number {
    return Math.min(end, start + Math.max(0, limit))
  }
}
