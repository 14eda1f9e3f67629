import { at } from "../../base/at.ts"
import { concat, type Rendered, type TokenMap } from "../tokens/TokenMap.ts"
import { none } from "./Context.ts"
import type { Before, Lead } from "./Run.ts"
import type { Unit } from "./Unit.ts"

/** Counts units that follow each other as one chunk, with the text put around them. */
export class RunCounter {
  readonly units: ReadonlyArray<Unit>
  private readonly map: TokenMap
  /** Estimated tokens of the units before each unit. */
  private readonly sums: Array<number> = [0]

  constructor(units: ReadonlyArray<Unit>, map: TokenMap) {
    this.units = units
    this.map = map
    for (let index = 0; index < units.length; index++) {
      this.sums.push((this.sums[index] ?? 0) + at(units, index).weight)
    }
  }

  /** Estimated tokens of the units `[from, to)` alone, the white space after them included. */
  estimate(from: number, to: number): number {
    return (this.sums[to] ?? 0) - (this.sums[from] ?? 0)
  }

  /** Opening lines, repeated, of the fence or table that the chunk starts in. */
  opening(lead: Lead): Rendered {
    const { frame, start } = at(this.units, lead.unit)
    return frame === undefined || frame.first === start ? none : { text: frame.opening, tokens: frame.openingTokens }
  }

  /** Closing line of the fence or table that the chunk ends in. */
  closing(to: number): string {
    const { closes, end, frame, start } = at(this.units, to - 1)
    if (frame === undefined || frame.closing === "" || (start >= frame.last && !closes)) {
      return ""
    }
    return this.map.text.charCodeAt(end - 1) === 10 ? frame.closing : `\n${frame.closing}`
  }

  /** Tokens, exactly, of the chunk from the lead to the end of the units before `to`. */
  tokens(to: number, { context, lead }: Before): number {
    const { end } = at(this.units, to - 1)
    const before = concat(this.map, context, this.opening(lead))
    return this.map.joined(before, lead.start, end, this.closing(to))
  }
}
