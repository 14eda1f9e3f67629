/** Packs units into chunks: as much as fits, sections whole where they can be, no heading at the end. */
import { at } from "../base/at.ts"
import type { Context } from "./Context.ts"
import type { Meter } from "./meter.ts"
import type { Outline } from "./outline.ts"
import { Overlap } from "./Overlap.ts"
import { type Around, nothing, type Scale } from "./Scale.ts"
import type { Unit } from "./Unit.ts"

/** Units `[from, to)` as one chunk, with an overlap before them. */
export interface Run {
  readonly from: number
  readonly to: number
  /** Of the text, overlap included. */
  readonly start: number
  readonly context: string
  readonly opening: string
  readonly closing: string
  /** Of context, opening, text and closing together. */
  readonly tokens: number
}

export interface Rules {
  /** A new section starts a new chunk unless all of it fits. */
  readonly sections: boolean
  /** A chunk below so many tokens is filled up across sections. */
  readonly minTokens: number
  /** Tokens of the chunk before that may be repeated. */
  readonly overlapTokens: number
}

export class Packer {
  private readonly units: ReadonlyArray<Unit>
  private readonly meter: Meter
  private readonly outline: Outline
  private readonly context: Context
  private readonly rules: Rules
  private readonly overlap: Overlap
  private readonly scale: Scale
  /** First unit of each section. */
  private readonly heads: Array<number> = []

  constructor(scale: Scale, meter: Meter, outline: Outline, context: Context, rules: Rules) {
    const { units } = scale
    this.scale = scale
    this.units = units
    this.meter = meter
    this.outline = outline
    this.context = context
    this.rules = rules
    this.overlap = new Overlap(units, meter, rules.overlapTokens)
    for (let section = 0; section < outline.entries.length + 2; section++) {
      this.heads.push(units.length)
    }
    for (let index = units.length - 1; index >= 0; index--) {
      this.heads[at(units, index).section + 1] = index
    }
  }

  run(): ReadonlyArray<Run> {
    const runs: Array<Run> = []
    let last: Run | undefined = undefined
    for (let from = 0; from < this.units.length;) {
      const run: Run = this.next(from, last)
      runs.push(run)
      last = run
      from = run.to
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
      lead.tokens > 0 && this.scale.tokens(from, from + 1, overlapped) > this.meter.maxTokens
        ? { context, lead: this.overlap.none(from) }
        : overlapped
    const to = this.settle(from, this.filled(from, around))
    const tokens = this.scale.tokens(from, to, around)
    return tokens <= this.meter.maxTokens
      ? this.finish(from, to, around, tokens)
      : this.shortened(from, to, { context, lead: this.overlap.none(from) })
  }

  /** As many units as fit and belong together. */
  private filled(from: number, around: Around): number {
    const { maxTokens } = this.meter
    const fixed = around.context.tokens + around.lead.tokens + this.scale.opening(around.lead).tokens
    let to = from + 1
    while (to < this.units.length && !this.stops(from, to)) {
      const bound = this.scale.bound(from, to + 1) + fixed + (this.unit(to).frame?.closingTokens ?? 0)
      if (bound > maxTokens && this.scale.tokens(from, to + 1, around) > maxTokens) {
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

  /** Whether a chunk that starts at `from` has to end before `to`. */
  private stops(from: number, to: number): boolean {
    const left = this.unit(to - 1)
    const right = this.unit(to)
    if (left.closes || left.region !== right.region) {
      return true
    }
    const opens = right.leaf.kind === "heading" && right.leaf.level === 0 && left.section !== right.section
    if (!this.rules.sections || !opens || this.onlyHeadings(from, to)) {
      return false
    }
    const end = this.heads[this.outline.endOf(right.section) + 1] ?? this.units.length
    const whole = this.scale.bound(from, end) <= this.meter.maxTokens && this.unit(end - 1).region === right.region
    return !whole && this.scale.before(to) - this.scale.before(from) >= this.rules.minTokens
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
   * Leaves to the next chunk what should not be torn from it: headings at the end, unless their section is empty, and
   * what the next unit is kept with; but not all there is.
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
    const alone = { context: nothing, lead: this.overlap.none(from) }
    return end > to && this.scale.tokens(from, end, alone) <= this.meter.maxTokens ? end : to
  }

  private tears(to: number): boolean {
    const after = this.units[to]
    return this.bareHeading(to) || (after?.keep === true && this.unit(to - 1).region === after.region)
  }

  /** Whether a chunk that ends before `to` ends with a heading whose section is not empty. */
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

  private finish(from: number, to: number, { context, lead }: Around, tokens: number): Run {
    const opening = this.scale.opening(lead).text
    return { from, to, start: lead.start, context: context.text, opening, closing: this.scale.closing(to), tokens }
  }

  /** Too much with this context: less of it, then fewer units. */
  private shortened(from: number, to: number, { context, lead }: Around): Run {
    const { maxTokens } = this.meter
    for (let end = to; end > from; end--) {
      const bare = this.scale.tokens(from, end, { context: nothing, lead })
      for (let limit = Math.min(maxTokens - bare, context.tokens); limit > 0; limit >>= 1) {
        const shorter = { context: this.context.within(this.above(from), limit), lead }
        const tokens = this.scale.tokens(from, end, shorter)
        if (tokens <= maxTokens) {
          return this.finish(from, end, shorter, tokens)
        }
      }
      if (bare <= maxTokens) {
        return this.finish(from, end, { context: nothing, lead }, bare)
      }
    }
    return this.unframed(from)
  }

  /** One unit that its frame makes too long; on its own it is within the budget. */
  private unframed(from: number): Run {
    const { stretch } = this.unit(from)
    const tokens = this.meter.trimmed(stretch)
    return { from, to: from + 1, start: stretch.start, context: "", opening: "", closing: "", tokens }
  }
}
