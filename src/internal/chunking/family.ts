/** Groups chunks into larger ones to read. */
import { at } from "../base/at.ts"
import type { Context, Rendered } from "./Context.ts"
import type { Meter } from "./meter.ts"
import type { Outline } from "./outline.ts"
import type { Run } from "./pack.ts"
import type { Scale } from "./Scale.ts"
import type { Unit } from "./Unit.ts"

export interface Family {
  readonly parent: Run
  readonly children: ReadonlyArray<Run>
}

export class Grouper {
  private readonly units: ReadonlyArray<Unit>
  private readonly scale: Scale
  private readonly meter: Meter
  private readonly outline: Outline
  private readonly context: Context
  private readonly sections: boolean

  /** `meter` and `context` are those of the parents' budget. */
  constructor(scale: Scale, meter: Meter, outline: Outline, context: Context, sections: boolean) {
    this.units = scale.units
    this.scale = scale
    this.meter = meter
    this.outline = outline
    this.context = context
    this.sections = sections
  }

  run(runs: ReadonlyArray<Run>): ReadonlyArray<Family> {
    const families: Array<Family> = []
    for (let from = 0; from < runs.length;) {
      const family = this.next(runs, from)
      families.push(family)
      from += family.children.length
    }
    return families
  }

  private next(runs: ReadonlyArray<Run>, from: number): Family {
    let tokens = at(runs, from).tokens
    let to = from + 1
    while (to < runs.length && !this.stops(runs, from, to) && tokens + at(runs, to).tokens <= this.meter.maxTokens) {
      tokens += at(runs, to).tokens
      to++
    }
    for (;;) {
      const parent = this.parent(at(runs, from), at(runs, to - 1))
      if (to === from + 1 || parent.tokens <= this.meter.maxTokens) {
        return {
          parent: parent.tokens <= this.meter.maxTokens ? parent : at(runs, from),
          children: runs.slice(from, to)
        }
      }
      to--
    }
  }

  private parent(first: Run, last: Run): Run {
    const { leaf, section } = at(this.units, first.from)
    const opens = leaf.kind === "heading" && leaf.level === 0
    const above = opens ? this.outline.above(section) : section
    const start = at(this.units, first.from).stretch.start
    const context = this.context.of(above)
    const run = {
      from: first.from,
      to: last.to,
      start,
      context: context.text,
      opening: first.opening,
      closing: last.closing
    }
    return { ...run, tokens: this.tokens(run, context) }
  }

  /** From what its units were counted to be, where these can be added up. */
  private tokens(run: Omit<Run, "tokens">, context: Rendered): number {
    const { closing, from, opening, start, to } = run
    const lead = { start, unit: from, tokens: 0 }
    const same = this.scale.opening(lead).text === opening && this.scale.closing(to) === closing
    if (same && this.isWhole(from, to)) {
      return this.scale.tokens(from, to, { context, lead })
    }
    const { end } = at(this.units, to - 1).stretch
    return this.meter.count(context.text + opening + this.meter.text.slice(start, end) + closing)
  }

  /** Whether every unit adds up with the one before it. */
  private isWhole(from: number, to: number): boolean {
    for (let index = from + 1; index < to; index++) {
      if (at(this.units, index - 1).closes && !at(this.units, index).added) {
        return false
      }
    }
    return true
  }

  private stops(runs: ReadonlyArray<Run>, from: number, to: number): boolean {
    const left = at(this.units, at(runs, to - 1).to - 1)
    const right = at(this.units, at(runs, to).from)
    if (left.region !== right.region) {
      return true
    }
    if (!this.sections || right.leaf.kind !== "heading" || right.leaf.level > 0) {
      return false
    }
    const end = this.outline.endOf(right.section)
    let tokens = 0
    for (let index = from; index < runs.length && at(this.units, at(runs, index).from).section < end; index++) {
      tokens += at(runs, index).tokens
      if (tokens > this.meter.maxTokens) {
        return true
      }
    }
    return false
  }
}
