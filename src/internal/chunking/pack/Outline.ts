import type { Heading } from "../../../DocumentChunk.ts"
import type { Entry } from "./Unit.ts"

const none: ReadonlyArray<string> = []
const noPath: ReadonlyArray<Heading> = []

/** Greatest depth in a chunk's `headingPath`. */
const deepest = 6

/** The headings of a document, each with the one above it. Headings in quotes, lists and footnotes open no section. */
export class Outline {
  readonly entries: Array<Entry> = []
  private readonly paths: Array<ReadonlyArray<Heading> | undefined> = []

  /** The innermost heading so far; -1 when there is none. */
  get last(): number {
    return this.entries.length - 1
  }

  /** Opens a section; one of depth 0 is under no heading and has none of its own. */
  add(depth: number, text: string, start: number): void {
    let parent = this.last
    while (parent >= 0 && (this.entries[parent]?.depth ?? 0) >= depth) {
      parent = this.entries[parent]?.parent ?? -1
    }
    this.entries.push({ depth, text, parent, start })
  }

  /** The heading above a section's; -1 when there is none. */
  above(section: number): number {
    return section < 0 ? -1 : (this.entries[section]?.parent ?? -1)
  }

  /** From the outermost heading to the innermost; the same array each time. */
  path(section: number): ReadonlyArray<Heading> {
    const entry = section < 0 ? undefined : this.entries[section]
    if (entry === undefined || entry.depth === 0) {
      return noPath
    }
    const known = this.paths[section]
    if (known !== undefined) {
      return known
    }
    const path = [...this.path(entry.parent), { depth: Math.min(deepest, entry.depth), text: entry.text }]
    this.paths[section] = path
    return path
  }

  /** The innermost section that holds both sections; -1 when none does. A section comes after the one above it. */
  common(left: number, right: number): number {
    let [one, other] = [left, right]
    while (one !== other) {
      if (one > other) {
        one = this.above(one)
      } else {
        other = this.above(other)
      }
    }
    return one
  }

  /** Texts of the headings whose lines begin in `[start, end)`. */
  startedIn(start: number, end: number): ReadonlyArray<string> {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.entries[middle]?.start ?? 0) < start) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let stop = low
    while (stop < this.entries.length && (this.entries[stop]?.start ?? end) < end) {
      stop++
    }
    return stop === low ? none : this.entries.slice(low, stop).map(({ text }) => text)
  }

  /** First section after this one that is not below it; the number of sections when there is none. */
  endOf(section: number): number {
    const depth = this.entries[section]?.depth ?? 0
    let at = section + 1
    while (at < this.entries.length && (this.entries[at]?.depth ?? 0) > depth) {
      at++
    }
    return at
  }
}
