import type { ParsedDocument } from "../../ParsedDocument.ts"
/** Parts of the Markdown that are in no chunk: page markers, page furniture, and any other text but white space. */
import type { Chunked } from "./contract.ts"
import { find } from "./place/markers.ts"
import { place } from "./place/spans.ts"

/** `[start, end)` in UTF-16 code units, trimmed of white space. */
export interface Gap {
  readonly start: number
  readonly end: number
  /** Kind of the text: `page marker`, the type of its block, or `text`. */
  readonly what: string
}

interface Known {
  readonly start: number
  readonly end: number
  readonly what: string
}

const known = (document: ParsedDocument): ReadonlyArray<Known> => {
  const placed = (document.blocks === null ? [] : place(document.markdown, document.blocks)).flatMap(
    ({ block, page, span }) =>
      span === undefined
        ? []
        : [{ start: span[0], end: span[1], what: `${block.type.replaceAll("_", " ")}, page ${page}` }]
  )
  const spans = placed.map(({ end, start }): readonly [number, number] => [start, end])
  const markers = find(document, spans).accepted.map(({ end, start }) => ({ start, end, what: "page marker" }))
  return [...placed, ...markers].toSorted((left, right) => left.start - right.start)
}

const trimmed = (markdown: string, start: number, end: number, what: string): ReadonlyArray<Gap> => {
  const text = markdown.slice(start, end)
  const from = start + text.length - text.trimStart().length
  return text.trim() === "" ? [] : [{ start: from, end: start + text.trimEnd().length, what }]
}

/** The gaps before each chunk and after the last one: one list more than there are chunks. */
export const gaps = (document: ParsedDocument, { chunks }: Chunked): ReadonlyArray<ReadonlyArray<Gap>> => {
  const { markdown } = document
  const pieces = known(document)
  let next = 0
  let end = 0
  const within = (from: number, to: number): ReadonlyArray<Gap> => {
    const found: Array<Gap> = []
    let at = from
    while (next < pieces.length && (pieces[next]?.end ?? to) <= from) next++
    for (let index = next; index < pieces.length; index++) {
      const piece = pieces[index]
      if (piece === undefined || piece.start >= to) break
      const start = Math.max(at, piece.start)
      const stop = Math.min(to, piece.end)
      if (stop <= start) continue
      found.push(...trimmed(markdown, at, start, "text"), ...trimmed(markdown, start, stop, piece.what))
      at = stop
    }
    return [...found, ...trimmed(markdown, at, to, "text")]
  }
  const before = chunks.map((chunk) => {
    const found = chunk.start > end ? within(end, chunk.start) : []
    end = Math.max(end, chunk.end)
    return found
  })
  return [...before, within(end, markdown.length)]
}
