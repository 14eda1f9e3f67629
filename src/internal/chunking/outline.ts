import type { Heading } from "../../DocumentChunk.ts"
import type { Leaf } from "./Leaf.ts"
import type { Entry } from "./Unit.ts"

/** The headings of a document, each with the one above it. Headings in quotes, lists and footnotes open no section. */
export class Outline {
  readonly entries: Array<Entry> = []

  /** The innermost heading so far; -1 when there is none. */
  get last(): number {
    return this.entries.length - 1
  }

  add(leaf: Leaf, text: string): void {
    let parent = this.last
    while (parent >= 0 && (this.entries[parent]?.depth ?? 0) >= leaf.depth) {
      parent = this.entries[parent]?.parent ?? -1
    }
    this.entries.push({ depth: leaf.depth, text, parent, start: leaf.start })
  }

  /** From the outermost heading to the innermost. */
  path(section: number): ReadonlyArray<Heading> {
    const path: Array<Heading> = []
    for (let at = section; at >= 0;) {
      const entry = this.entries[at]
      if (entry === undefined) {
        break
      }
      path.push({ depth: entry.depth, text: entry.text })
      at = entry.parent
    }
    return path.toReversed()
  }

  /** First section behind this one that is not below it; the number of sections when there is none. */
  endOf(section: number): number {
    const depth = this.entries[section]?.depth ?? 0
    let at = section + 1
    while (at < this.entries.length && (this.entries[at]?.depth ?? 0) > depth) {
      at++
    }
    return at
  }
}
