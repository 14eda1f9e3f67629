import type { ParsedDocument, TextBlock } from "../../../ParsedDocument.ts"
/** The parts of the Markdown that are read, and the places that no chunk spans. */
import { headOf } from "../pack/frames.ts"
import { type Leaf, trimEnd } from "../scan/Leaf.ts"
import type { Settings } from "../Settings.ts"
import type { Marker } from "./markers.ts"
import type { PageStart } from "./pages.ts"
import { isFurniture, type PlacedBlock } from "./spans.ts"

/** `[start, end)` in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Markers, dropped page furniture, and blocks that are in no chunk, in order. */
const holes = (
  settings: Settings,
  markers: ReadonlyArray<Marker>,
  blocks: ReadonlyArray<PlacedBlock>,
  structure: ReadonlyArray<TextBlock>
): ReadonlyArray<Span> => {
  const omitted = structure.filter(({ kind }) => kind === "omitted")
  const dropped =
    !settings.blocks || settings.furniture
      ? []
      : blocks.flatMap(({ block, span }) =>
          span !== undefined && isFurniture(block) ? [{ start: span[0], end: span[1] }] : []
        )
  return omitted.length + dropped.length === 0
    ? markers
    : [...markers, ...dropped, ...omitted].toSorted((left, right) => left.start - right.start)
}

/** The spans between markers, dropped page furniture and blocks that are in no chunk, in order. */
export const regions = (
  { markdown: { length }, structure = [] }: Pick<ParsedDocument, "markdown" | "structure">,
  settings: Settings,
  markers: ReadonlyArray<Marker>,
  blocks: ReadonlyArray<PlacedBlock>
): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  let start = 0
  for (const hole of holes(settings, markers, blocks, structure)) {
    if (hole.start > start) {
      found.push({ start, end: hole.start })
    }
    start = Math.max(start, hole.end)
  }
  if (start < length) {
    found.push({ start, end: length })
  }
  return found
}

/** Page starts that no chunk spans. */
export const hardStarts = (settings: Settings, pages: ReadonlyArray<PageStart>): ReadonlyArray<number> =>
  settings.pageBoundaries === "hard" ? pages.slice(1).map(({ start }) => start) : []

/** True when a page starts between two rows of a table, or two lines of a fence. */
const betweenLines = (text: string, leaf: Leaf, start: number): boolean =>
  (leaf.kind === "table" || leaf.closing !== "") && text.charCodeAt(start - 1) === 10 && start >= headOf(text, leaf)[1]

/** The two halves of a leaf that a page starts in; the second goes on with the table or fence, or is plain text. */
const halves = (text: string, leaf: Leaf, start: number): readonly [Leaf, Leaf] => {
  const first = { ...leaf, end: trimEnd(text, leaf.start, start) }
  return betweenLines(text, leaf, start)
    ? [
        { ...first, goesOn: true },
        { ...leaf, start, head: headOf(text, leaf) }
      ]
    : [first, { ...leaf, kind: "paragraph", depth: 0, closing: "", head: undefined, start }]
}

/** The leaves of a region, divided at the starts; each part with where it ends. */
export const divide = (
  text: string,
  leaves: ReadonlyArray<Leaf>,
  region: Span,
  starts: ReadonlyArray<number>
): ReadonlyArray<{ readonly leaves: ReadonlyArray<Leaf>; readonly end: number }> => {
  const inner = starts.filter((start) => start > region.start && start < region.end)
  if (inner.length === 0) {
    return [{ leaves, end: region.end }]
  }
  const parts: Array<{ readonly leaves: Array<Leaf>; readonly end: number }> = []
  const queue = [...leaves].toReversed()
  for (const end of [...inner, region.end]) {
    const own: Array<Leaf> = []
    for (let leaf = queue.pop(); leaf !== undefined; leaf = queue.pop()) {
      if (leaf.start >= end) {
        queue.push(leaf)
        break
      }
      if (leaf.end <= end) {
        own.push(leaf)
        continue
      }
      const [first, second] = halves(text, leaf, end)
      own.push(first)
      queue.push(second)
      break
    }
    parts.push({ leaves: own.filter((leaf) => leaf.end > leaf.start), end })
  }
  return parts
}
