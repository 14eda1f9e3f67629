import { at } from "../../base/at.ts"
import type { TokenMap } from "../tokens/TokenMap.ts"
import type { Lead, Run } from "./Run.ts"
import type { Unit } from "./Unit.ts"

/** Finds how far back a chunk may start: at a leaf or a line, within the limit, over no heading and no page marker. */
export class Overlap {
  private readonly units: ReadonlyArray<Unit>
  private readonly map: TokenMap
  private readonly limit: number

  constructor(units: ReadonlyArray<Unit>, map: TokenMap, limit: number) {
    this.units = units
    this.map = map
    this.limit = limit
  }

  none(from: number): Lead {
    return { start: at(this.units, from).start, unit: from, tokens: 0 }
  }

  /** The lead of a chunk whose first own unit is `from` and which comes after `last`. */
  before(from: number, last: Run | undefined): Lead {
    let lead = this.none(from)
    if (this.limit === 0 || last === undefined || this.opens(from)) {
      return lead
    }
    for (let index = from - 1; index >= last.from; index--) {
      const { closes, region, start } = at(this.units, index)
      if (closes || region !== at(this.units, from).region || this.opens(index)) {
        return lead
      }
      const longer = this.lead(start, index, from)
      if (longer === undefined || start <= last.start) {
        return lead.unit === from ? this.lines(from, last.start) : lead
      }
      lead = longer
    }
    return lead
  }

  /** A lead that starts in a unit; undefined when it is above the limit. */
  private lead(start: number, unit: number, from: number): Lead | undefined {
    const tokens = this.map.tokens(start, at(this.units, from - 1).end)
    return tokens > this.limit ? undefined : { start, unit, tokens }
  }

  private opens(index: number): boolean {
    return at(this.units, index).leaf.kind === "heading"
  }

  /** The last lines of the unit before `from`. */
  private lines(from: number, after: number): Lead {
    const { text } = this.map
    const unit = at(this.units, from - 1)
    let lead = this.none(from)
    if (unit.leaf.kind !== "paragraph") {
      return lead
    }
    for (let end = unit.end; ;) {
      const first = Math.max(unit.start, after)
      const start = first + text.slice(first, end).lastIndexOf("\n") + 1
      const longer =
        start <= Math.max(unit.start, after) || start >= end || isBlankLine(text, start)
          ? undefined
          : this.lead(start, from - 1, from)
      if (longer === undefined) {
        return lead
      }
      lead = longer
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
