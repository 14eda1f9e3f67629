/** Pages of parts of a chunk: a chunk has a box for each of its blocks, in their order. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Stretch } from "./part.ts"

/** A block in code units of the document's Markdown. */
interface Block extends Stretch {
  readonly page: number
}

const item = /^\s*(?:[-*+]|\d+[.)])\s/u
const alone = /^\s*#{1,6}\s/u
const row = /^\s*\|/u

/** The places of the blocks of a text: paragraphs, headings, items and tables. */
const places = (text: string): ReadonlyArray<Stretch> => {
  const found: Array<{ start: number; end: number; line: string }> = []
  let at = 0
  let isOpen = false
  for (const line of text.split(/(?<=\n)/u)) {
    const last = found.at(-1)
    const isBlank = line.trim() === ""
    const goesOn = isOpen && last !== undefined && !item.test(line) && !alone.test(last.line) && !alone.test(line)
    if (!isBlank && goesOn && row.test(line) === row.test(last.line)) last.end = at + line.length
    else if (!isBlank) found.push({ start: at, end: at + line.length, line })
    isOpen = !isBlank
    at += line.length
  }
  return found
}

const known = new WeakMap<DocumentChunk, ReadonlyArray<Block>>()

/** The blocks of a chunk on several pages; none where its boxes are not as many. */
const blocksOf = (chunk: DocumentChunk): ReadonlyArray<Block> => {
  const before = known.get(chunk)
  if (before !== undefined) return before
  const { boxes, pages, start, text } = chunk
  const all = pages.length > 1 ? places(text) : []
  const blocks =
    all.length === boxes.length
      ? boxes.flatMap(({ page }, at) => {
          const place = all[at]
          return place === undefined ? [] : [{ start: start + place.start, end: start + place.end, page }]
        })
      : []
  known.set(chunk, blocks)
  return blocks
}

/** Pages of what a stretch has of a chunk, ascending; those of the chunk where nothing tells more. */
export const pagesIn = (chunk: DocumentChunk, stretch: Stretch): ReadonlyArray<number> => {
  const within = blocksOf(chunk).filter(({ end, start }) => start < stretch.end && end > stretch.start)
  const pages = within.length === 0 ? chunk.pages : within.map(({ page }) => page)
  return [...new Set(pages)].toSorted((left, right) => left - right)
}

/** What a chunk has on these pages; undefined for nothing. */
export const stretchOn = (chunk: DocumentChunk, first: number, last: number): Stretch | undefined => {
  const isOn = (page: number) => page >= first && page <= last
  if (!chunk.pages.some(isOn)) return undefined
  const within = blocksOf(chunk).filter(({ page }) => isOn(page))
  const [begin, end] = [within[0], within.at(-1)]
  return begin === undefined || end === undefined ? chunk : { start: begin.start, end: end.end }
}
