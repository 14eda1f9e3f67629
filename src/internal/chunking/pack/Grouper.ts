/** Groups chunks into larger ones to read. */
import { at } from "../../base/at.ts"
import { opensSection } from "../scan/Leaf.ts"
import type { Steps } from "../steps.ts"
import { concat, type TokenMap } from "../tokens/TokenMap.ts"
import type { Context, Packing } from "./Context.ts"
import type { Outline } from "./Outline.ts"
import type { Run } from "./Run.ts"
import type { Unit } from "./Unit.ts"

export interface Family {
  readonly parent: Run
  readonly children: ReadonlyArray<Run>
}

export class Grouper {
  private readonly units: ReadonlyArray<Unit>
  private readonly map: TokenMap
  private readonly maxTokens: number
  private readonly outline: Outline
  private readonly context: Context
  private readonly sections: boolean

  /** `packing`: that of the parents. */
  constructor(units: ReadonlyArray<Unit>, { context, map, maxTokens, outline }: Packing, sections: boolean) {
    this.units = units
    this.map = map
    this.maxTokens = maxTokens
    this.outline = outline
    this.context = context
    this.sections = sections
  }

  *run(runs: ReadonlyArray<Run>): Steps<ReadonlyArray<Family>> {
    const families: Array<Family> = []
    for (let from = 0; from < runs.length;) {
      const family = this.next(runs, from)
      families.push(family)
      from += family.children.length
      yield
    }
    return families
  }

  private next(runs: ReadonlyArray<Run>, from: number): Family {
    let tokens = at(runs, from).tokens
    let to = from + 1
    while (to < runs.length && !this.stops(runs, from, to) && tokens + at(runs, to).tokens <= this.maxTokens) {
      tokens += at(runs, to).tokens
      to++
    }
    for (;;) {
      const parent = this.parent(at(runs, from), at(runs, to - 1))
      if (to === from + 1 || parent.tokens <= this.maxTokens) {
        return {
          parent: parent.tokens <= this.maxTokens ? parent : at(runs, from),
          children: runs.slice(from, to)
        }
      }
      to--
    }
  }

  private parent(first: Run, last: Run): Run {
    const { leaf, section, start } = at(this.units, first.from)
    const opens = leaf.kind === "heading" && leaf.level === 0
    const context = this.context.of(opens ? this.outline.above(section) : section)
    const { opening } = first
    const { closing, to } = last
    const before = concat(this.map, context, { text: opening, tokens: this.map.count(opening) })
    const tokens = this.map.joined(before, start, at(this.units, to - 1).end, closing)
    return { from: first.from, to, start, context: context.text, opening, closing, tokens }
  }

  private stops(runs: ReadonlyArray<Run>, from: number, to: number): boolean {
    const left = at(this.units, at(runs, to - 1).to - 1)
    const right = at(this.units, at(runs, to).from)
    if (left.region !== right.region) {
      return true
    }
    if (!this.sections || !opensSection(right.leaf)) {
      return false
    }
    const end = this.outline.endOf(right.section)
    let tokens = 0
    for (let index = from; index < runs.length && at(this.units, at(runs, index).from).section < end; index++) {
      tokens += at(runs, index).tokens
      if (tokens > this.maxTokens) {
        return true
      }
    }
    return false
  }
}
