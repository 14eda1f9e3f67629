import type { ParsedDocument } from "../../../ParsedDocument.ts"
import { trimEnd } from "../scan/Leaf.ts"
import { Scanner } from "../scan/scan.ts"

/** A page marker: `[start, end)` reaches from its `---` to its `-->`; `page` is the page that follows. */
export interface Marker {
  readonly start: number
  readonly end: number
  readonly page: number
}

export interface Markers {
  readonly accepted: ReadonlyArray<Marker>
  /** Starts of lines that look like markers and could not be told from content. */
  readonly ambiguous: ReadonlyArray<number>
}

const comment = "<!-- page "

/** End of a line break at `at`; `at` when there is none. */
const lineBreak = (text: string, at: number): number =>
  text.charCodeAt(at) === 10
    ? at + 1
    : text.charCodeAt(at) === 13
      ? text.charCodeAt(at + 1) === 10
        ? at + 2
        : at + 1
      : at

/** Start of the line break that ends at `at`; `at` when there is none. */
const lineBreakBefore = (text: string, at: number): number =>
  text.charCodeAt(at - 1) === 10
    ? text.charCodeAt(at - 2) === 13
      ? at - 2
      : at - 1
    : text.charCodeAt(at - 1) === 13
      ? at - 1
      : at

/** Two line breaks end at `at`, or the text starts there. */
const blankBefore = (text: string, at: number): boolean => {
  const first = lineBreakBefore(text, at)
  return at === 0 || (first < at && (first === 0 || lineBreakBefore(text, first) < first))
}

const blankAfter = (text: string, at: number): boolean => {
  const first = lineBreak(text, at)
  return at === text.length || (first > at && (first === text.length || lineBreak(text, first) > first))
}

/** The marker whose comment starts at `at`, when the exact form stands around it. */
const markerAt = (text: string, at: number): Marker | undefined => {
  let stop = at + comment.length
  while (stop < at + comment.length + 7 && text.charCodeAt(stop) >= 48 && text.charCodeAt(stop) <= 57) {
    stop++
  }
  const page = Number(text.slice(at + comment.length, stop))
  const end = stop + 4
  if (page === 0 || !text.startsWith(" -->", stop) || !blankAfter(text, end)) {
    return undefined
  }
  const first = lineBreakBefore(text, at)
  const second = lineBreakBefore(text, first)
  const start = second - 3
  return first < at && second < first && start >= 0 && text.startsWith("---", start) && blankBefore(text, start)
    ? { start, end, page }
    : undefined
}

const candidates = (text: string): ReadonlyArray<Marker> => {
  const found: Array<Marker> = []
  for (let at = text.indexOf(comment); at >= 0; at = text.indexOf(comment, at + 1)) {
    const marker = markerAt(text, at)
    if (marker !== undefined) {
      found.push(marker)
    }
  }
  return found
}

/** The markers that joining the pages gives, when it reproduces the Markdown; else undefined. */
export const joined = (markdown: string, pages: ParsedDocument["pages"]): ReadonlyArray<Marker> | undefined => {
  if (pages === null || pages.length === 0) {
    return undefined
  }
  const markers: Array<Marker> = []
  let at = 0
  for (let index = 0; index < pages.length; index++) {
    const page = pages[index]
    if (page === undefined || !markdown.startsWith(page.markdown, at)) {
      return undefined
    }
    at += page.markdown.length
    const next = pages[index + 1]
    if (next !== undefined) {
      const join = `\n\n---\n\n<!-- page ${next.pageNumber} -->\n\n`
      if (!markdown.startsWith(join, at)) {
        return undefined
      }
      markers.push({ start: at + 2, end: at + join.length - 2, page: next.pageNumber })
      at += join.length
    }
  }
  return trimEnd(markdown, at, markdown.length) === at ? markers : undefined
}

/** The page that the Markdown starts on. */
export const firstPage = (document: ParsedDocument): number =>
  document.pages?.[0]?.pageNumber ?? document.blocks?.[0]?.pageNumber ?? 1

const judge = (document: ParsedDocument, found: ReadonlyArray<Marker>, taken: (marker: Marker) => boolean): Markers => {
  const limit = document.metadata.totalPages ?? Number.MAX_SAFE_INTEGER
  const accepted: Array<Marker> = []
  const ambiguous: Array<number> = []
  const scanner = new Scanner(document.markdown)
  let from = 0
  let last = firstPage(document)
  for (const marker of found) {
    if (taken(marker)) {
      continue
    }
    scanner.advance(from, marker.start)
    from = marker.start
    if (scanner.verbatim || marker.page <= last || marker.page > limit) {
      ambiguous.push(marker.start)
      continue
    }
    accepted.push(marker)
    last = marker.page
    from = marker.end
    scanner.finish()
  }
  return { accepted, ambiguous }
}

/**
 * Tells page markers from content that looks like them. Evidence, in this order: joining the pages reproduces the
 * Markdown; the candidate lies in the span of a block; the exact form with an ascending page number.
 */
export const find = (document: ParsedDocument, spans: ReadonlyArray<readonly [number, number]>): Markers => {
  const found = candidates(document.markdown)
  if (found.length === 0) {
    return { accepted: [], ambiguous: [] }
  }
  const arithmetic = joined(document.markdown, document.pages)
  if (arithmetic !== undefined) {
    return { accepted: arithmetic, ambiguous: [] }
  }
  let block = 0
  return judge(document, found, (marker) => {
    while (block < spans.length && (spans[block]?.[1] ?? 0) <= marker.start) {
      block++
    }
    const span = spans[block]
    return span !== undefined && span[0] <= marker.start && span[1] >= marker.end
  })
}
