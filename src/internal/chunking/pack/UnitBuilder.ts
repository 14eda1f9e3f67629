/** Leaves become units; those above the budget become several. */
import { at, last } from "../../base/at.ts"
import { headingText } from "../scan/headingText.ts"
import { htmlTable } from "../scan/htmlTable.ts"
import { type Leaf, trimEnd } from "../scan/Leaf.ts"
import { perStep, type Steps } from "../steps.ts"
import { type Breaker, byLine, byPlace, bySentence } from "../tokens/breakPoint.ts"
import { cut, type Limits, type Part, TooSmall } from "../tokens/cut.ts"
import type { TokenMap } from "../tokens/TokenMap.ts"
import type { Context, Packing } from "./Context.ts"
import { htmlFrame, lineFrame, lineStarts } from "./frames.ts"
import type { Outline } from "./Outline.ts"
import type { Frame, Unit } from "./Unit.ts"

/** Part of the budget that the text after a heading gets at least, where the heading leaves as much. */
const leastFirst = 0.25

/** True for a table or fence that starts or continues in another leaf. */
const isPart = ({ goesOn, head }: Leaf): boolean => goesOn === true || head !== undefined

/** True for a table or fence. */
const isLined = ({ closing, kind }: Leaf): boolean => kind === "table" || closing !== ""

/** The way in which a leaf above the budget is cut. */
interface Cutting {
  /** Put around every part. */
  readonly frame?: Frame | undefined
  readonly limits: Limits
  readonly breaker: Breaker
}

const plain = { closes: false, frame: undefined }

export class UnitBuilder {
  readonly units: Array<Unit> = []
  private readonly map: TokenMap
  private readonly maxTokens: number
  private readonly outline: Outline
  private readonly context: Context
  /** Tokens of the headings that stand directly before the next leaf. */
  private pending = 0
  private region = -1

  constructor({ context, map, maxTokens, outline }: Packing) {
    this.map = map
    this.maxTokens = maxTokens
    this.outline = outline
    this.context = context
  }

  /**
   * Takes the leaves of one region, which ends at `end`.
   *
   * @yields {undefined} After each step.
   */
  *add(leaves: ReadonlyArray<Leaf>, region: number, end: number): Steps<TooSmall | undefined> {
    this.region = region
    this.pending = 0
    for (let index = 0; index < leaves.length; index++) {
      const leaf = at(leaves, index)
      const next = leaves[index + 1]?.start ?? end
      const failed = this.whole(leaf, next) ? undefined : yield* this.divided(leaf, next)
      if (failed !== undefined) {
        return failed
      }
      if (index % perStep === 0) yield
    }
    return undefined
  }

  /** Takes a leaf that stays whole; false for one that does not. */
  private whole(leaf: Leaf, next: number): boolean {
    const { map, outline } = this
    for (const { depth, text } of leaf.opens ?? []) outline.add(depth, text, leaf.start)
    if (leaf.kind === "heading" && leaf.level === 0) {
      const text = leaf.title ?? headingText(map.text.slice(leaf.textStart, leaf.textEnd))
      outline.add(leaf.depth, text, leaf.start)
    }
    if ((isLined(leaf) && isPart(leaf)) || map.tokens(leaf.start, leaf.end) > this.room(leaf)) return false
    this.push(leaf, leaf, next, plain)
    return true
  }

  private divided(leaf: Leaf, next: number): Steps<TooSmall | undefined> {
    if (isLined(leaf)) {
      return this.lines(leaf, next)
    }
    return leaf.kind === "html" || leaf.kind === "code" || leaf.kind === "lines"
      ? this.verbatim(leaf, next)
      : this.text(leaf, leaf, next, { limits: this.limits(), breaker: bySentence })
  }

  /**
   * Most tokens of a leaf that stays whole: next to the headings directly before it, which are never left alone for its
   * sake, unless it is a fence or a table, or they leave no room at all.
   */
  private room({ closing, kind }: Leaf): number {
    const { maxTokens } = this
    const beside = maxTokens - this.pending
    return closing !== "" || kind === "table" || kind === "heading" || beside < 1 ? maxTokens : beside
  }

  /** The first part goes with the headings before it: their context is shortened where it would get too little room. */
  private limits(): Limits {
    const { maxTokens } = this
    const room = maxTokens - this.context.of(this.outline.last).tokens
    const beside = maxTokens - this.pending
    const first = Math.max(1, room - this.pending, Math.min(beside, Math.floor(maxTokens * leastFirst)))
    return { first: beside < 1 ? room : first, other: room, most: maxTokens }
  }

  /** `next`: where the following unit starts. */
  private push(
    leaf: Leaf,
    { end, start }: Part,
    next: number,
    { closes, frame }: Pick<Unit, "closes" | "frame">
  ): void {
    const before = last(this.units)
    const weight = this.map.weight(start, next)
    this.units.push({
      start,
      end,
      weight,
      leaf,
      section: this.outline.last,
      region: this.region,
      closes,
      keep: false,
      frame
    })
    // A chunk may end between two headings of which the first has an empty section.
    const below = leaf.depth > (before?.leaf.depth ?? 0) ? this.pending : 0
    this.pending = leaf.kind === "heading" && !closes ? below + weight : 0
  }

  /**
   * All parts but the last end their chunks.
   *
   * @yields {undefined} After each step.
   */
  private *text(
    leaf: Leaf,
    span: Part,
    next: number,
    { breaker, frame, limits }: Cutting
  ): Steps<TooSmall | undefined> {
    const parts = yield* cut(this.map, span, limits, breaker)
    if (parts instanceof TooSmall) {
      return parts
    }
    const before = last(this.units)
    if (before !== undefined && (parts[0]?.start ?? span.start) > span.start) {
      before.closes = true
    }
    const rest = parts.length - 1
    const ended = frame && { ...frame, last: Math.min(frame.last, parts[rest]?.start ?? frame.last) }
    parts.forEach((part, index) => {
      const closes = index < rest
      this.push(leaf, part, closes ? part.end : next, { closes, frame: ended })
    })
    return undefined
  }

  /** HTML, indented code and lines: a table between its rows, anything else between lines. */
  private verbatim(leaf: Leaf, next: number): Steps<TooSmall | undefined> {
    const table = leaf.kind === "html" ? htmlTable(this.map.text, leaf.start, leaf.end) : undefined
    if (table === undefined) {
      return this.text(leaf, leaf, next, { limits: this.limits(), breaker: byLine })
    }
    const frame = htmlFrame(this.map, this.maxTokens, leaf, table)
    const other = this.maxTokens - frame.openingTokens - frame.closingTokens
    const first = Math.min(other, this.limits().first)
    const limits = { first, other, most: other }
    return this.text(leaf, leaf, next, { frame, limits, breaker: byPlace(table.rows) })
  }

  /**
   * A fence or table: one unit for every line, and several for one that is above the budget.
   *
   * @yields {undefined} After each step.
   */
  private *lines(leaf: Leaf, next: number): Steps<TooSmall | undefined> {
    const { map, maxTokens } = this
    const starts = lineStarts(map.text, leaf)
    const frame = lineFrame(map, maxTokens, leaf, starts)
    const room = maxTokens - frame.openingTokens - frame.closingTokens
    const cutting = { frame, limits: { first: room, other: room, most: room }, breaker: byLine }
    const whole = { closes: false, frame }
    for (let index = 0; index < starts.length; index++) {
      const start = at(starts, index)
      const stop = starts[index + 1] ?? next
      if (index % perStep === 0) yield
      const line = { start, end: Math.min(leaf.end, trimEnd(map.text, start, stop)) }
      if (map.tokens(line.start, line.end) <= room) {
        this.push(leaf, line, stop, whole)
        continue
      }
      const failed = yield* this.text(leaf, line, stop, cutting)
      if (failed !== undefined) {
        return failed
      }
    }
    return undefined
  }
}
