import type { Heading } from "../../../DocumentChunk.ts"
import { shortened } from "../tokens/cluster.ts"
import type { Entry } from "./Unit.ts"

const none: ReadonlyArray<string> = []
const noPath: ReadonlyArray<Heading> = []

/** Greatest depth in a chunk's `headingPath`. */
const deepest = 6

/** Code units of a heading, with `…` for the rest: every chunk below it carries it. */
export const longestHeading = 500

/** Headings of a path, and the code units of all of them: the outermost that fit, and the innermost. */
const longestPath = { headings: 16, text: 2000 } as const

/** The headings of a document, each with the one above it. Headings in quotes, lists and footnotes open no section. */
export class Outline {
  readonly entries: Array<Entry> = []
  private readonly paths: Array<ReadonlyArray<Heading> | undefined> = []
  private readonly cut = new Set<number>()
  private readonly cutPaths = new WeakSet<ReadonlyArray<Heading>>()

  /** The innermost heading so far; -1 when there is none. */
  get last(): number {
    return this.entries.length - 1
  }

  /** Opens a section; one of depth 0 has no heading and is under none. */
  add(depth: number, text: string, start: number): void {
    let parent = this.last
    while (parent >= 0 && (this.entries[parent]?.depth ?? 0) >= depth) {
      parent = this.entries[parent]?.parent ?? -1
    }
    if (text.length > longestHeading) this.cut.add(this.entries.length)
    this.entries.push({ depth, text: shortened(text, longestHeading), parent, start })
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
    const above = this.path(entry.parent)
    let room = longestPath.text - entry.text.length
    const outer = above.slice(0, longestPath.headings - 1).filter(({ text }) => (room -= text.length) >= 0)
    const path = [...outer, { depth: Math.min(deepest, entry.depth), text: entry.text }]
    if (this.cut.has(section) || outer.length < above.length || this.cutPaths.has(above)) this.cutPaths.add(path)
    this.paths[section] = path
    return path
  }

  /** True for a path that lacks a heading, or a part of one. */
  isCut(path: ReadonlyArray<Heading>): boolean {
    return this.cutPaths.has(path)
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
