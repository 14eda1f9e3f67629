/** Which physical pages a span touches. */
import type { ParsedDocument } from "../../../ParsedDocument.ts"
import { trimEnd, trimStart } from "../scan/Leaf.ts"
import { firstPage, type Marker } from "./markers.ts"
import type { PlacedBlock } from "./spans.ts"

/** The start of a page. In a list, numbers and places ascend. */
export interface PageStart {
  readonly start: number
  readonly page: number
}

/** Distance after its expected place in which a page is searched for. */
const reach = 20_000

const fromMarkers = (document: ParsedDocument, markers: ReadonlyArray<Marker>): ReadonlyArray<PageStart> => [
  { start: 0, page: firstPage(document) },
  ...markers.map(({ start, page }) => ({ start, page }))
]

/** Keeps those that ascend in page and do not descend in place. */
const ascending = (starts: ReadonlyArray<PageStart>): ReadonlyArray<PageStart> => {
  const kept: Array<PageStart> = []
  for (const next of starts) {
    const last = kept[kept.length - 1]
    if (last === undefined || (next.page > last.page && next.start >= last.start)) {
      kept.push(next)
    }
  }
  return kept
}

const fromPages = (document: ParsedDocument): ReadonlyArray<PageStart> => {
  const { markdown } = document
  const starts: Array<PageStart> = []
  let at = 0
  for (const { pageNumber, markdown: page } of document.pages ?? []) {
    const from = trimStart(page, 0, page.length)
    const text = page.slice(from, trimEnd(page, from, page.length))
    if (text === "") {
      continue
    }
    const expected = trimStart(markdown, at, markdown.length)
    const found = markdown.startsWith(text, expected)
      ? expected
      : at + markdown.slice(at, at + reach + text.length).indexOf(text)
    if (found >= at) {
      starts.push({ start: starts.length === 0 ? 0 : found, page: pageNumber })
      at = found + text.length
    }
  }
  return ascending(starts)
}

const fromBlocks = (blocks: ReadonlyArray<PlacedBlock>): ReadonlyArray<PageStart> =>
  ascending(
    blocks.flatMap(({ page, span }, index) => (span === undefined ? [] : [{ page, start: index === 0 ? 0 : span[0] }]))
  )

/** Page starts by markers, else by the pages' Markdown, else by blocks; none when the document has no pages. */
export const pageStarts = (
  document: ParsedDocument,
  source: "markers" | "pages" | "auto",
  markers: ReadonlyArray<Marker>,
  blocks: ReadonlyArray<PlacedBlock>
): ReadonlyArray<PageStart> => {
  const pages = source === "markers" || (source === "auto" && markers.length > 0) ? [] : fromPages(document)
  if (pages.length > 0) {
    return pages
  }
  if (markers.length > 0) {
    return fromMarkers(document, markers)
  }
  const placed = source === "auto" ? fromBlocks(blocks) : []
  if (placed.length > 0) {
    return placed
  }
  const known = (document.pages?.length ?? 0) > 0 || (document.blocks?.length ?? 0) > 0
  return known || document.metadata.numPages === 1 ? [{ start: 0, page: firstPage(document) }] : []
}

/** Index of the page that an offset is on; -1 when there are no pages. */
const pageAt = (starts: ReadonlyArray<PageStart>, offset: number): number => {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle]?.start ?? 0) <= offset) {
      low = middle + 1
    } else {
      high = middle
    }
  }
  return Math.max(low - 1, starts.length === 0 ? -1 : 0)
}

/** The pages that `[start, end)` touches. */
export const pagesOf = (starts: ReadonlyArray<PageStart>, start: number, end: number): ReadonlyArray<number> => {
  const first = pageAt(starts, start)
  return first < 0 ? [] : starts.slice(first, pageAt(starts, Math.max(start, end - 1)) + 1).map(({ page }) => page)
}
