/** Leaves are counted once and become units; those above the budget become several. */
import type { Context } from "./Context.ts"
import { type Leaf, trimEnd } from "./Leaf.ts"
import { isSticky, type Meter, type Stretch } from "./meter.ts"
import type { Outline } from "./outline.ts"
import { type Limits, parts, TooSmall } from "./parts.ts"
import type { Frame, Unit } from "./Unit.ts"

/** Part of the budget that a repeated table head or a re-opened fence may take. */
const frameShare = 0.5

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
      const leaf = leaves[index]
      if (leaf !== undefined) {
        const failed = this.leaf(leaf, leaves[index + 1]?.start ?? end)
        if (failed !== undefined) {
          return failed
        }
      }
    }
    return undefined
  }

  private leaf(leaf: Leaf, next: number): TooSmall | undefined {
    if (leaf.kind === "heading" && leaf.level === 0) {
      this.outline.add(leaf, this.meter.text.slice(leaf.textStart, leaf.textEnd).replace(/\s+/g, " "))
    }
    const lined = leaf.kind === "table" || leaf.closing !== ""
    if (lined && leaf.end - leaf.start > this.meter.maxTokens) {
      return this.lines(leaf, next)
    }
    const stretch = this.meter.measure(leaf.start, leaf.end, next)
    if (this.meter.exceeds(stretch)) {
      return lined ? this.lines(leaf, next) : this.text(leaf, stretch, undefined, this.limits())
    }
    this.push(leaf, stretch, false, undefined)
    return undefined
  }

  private limits(): Limits {
    const { maxTokens } = this.meter
    const room = maxTokens - this.context.of(this.outline.last).tokens
    const first = room - this.pending
    return { first: first * 4 < maxTokens ? room : first, other: room, most: maxTokens }
  }

  private push(leaf: Leaf, stretch: Stretch, closes: boolean, frame: Frame | undefined): void {
    const last = this.units[this.units.length - 1]
    if (last !== undefined && last.region === this.region && !last.closes) {
      last.closes = !this.meter.join(last.stretch, stretch)
    }
    this.units.push({ stretch, leaf, section: this.outline.last, region: this.region, closes, keep: false, frame })
    this.pending = leaf.kind === "heading" && !closes ? this.pending + stretch.weight : 0
  }

  private text(leaf: Leaf, stretch: Stretch, frame: Frame | undefined, limits: Limits): TooSmall | undefined {
    const cut = parts(this.meter, stretch, limits)
    if (cut instanceof TooSmall) {
      return cut
    }
    const last = this.units[this.units.length - 1]
    if (last !== undefined && (cut.stretches[0]?.start ?? 0) > stretch.start) {
      last.closes = true
    }
    const open = cut.open ? cut.stretches.length - 1 : cut.stretches.length
    cut.stretches.forEach((part, index) => this.push(leaf, part, index < open, frame))
    return undefined
  }

  /** A fence or table line by line: one unit if all of it is within the budget, else one unit for every line. */
  private lines(leaf: Leaf, next: number): TooSmall | undefined {
    const starts = this.lineStarts(leaf)
    const stretches = starts.map((start, index) => {
      const stop = starts[index + 1] ?? next
      return this.meter.measure(start, Math.min(leaf.end, trimEnd(this.meter.text, start, stop)), stop)
    })
    const whole = combined(stretches)
    if (whole !== undefined && !this.meter.exceeds(whole)) {
      this.push(leaf, whole, false, undefined)
      return undefined
    }
    const frame = this.frame(leaf, starts)
    const room = this.meter.maxTokens - frame.openingTokens - frame.closingTokens
    for (let index = 0; index < stretches.length; index++) {
      const stretch = stretches[index]
      if (stretch === undefined) {
        continue
      }
      if (this.meter.trimmed(stretch) <= room) {
        this.push(leaf, stretch, false, frame)
        continue
      }
      const failed = this.text(leaf, stretch, frame, { first: room, other: room, most: room })
      if (failed !== undefined) {
        return failed
      }
    }
    return undefined
  }

  /**
   * Starts of the lines that may start a part: never a blank line, a table's delimiter row, a fence's first or last line,
   * a line whose count depends on the line before it.
   */
  private lineStarts(leaf: Leaf): ReadonlyArray<number> {
    const { text } = this.meter
    const starts: Array<number> = []
    for (let at = leaf.start; at < leaf.end;) {
      const stop = Math.min(leaf.end, lineEnd(text, at))
      if (trimEnd(text, at, stop) > at) {
        starts.push(at)
      }
      at = stop
    }
    const body = leaf.kind === "table" ? starts.slice(3) : starts.slice(2)
    const closed =
      leaf.closing !== "" &&
      text
        .slice(starts[starts.length - 1], leaf.end)
        .trim()
        .startsWith(leaf.closing.trim())
    const inner = closed ? body.slice(0, -1) : body
    return [leaf.start, ...inner.filter((start) => !isSticky(text.charCodeAt(start)))]
  }

  private frame(leaf: Leaf, starts: ReadonlyArray<number>): Frame {
    const { text, maxTokens } = this.meter
    const head = leaf.kind === "table" ? leaf.textEnd : trimEnd(text, leaf.start, lineEnd(text, leaf.start))
    const opening = `${text.slice(leaf.start, head)}\n`
    const closing = leaf.closing
    const long = head - leaf.start > maxTokens * 8
    const openingTokens = long ? maxTokens : this.meter.count(opening)
    const closingTokens = this.meter.count(closing) + 1
    const bare = openingTokens + closingTokens > maxTokens * frameShare
    return {
      opening: bare ? "" : opening,
      openingTokens: bare ? 0 : openingTokens,
      closing: bare ? "" : closing,
      closingTokens: bare || closing === "" ? 0 : closingTokens,
      first: leaf.start,
      last: starts[starts.length - 1] ?? leaf.start,
      bare
    }
  }
}

const lineEnd = (text: string, at: number): number => {
  const newline = text.indexOf("\n", at)
  return newline < 0 ? text.length : newline + 1
}

/** Stretches that follow each other as one. */
const combined = (stretches: ReadonlyArray<Stretch>): Stretch | undefined => {
  const first = stretches[0]
  const last = stretches[stretches.length - 1]
  if (first === undefined || last === undefined) {
    return undefined
  }
  let weight = 0
  for (const stretch of stretches) {
    weight += stretch.weight
  }
  return { ...last, start: first.start, weight, cut: -1, before: 0, seam: 0 }
}
