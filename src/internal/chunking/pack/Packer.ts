/** Packs units into chunks: as much as fits, sections whole where they can be, no heading at the end. */
import { at } from "../../base/at.ts"
import { opensSection } from "../scan/Leaf.ts"
import type { Steps } from "../steps.ts"
import type { TokenMap } from "../tokens/TokenMap.ts"
import { type Context, none, type Packing } from "./Context.ts"
import type { Outline } from "./Outline.ts"
import { Overlap } from "./Overlap.ts"
import type { Before, Run } from "./Run.ts"
import type { RunCounter } from "./RunCounter.ts"
import type { Unit } from "./Unit.ts"

export interface Rules {
  /** A new section starts a new chunk unless all of it fits. */
  readonly sections: boolean
  /** A chunk with fewer tokens is filled up across sections. */
  readonly minTokens: number
  /** Tokens of the previous chunk that may be repeated. */
  readonly overlapTokens: number
}

export class Packer {
  private readonly units: ReadonlyArray<Unit>
  private readonly map: TokenMap
  private readonly maxTokens: number
  private readonly outline: Outline
  private readonly context: Context
  private readonly rules: Rules
  private readonly overlap: Overlap
  private readonly counter: RunCounter
  /** First unit of each section. */
  private readonly heads: Array<number> = []

  constructor(counter: RunCounter, { context, map, maxTokens, outline }: Packing, rules: Rules) {
    const { units } = counter
    this.counter = counter
    this.units = units
    this.map = map
    this.maxTokens = maxTokens
    this.outline = outline
    this.context = context
    this.rules = rules
    this.overlap = new Overlap(units, map, rules.overlapTokens)
    for (let section = 0; section < outline.entries.length + 2; section++) {
      this.heads.push(units.length)
    }
    for (let index = units.length - 1; index >= 0; index--) {
      this.heads[at(units, index).section + 1] = index
    }
  }

  *run(): Steps<ReadonlyArray<Run>> {
    const runs: Array<Run> = []
    let last: Run | undefined = undefined
    for (let from = 0; from < this.units.length;) {
      const run: Run = this.next(from, last)
      runs.push(run)
      last = run
      from = run.to
      yield
    }
    return runs
  }

  private unit(index: number): Unit {
    return at(this.units, index)
  }

  /** The run that starts at `from`. */
  private next(from: number, last: Run | undefined): Run {
    const context = this.context.of(this.above(from))
    const lead = this.overlap.before(from, last)
    const overlapped = { context, lead }
    const around =
      lead.tokens > 0 && this.counter.tokens(from + 1, overlapped) > this.maxTokens
        ? { context, lead: this.overlap.none(from) }
        : overlapped
    const to = this.settle(from, this.filled(from, around))
    const tokens = this.counter.tokens(to, around)
    return tokens <= this.maxTokens
      ? this.finish(from, to, around, tokens)
      : this.shortened(from, to, { context, lead: this.overlap.none(from) })
  }

  /** As many units as fit and belong together. */
  private filled(from: number, around: Before): number {
    const { maxTokens } = this
    const fixed = around.context.tokens + around.lead.tokens + this.counter.opening(around.lead).tokens
    let to = from + 1
    while (to < this.units.length && !this.stops(from, to)) {
      const estimate = this.counter.estimate(from, to + 1) + fixed + (this.unit(to).frame?.closingTokens ?? 0)
      if (estimate > maxTokens && this.counter.tokens(to + 1, around) > maxTokens) {
        break
      }
      to++
    }
    return to
  }

  /** The section over the first unit, or over the heading that the unit is. */
  private above(from: number): number {
    const { leaf, section } = this.unit(from)
    return leaf.kind === "heading" && leaf.level === 0 ? this.outline.above(section) : section
  }

  /** True when a chunk that starts at `from` has to end before `to`. */
  private stops(from: number, to: number): boolean {
    const left = this.unit(to - 1)
    const right = this.unit(to)
    if (left.closes || left.region !== right.region) {
      return true
    }
    const opens = opensSection(right.leaf) && left.section !== right.section
    if (!this.rules.sections || !opens || this.onlyHeadings(from, to)) {
      return false
    }
    const end = this.heads[this.outline.endOf(right.section) + 1] ?? this.units.length
    const whole = this.counter.estimate(from, end) <= this.maxTokens && this.unit(end - 1).region === right.region
    return !whole && this.counter.estimate(from, to) >= this.rules.minTokens
  }

  private onlyHeadings(from: number, to: number): boolean {
    for (let index = from; index < to; index++) {
      if (this.unit(index).leaf.kind !== "heading") {
        return false
      }
    }
    return true
  }

  /**
   * Leaves to the next chunk the units that belong to it: headings at the end, unless their section is empty, and units
   * that the next one is kept with; but never all of them.
   */
  private settle(from: number, to: number): number {
    let end = to
    while (end > from + 1 && end < this.units.length && !this.unit(end - 1).closes && this.tears(end)) {
      end--
    }
    const wider = this.onlyHeadings(from, end) ? this.withText(from, to) : to
    return wider > to || this.tears(end) ? wider : end
  }

  /** Headings alone take in what they stand over, where it fits without context. */
  private withText(from: number, to: number): number {
    if (!this.onlyHeadings(from, to)) {
      return to
    }
    let end = to
    while (this.bareHeading(end) && !this.unit(end - 1).closes) {
      end++
    }
    const alone = { context: none, lead: this.overlap.none(from) }
    return end > to && this.counter.tokens(end, alone) <= this.maxTokens ? end : to
  }

  private tears(to: number): boolean {
    const after = this.units[to]
    return this.bareHeading(to) || (after?.keep === true && this.unit(to - 1).region === after.region)
  }

  /** True when a chunk that ends before `to` ends with a heading whose section is not empty. */
  private bareHeading(to: number): boolean {
    const last = this.unit(to - 1)
    const after = this.units[to]
    return (
      after !== undefined &&
      last.region === after.region &&
      last.leaf.kind === "heading" &&
      last.leaf.level === 0 &&
      (after.leaf.kind !== "heading" || after.leaf.level > 0 || after.leaf.depth > last.leaf.depth)
    )
  }

  private finish(from: number, to: number, { context, lead }: Before, tokens: number): Run {
    const opening = this.counter.opening(lead).text
    return { from, to, start: lead.start, context: context.text, opening, closing: this.counter.closing(to), tokens }
  }

  /** Too much with this context: less of it, then fewer units. */
  private shortened(from: number, to: number, { context, lead }: Before): Run {
    const { maxTokens } = this
    for (let end = to; end > from; end--) {
      const bare = this.counter.tokens(end, { context: none, lead })
      for (let limit = Math.min(maxTokens - bare, context.tokens); limit > 0; limit >>= 1) {
        const shorter = { context: this.context.within(this.above(from), limit), lead }
        const tokens = this.counter.tokens(end, shorter)
        if (tokens <= maxTokens) {
          return this.finish(from, end, shorter, tokens)
        }
      }
      if (bare <= maxTokens) {
        return this.finish(from, end, { context: none, lead }, bare)
      }
    }
    return this.unframed(from)
  }

  /** One unit that its frame makes too long; on its own it is within the budget. */
  private unframed(from: number): Run {
    const { end, start } = this.unit(from)
    const tokens = this.map.tokens(start, end)
    return { from, to: from + 1, start, context: "", opening: "", closing: "", tokens }
  }
}
