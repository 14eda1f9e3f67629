import { at } from "../base/at.ts"
import type { Rendered } from "./Context.ts"
import type { Meter } from "./meter.ts"
import type { Lead } from "./Overlap.ts"
import type { Unit } from "./Unit.ts"

/** What stands before the units of a chunk. */
export interface Around {
  readonly context: Rendered
  readonly lead: Lead
}

export const nothing: Rendered = { text: "", tokens: 0 }

/** Weighs units that follow each other, with what is put around them; what was counted is not counted again. */
export class Scale {
  readonly units: ReadonlyArray<Unit>
  private readonly meter: Meter
  /** Tokens of the units before each unit. */
  private readonly sums: Array<number> = [0]

  constructor(units: ReadonlyArray<Unit>, meter: Meter) {
    this.units = units
    this.meter = meter
    for (let index = 0; index < units.length; index++) {
      const { weight, seam } = at(units, index).stretch
      this.sums.push((this.sums[index] ?? 0) + weight + seam)
    }
  }

  /** Tokens of the units before a unit. */
  before(index: number): number {
    return this.sums[index] ?? 0
  }

  /** Tokens of the units without context and frame, trailing white space included. */
  bound(from: number, to: number): number {
    return this.before(to) - this.before(from) - at(this.units, from).stretch.seam
  }

  opening(lead: Lead): Rendered {
    const { frame, stretch } = at(this.units, lead.unit)
    return frame === undefined || frame.first === stretch.start
      ? nothing
      : { text: frame.opening, tokens: frame.openingTokens }
  }

  closing(to: number): string {
    const { frame, stretch, closes } = at(this.units, to - 1)
    if (frame === undefined || frame.closing === "" || (stretch.start >= frame.last && !closes)) {
      return ""
    }
    return this.meter.text.charCodeAt(stretch.end - 1) === 10 ? frame.closing : `\n${frame.closing}`
  }

  /** Tokens of the chunk, exactly. Needs units that add up. */
  tokens(from: number, to: number, { context, lead }: Around): number {
    const { meter } = this
    const opening = this.opening(lead)
    const closing = this.closing(to)
    const { stretch } = at(this.units, to - 1)
    const before = context.text + opening.text
    const seam = meter.seam(before, lead.start, at(this.units, lead.unit).stretch.end)
    if ((meter.pieces === undefined && !meter.perUnit) || seam === undefined) {
      return meter.count(before + meter.text.slice(lead.start, stretch.end) + closing)
    }
    const own = this.bound(from, to) - stretch.weight
    const last = closing === "" ? meter.trimmed(stretch) : meter.closed(stretch, closing)
    return context.tokens + opening.tokens + seam + lead.tokens + own + last
  }
}
