import { at } from "../base/at.ts"
import { isSticky, type Meter } from "./meter.ts"
import type { Run } from "./pack.ts"
import type { Unit } from "./Unit.ts"

/** What a chunk repeats of the one before it, up to its own first unit. */
export interface Lead {
  /** Where the chunk's text starts. */
  readonly start: number
  /** Unit that holds the start. */
  readonly unit: number
  /** Tokens from the start to the chunk's own first unit. */
  readonly tokens: number
}

/** Finds how far back a chunk may start: at a leaf or a line, within the limit, over no heading and no page marker. */
export class Overlap {
  private readonly units: ReadonlyArray<Unit>
  private readonly meter: Meter
  private readonly limit: number

  constructor(units: ReadonlyArray<Unit>, meter: Meter, limit: number) {
    this.units = units
    this.meter = meter
    this.limit = limit
  }

  none(from: number): Lead {
    return { start: at(this.units, from).stretch.start, unit: from, tokens: 0 }
  }

  /** The lead of a chunk whose first own unit is `from` and which comes behind `last`. */
  before(from: number, last: Run | undefined): Lead {
    let lead = this.none(from)
    if (this.limit === 0 || last === undefined || this.opens(from)) {
      return lead
    }
    for (let index = from - 1; index >= last.from; index--) {
      const unit = at(this.units, index)
      if (unit.closes || unit.region !== at(this.units, from).region || this.opens(index)) {
        return lead
      }
      const { start, weight } = unit.stretch
      const tokens = lead.tokens + weight + at(this.units, index + 1).stretch.seam
      if (tokens > this.limit || start <= last.start) {
        return lead.unit === from ? this.lines(from, last.start) : lead
      }
      lead = { start, unit: index, tokens }
    }
    return lead
  }

  private opens(index: number): boolean {
    return at(this.units, index).leaf.kind === "heading"
  }

  /** The last lines of the unit before `from`. */
  private lines(from: number, after: number): Lead {
    const { meter } = this
    const { stretch, leaf } = at(this.units, from - 1)
    let lead = this.none(from)
    if (leaf.kind !== "paragraph") {
      return lead
    }
    let tokens = at(this.units, from).stretch.seam
    let end = stretch.next
    for (;;) {
      const start = meter.text.lastIndexOf("\n", Math.min(end, stretch.end) - 1) + 1
      if (start <= Math.max(stretch.start, after) || isSticky(meter.text.charCodeAt(start)) || start >= end) {
        return lead
      }
      if (isBlankLine(meter.text, start) || !meter.spend(end - start)) {
        return lead
      }
      tokens += meter.tokens(start, end)
      if (tokens > this.limit) {
        return lead
      }
      lead = { start, unit: from - 1, tokens }
      end = start
    }
  }
}

const isBlankLine = (text: string, start: number): boolean => {
  let place = start
  while (place < text.length && (text.charCodeAt(place) === 32 || text.charCodeAt(place) === 9)) {
    place++
  }
  const unit = text.charCodeAt(place)
  return place === text.length || unit === 10 || unit === 13
}
