/** Blocks of a text whose parts have keys, as JSON, YAML and XML: the keys above a part are its headings. */
import type { TextBlock } from "../../ParsedDocument.ts"

/** A part of a text, `[start, end)` in UTF-16 code units, and the parts inside it in order. */
export interface Part {
  /** Key of a member, name of an element, `[3]` of an item. */
  readonly key: string
  /** True when it is one of a list of its like, which a short one does not open a section in. */
  readonly item: boolean
  /** The name that its content gives it, which is shown after its key; empty for none. It is asked for headings only. */
  readonly label?: (() => string) | undefined
  readonly start: number
  readonly end: number
  readonly parts: ReadonlyArray<Part>
}

/** Levels of keys that are headings; what lies deeper stays in one block. A chunk shows six of them. */
export const deepest = 12

/** Characters from which a part opens a section; a shorter one says its keys itself. */
const shortest = { member: 160, item: 600 }

const longestKey = 100

const opens = ({ end, item, parts, start }: Part): boolean =>
  parts.length > 0 && end - start >= (item ? shortest.item : shortest.member)

const shortened = (text: string): string => {
  const line = text.replace(/\s+/gu, " ").trim()
  if (line.length <= longestKey) return line
  return `${line.slice(0, longestKey - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`
}

const headingOf = ({ key, label }: Part): string => {
  const named = label === undefined ? "" : shortened(label())
  const shown = shortened(key) || JSON.stringify(key)
  return named === "" ? shown : `${shown} ${named}`
}

/** Members that name their parent, the best first: `metadata` in manifests of Kubernetes, `properties` in GeoJSON. */
const naming: ReadonlyArray<readonly [string, ...Array<string>]> = [
  ["title"],
  ["name"],
  ["id"],
  ["metadata", "name"],
  ["properties", "name"]
]

/** The name that the members of a part give it; empty when none of them does. */
export const labelOf = (valueAt: (path: readonly [string, ...Array<string>]) => unknown): string => {
  for (const path of naming) {
    const value = valueAt(path)
    if ((typeof value === "string" && value.trim() !== "") || typeof value === "number") return String(value)
  }
  return ""
}

interface Cut {
  readonly at: number
  readonly path: ReadonlyArray<string>
  /** `key`: nothing but the key of the section stands there yet. `closed`: the part after it is in another block. */
  readonly state: "key" | "open" | "closed"
}

class Cutter {
  readonly cuts: Array<Cut> = []
  private readonly startOf: (at: number) => number

  constructor(startOf: (at: number) => number) {
    this.startOf = startOf
  }

  visit(parts: ReadonlyArray<Part>, path: ReadonlyArray<string>): void {
    for (const part of parts) {
      const { item, start } = part
      if (opens(part) && path.length < deepest) {
        const inner = [...path, headingOf(part)]
        this.cut(start, inner, "key")
        this.visit(part.parts, inner)
      } else if (item && part.parts.length > 0) this.cut(start, path, "closed")
      else if (this.cuts.at(-1)?.path !== path || this.cuts.at(-1)?.state !== "open") this.cut(start, path, "open")
    }
  }

  /** A section without more than its key, and one that begins in the same place, are part of the one inside. */
  private cut(start: number, path: ReadonlyArray<string>, state: Cut["state"]): void {
    let at = this.startOf(start)
    for (let last = this.cuts.at(-1); last !== undefined; last = this.cuts.at(-1)) {
      if (last.at < at && last.state !== "key") break
      at = Math.min(at, last.at)
      this.cuts.pop()
    }
    this.cuts.push({ at, path, state })
  }
}

/** The text with LF for each CR alone, which parsers take for no line end; offsets stay. */
export const withLineFeeds = (text: string): string => text.replace(/\r(?!\n)/gu, "\n")

/**
 * Blocks that cover the whole text, each with the keys above it as its path. Where a part is the first of its line, its block begins with
 * the line; `isAhead` tells a line that belongs to the part after it, as a comment does.
 */
export const blocksOf = (
  written: string,
  parts: ReadonlyArray<Part>,
  isAhead: (line: string) => boolean = () => false
): ReadonlyArray<TextBlock> => {
  const text = withLineFeeds(written)
  const lineStart = (at: number): number => text.lastIndexOf("\n", at - 1) + 1
  const startOf = (at: number): number => {
    let start = at
    // A line may have megabytes: it is read back only as far as nothing but marks of a list stands in it.
    while (start > 0 && /[^\S\n]|-/u.test(text.charAt(start - 1))) start--
    if (start > 0 && text.charAt(start - 1) !== "\n") return at
    while (start > 0) {
      const above = lineStart(start - 1)
      if (!isAhead(text.slice(above, start - 1))) break
      start = above
    }
    return start
  }
  const cutter = new Cutter(startOf)
  cutter.visit(parts, [])
  return cutter.cuts.flatMap(({ at, path }, index, all) => {
    const start = index === 0 ? 0 : at
    const end = all[index + 1]?.at ?? text.length
    return start < end ? [{ kind: "lines", start, end, path }] : []
  })
}

/** Key of an item of a list, from 0. */
export const itemKey = (index: number): string => `[${index}]`
