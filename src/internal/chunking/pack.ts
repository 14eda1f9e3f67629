/** Packs units into chunks: as much as fits, sections whole where they can be, no heading at the end. */
import { at } from "../at.ts"
import type { Context, Rendered } from "./Context.ts"
import type { Meter } from "./meter.ts"
import type { Outline } from "./outline.ts"
import type { Unit } from "./Unit.ts"

/** Units `[from, to)` as one chunk. */
export interface Run {
  readonly from: number
  readonly to: number
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
  /** Whether no chunk may go on behind this unit. */
  readonly breaks: (left: Unit, right: Unit) => boolean
}

export class Packer {
  private readonly units: ReadonlyArray<Unit>
  private readonly meter: Meter
  private readonly outline: Outline
  private readonly context: Context
  private readonly rules: Rules
  /** Tokens of the units before each unit. */
  private readonly sums: Float64Array
  /** First unit of each section. */
  private readonly heads: Int32Array

  constructor(units: ReadonlyArray<Unit>, meter: Meter, outline: Outline, context: Context, rules: Rules) {
    this.units = units
    this.meter = meter
    this.outline = outline
    this.context = context
    this.rules = rules
    this.sums = new Float64Array(units.length + 1)
    this.heads = new Int32Array(outline.entries.length + 1).fill(units.length)
    for (let index = units.length - 1; index >= 0; index--) {
      this.heads[at(units, index).section + 1] = index
    }
    units.forEach((unit, index) => {
      this.sums[index + 1] = (this.sums[index] ?? 0) + unit.stretch.weight + unit.stretch.seam
    })
  }

  run(): ReadonlyArray<Run> {
    const runs: Array<Run> = []
    for (let from = 0; from < this.units.length;) {
      const run = this.next(from)
      runs.push(run)
      from = run.to
    }
    return runs
  }

  private unit(index: number): Unit {
    return at(this.units, index)
  }

  /** The run that starts at `from`. */
  private next(from: number): Run {
    const { maxTokens } = this.meter
    const context = this.contextOf(from)
    const around = context.tokens + this.opening(from).tokens
    let to = from + 1
    while (to < this.units.length && !this.stops(from, to)) {
      const bound = this.bound(from, to + 1) + around + (this.unit(to).frame?.closingTokens ?? 0)
      if (bound > maxTokens && this.tokens(from, to + 1, context) > maxTokens) {
        break
      }
      to++
    }
    to = this.settle(from, to)
    const tokens = this.tokens(from, to, context)
    if (tokens <= maxTokens) {
      return this.finish(from, to, context, tokens)
    }
    return this.shortened(from, to, context)
  }

  /** The heading path above the first unit, without the heading that is the unit itself. */
  private contextOf(from: number): Rendered {
    return this.context.of(this.above(from))
  }

  private above(from: number): number {
    const { leaf, section } = this.unit(from)
    return leaf.kind === "heading" && leaf.level === 0 ? (this.outline.entries[section]?.parent ?? -1) : section
  }

  /** Whether a chunk that starts at `from` has to end before `to`. */
  private stops(from: number, to: number): boolean {
    const left = this.unit(to - 1)
    const right = this.unit(to)
    if (left.closes || left.region !== right.region || this.rules.breaks(left, right)) {
      return true
    }
    const opens = right.leaf.kind === "heading" && right.leaf.level === 0 && left.section !== right.section
    if (!this.rules.sections || !opens || this.onlyHeadings(from, to)) {
      return false
    }
    const end = this.heads[this.outline.endOf(right.section) + 1] ?? this.units.length
    const whole = this.bound(from, end) <= this.meter.maxTokens && this.unit(end - 1).region === right.region
    return !whole && (this.sums[to] ?? 0) - (this.sums[from] ?? 0) >= this.rules.minTokens
  }

  private onlyHeadings(from: number, to: number): boolean {
    for (let index = from; index < to; index++) {
      if (this.unit(index).leaf.kind !== "heading") {
        return false
      }
    }
    return true
  }

  /** Leaves headings at the end to the next chunk, unless their section is empty or they are all there is. */
  private settle(from: number, to: number): number {
    let end = to
    while (end > from + 1 && end < this.units.length && this.endsWithHeading(end)) {
      end--
    }
    return this.onlyHeadings(from, end) ? to : end
  }

  private endsWithHeading(to: number): boolean {
    const last = this.unit(to - 1)
    const after = this.unit(to)
    return (
      last.leaf.kind === "heading" &&
      last.leaf.level === 0 &&
      !last.closes &&
      (after.leaf.kind !== "heading" || after.leaf.level > 0 || after.leaf.depth > last.leaf.depth)
    )
  }

  /** Tokens of the units without context and frame, trailing white space included. */
  private bound(from: number, to: number): number {
    return (this.sums[to] ?? 0) - (this.sums[from] ?? 0) - this.unit(from).stretch.seam
  }

  private opening(from: number): { readonly text: string; readonly tokens: number } {
    const { frame, stretch } = this.unit(from)
    return frame === undefined || frame.first === stretch.start
      ? { text: "", tokens: 0 }
      : { text: frame.opening, tokens: frame.openingTokens }
  }

  private closing(to: number): string {
    const { frame, stretch } = this.unit(to - 1)
    if (frame === undefined || frame.closing === "" || (stretch.start >= frame.last && !this.unit(to - 1).closes)) {
      return ""
    }
    return this.meter.text.charCodeAt(stretch.end - 1) === 10 ? frame.closing : `\n${frame.closing}`
  }

  /** Tokens of the chunk, exactly. */
  private tokens(from: number, to: number, context: Rendered): number {
    const opening = this.opening(from)
    const closing = this.closing(to)
    const { stretch } = this.unit(to - 1)
    const start = this.unit(from).stretch.start
    if (this.meter.pieces === undefined) {
      return this.meter.count(context.text + opening.text + this.meter.text.slice(start, stretch.end) + closing)
    }
    const own = this.bound(from, to) - stretch.weight
    const before = context.text + opening.text
    return (
      context.tokens +
      opening.tokens +
      this.meter.seam(before, start, stretch.end) +
      own +
      (closing === "" ? this.meter.trimmed(stretch) : this.meter.closed(stretch, closing))
    )
  }

  private finish(from: number, to: number, context: Rendered, tokens: number): Run {
    return { from, to, context: context.text, opening: this.opening(from).text, closing: this.closing(to), tokens }
  }

  /** Too much with this context: less of it, then fewer units. */
  private shortened(from: number, to: number, context: Rendered): Run {
    const { maxTokens } = this.meter
    for (let end = to; end > from; end--) {
      const bare = this.tokens(from, end, { text: "", tokens: 0 })
      const room = Math.min(maxTokens - bare, context.tokens)
      for (let limit = room; limit > 0; limit = Math.floor(limit / 2)) {
        const shorter = this.context.within(this.above(from), limit)
        const tokens = this.tokens(from, end, shorter)
        if (tokens <= maxTokens) {
          return this.finish(from, end, shorter, tokens)
        }
      }
      if (bare <= maxTokens) {
        return this.finish(from, end, { text: "", tokens: 0 }, bare)
      }
    }
    return this.unframed(from)
  }

  /** One unit that its frame makes too long; on its own it is within the budget. */
  private unframed(from: number): Run {
    const { stretch } = this.unit(from)
    return { from, to: from + 1, context: "", opening: "", closing: "", tokens: this.meter.trimmed(stretch) }
  }
}
