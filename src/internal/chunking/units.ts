/** Leaves are counted once and become units; those above the budget become several. */
import { at, last } from "../base/at.ts"
import { type Breaker, byLine, byPlace, bySentence } from "./breakPoint.ts"
import type { Context } from "./Context.ts"
import { cutStretch } from "./cutStretch.ts"
import { htmlFrame, lineFrame, lineStarts } from "./frames.ts"
import { headingText } from "./headingText.ts"
import { htmlTable } from "./htmlTable.ts"
import { type Leaf, trimEnd } from "./Leaf.ts"
import type { Meter } from "./meter.ts"
import type { Outline } from "./outline.ts"
import { type Limits, TooSmall } from "./Parts.ts"
import type { Stretch } from "./Stretch.ts"
import type { Frame, Unit } from "./Unit.ts"

/** Part of the budget that the text behind a heading gets at least, where the heading leaves as much. */
const leastFirst = 0.25

/** Whether a table or fence starts or goes on in another leaf. */
const isPart = ({ goesOn, head }: Leaf): boolean => goesOn === true || head !== undefined

export class UnitBuilder {
  readonly units: Array<Unit> = []
  private readonly outline: Outline
  private readonly meter: Meter
  private readonly context: Context
  /** Tokens of the headings that stand directly before the next leaf. */
  private pending = 0
  private region = -1

  constructor(meter: Meter, outline: Outline, context: Context) {
    this.meter = meter
    this.outline = outline
    this.context = context
  }

  /** Takes the leaves of one region, which ends at `end`. */
  add(leaves: ReadonlyArray<Leaf>, region: number, end: number): TooSmall | undefined {
    this.region = region
    this.pending = 0
    for (let index = 0; index < leaves.length; index++) {
      const failed = this.leaf(at(leaves, index), leaves[index + 1]?.start ?? end)
      if (failed !== undefined) {
        return failed
      }
    }
    return undefined
  }

  private leaf(leaf: Leaf, next: number): TooSmall | undefined {
    if (leaf.kind === "heading" && leaf.level === 0) {
      this.outline.add(leaf, headingText(this.meter.text.slice(leaf.textStart, leaf.textEnd)))
    }
    const lined = leaf.kind === "table" || leaf.closing !== ""
    const stretch = this.meter.measure(leaf.start, leaf.end, next)
    const fits = !(lined && isPart(leaf)) && !this.meter.exceeds(stretch, this.room(leaf))
    if (fits) {
      this.push(leaf, stretch, false, undefined)
      return undefined
    }
    if (lined) {
      return this.lines(leaf, next)
    }
    return leaf.kind === "html" || leaf.kind === "code"
      ? this.verbatim(leaf, stretch)
      : this.text(leaf, stretch, undefined, this.limits(), bySentence)
  }

  /**
   * Tokens that a leaf may have to stay in one: beside the headings that stand directly before it, which are never left alone
   * for its sake, unless it is a fence or a table, or they leave no room at all.
   */
  private room({ closing, kind }: Leaf): number {
    const { maxTokens } = this.meter
    const beside = maxTokens - this.pending
    return closing !== "" || kind === "table" || kind === "heading" || beside < 1 ? maxTokens : beside
  }

  /** The first part goes with the headings before it: their context is shortened where it would get too little room. */
  private limits(): Limits {
    const { maxTokens } = this.meter
    const room = maxTokens - this.context.of(this.outline.last).tokens
    const beside = maxTokens - this.pending
    const first = Math.max(1, room - this.pending, Math.min(beside, Math.floor(maxTokens * leastFirst)))
    return { first: beside < 1 ? room : first, other: room, most: maxTokens }
  }

  private push(leaf: Leaf, stretch: Stretch, closes: boolean, frame: Frame | undefined, added = false): void {
    const before = last(this.units)
    if (before !== undefined && before.region === this.region && !before.closes) {
      before.closes = !this.meter.join(before.stretch, stretch)
    }
    this.units.push({
      stretch,
      leaf,
      section: this.outline.last,
      region: this.region,
      closes,
      added,
      keep: false,
      frame
    })
    // A chunk may end between two headings of which the first has an empty section.
    const below = leaf.depth > (before?.leaf.depth ?? 0) ? this.pending : 0
    this.pending = leaf.kind === "heading" && !closes ? below + stretch.weight : 0
  }

  private text(
    leaf: Leaf,
    stretch: Stretch,
    frame: Frame | undefined,
    limits: Limits,
    breaker: Breaker
  ): TooSmall | undefined {
    const trimmed = { ...stretch, own: -1, end: trimEnd(this.meter.text, stretch.start, stretch.end) }
    const cut = cutStretch(this.meter, trimmed, limits, breaker)
    if (cut instanceof TooSmall) {
      return cut
    }
    const before = last(this.units)
    if (before !== undefined && (cut.stretches[0]?.start ?? 0) > stretch.start) {
      before.closes = true
    }
    const open = cut.open ? cut.stretches.length - 1 : cut.stretches.length
    const ended =
      frame === undefined
        ? undefined
        : { ...frame, last: Math.min(frame.last, cut.stretches[open]?.start ?? frame.last) }
    cut.stretches.forEach((part, index) => this.push(leaf, part, index < open, ended, cut.added.has(part)))
    return undefined
  }

  /** HTML and indented code: a table between its rows, anything else between lines. */
  private verbatim(leaf: Leaf, stretch: Stretch): TooSmall | undefined {
    const table = leaf.kind === "html" ? htmlTable(this.meter.text, leaf.start, leaf.end) : undefined
    if (table === undefined) {
      return this.text(leaf, stretch, undefined, this.limits(), byLine)
    }
    const frame = htmlFrame(this.meter, leaf, table)
    const other = this.meter.maxTokens - frame.openingTokens - frame.closingTokens
    const first = Math.min(other, this.limits().first)
    return this.text(leaf, stretch, frame, { first, other, most: other }, byPlace(table.rows))
  }

  /** A fence or table, which was measured last: one unit for every line, and several for one that is above the budget. */
  private lines(leaf: Leaf, next: number): TooSmall | undefined {
    const { meter } = this
    const starts = lineStarts(meter.text, leaf).filter((start) => start === leaf.start || meter.divides(start))
    const frame = lineFrame(meter, leaf, starts)
    const room = meter.maxTokens - frame.openingTokens - frame.closingTokens
    for (let index = 0; index < starts.length; index++) {
      const start = at(starts, index)
      const stop = starts[index + 1] ?? next
      const stretch = meter.part(start, Math.min(leaf.end, trimEnd(meter.text, start, stop)), stop)
      if (!meter.exceeds(stretch, room)) {
        this.push(leaf, stretch, false, frame)
        continue
      }
      const failed = this.text(leaf, stretch, frame, { first: room, other: room, most: room }, byLine)
      if (failed !== undefined) {
        return failed
      }
    }
    return undefined
  }
}
