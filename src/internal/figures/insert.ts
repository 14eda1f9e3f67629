/** Places for descriptions of figures in the text of a document, and the document with them. */
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { Block, Page } from "../base/parseResponse.ts"
import { place, type PlacedBlock } from "../chunking/place/spans.ts"

/** A place for the description of a figure. */
export interface Slot {
  readonly figure: Block
  readonly page: number
  /** In UTF-16 code units of the document's Markdown. */
  readonly at: number
  readonly before: string
  readonly after: string
  /** Index among all blocks of the one that it comes behind in the text; null where it stays in their order. */
  readonly behind: number | null
}

/** A stretch of the Markdown that is that of a page, from `from` of the page's own text on. */
interface PageStretch {
  readonly page: Page
  readonly start: number
  readonly end: number
  readonly from: number
}

const separators = (next: number): ReadonlyArray<string> => [
  `\n\n---\n\n<!-- page ${next} -->\n\n`,
  "\n\n---\n\n",
  "\n\n",
  "\n"
]

/** The pages in the Markdown where they are all of it; else null. */
const joined = (markdown: string, pages: ReadonlyArray<Page>): ReadonlyArray<PageStretch> | null => {
  const found: Array<PageStretch> = []
  let at = 0
  for (const [index, page] of pages.entries()) {
    const separator =
      index === 0 ? "" : separators(page.pageNumber).find((text) => markdown.startsWith(text + page.markdown, at))
    if (separator === undefined || (index === 0 && !markdown.startsWith(page.markdown))) return null
    const start = at + separator.length
    at = start + page.markdown.length
    found.push({ page, start, end: at, from: 0 })
  }
  return found
}

/** The pages whose text is found in the Markdown, in order. */
const searched = (markdown: string, pages: ReadonlyArray<Page>): ReadonlyArray<PageStretch> => {
  let at = 0
  return pages.flatMap((page) => {
    const text = page.markdown.trim()
    const start = text === "" ? -1 : markdown.indexOf(text, at)
    if (start < 0) return []
    at = start + text.length
    return [{ page, start, end: at, from: page.markdown.indexOf(text) }]
  })
}

const stretchesOf = ({ markdown, pages }: ParsedDocument): ReadonlyArray<PageStretch> | null =>
  pages === null ? null : (joined(markdown, pages) ?? searched(markdown, pages))

const blankAfter = (markdown: string, at: number): boolean =>
  /^[^\S\n]*(?:\n\s*\n|\s*$)/u.test(markdown.slice(at, at + 40))

const blankBefore = (markdown: string, at: number): boolean =>
  /(?:^|\n[^\S\n]*\n)$/u.test(markdown.slice(Math.max(0, at - 40), at)) || markdown.slice(0, at).trim() === ""

interface Survey {
  readonly markdown: string
  readonly blocks: ReadonlyArray<PlacedBlock>
  /** Indices of the blocks of each page. */
  readonly pages: ReadonlyMap<number, ReadonlyArray<number>>
  readonly stretches: ReadonlyArray<PageStretch> | null
}

const stretchAt = ({ stretches }: Survey, at: number, number: number): PageStretch | undefined => {
  const around = (stretches ?? []).filter(({ end, start }) => at >= start && at <= end)
  return around.find(({ page }) => page.pageNumber === number) ?? around[0]
}

/** The place beside the nearest block of the same page that a blank line ends; on a page without text all of it. */
const slotOf = (survey: Survey, index: number): Slot | null => {
  const { blocks, markdown, pages, stretches } = survey
  const own = blocks[index]
  if (own === undefined) return null
  const slot = { figure: own.block, page: own.page, before: "", after: "", behind: null }
  if (own.span !== undefined) {
    const [, at] = own.span
    return { ...slot, at, before: blankAfter(markdown, at) ? "\n\n" : " " }
  }
  const indices = pages.get(own.page) ?? []
  const spans = indices.flatMap((block) => {
    const span = blocks[block]?.span
    return span === undefined ? [] : [{ block, span }]
  })
  const earlier = spans.findLast(({ block }) => block < index)
  const later = spans.filter(({ block }) => block > index)
  if (earlier !== undefined && blankAfter(markdown, earlier.span[1])) {
    return { ...slot, at: earlier.span[1], before: "\n\n" }
  }
  const [next] = later
  if (next !== undefined && blankBefore(markdown, next.span[0])) return { ...slot, at: next.span[0], after: "\n\n" }
  const ends = ({ span }: (typeof spans)[number]) => blankAfter(markdown, span[1])
  const behind = later.find(ends)
  if (behind !== undefined) return { ...slot, at: behind.span[1], before: "\n\n", behind: behind.block }
  // A table that ends the page goes on with the next one: the description comes above it.
  const over = spans.findLastIndex((one) => one.block < index && ends(one))
  const [above, table] = spans.slice(over, over + 2)
  if (over >= 0 && above !== undefined && table !== undefined) {
    return { ...slot, at: above.span[1], before: "\n\n", behind: table.block - 1 }
  }
  const bare = stretches?.find(({ page }) => page.pageNumber === own.page)
  if (bare === undefined || bare.page.markdown.trim() !== "") return null
  const isFirst = indices.every((block) => block >= index || blocks[block]?.block.type !== "figure")
  return { ...slot, at: bare.start, before: isFirst ? "" : "\n\n" }
}

const surveyOf = (document: ParsedDocument): Survey => {
  const blocks = document.blocks === null ? [] : place(document.markdown, document.blocks)
  const pages = new Map<number, Array<number>>()
  for (const [index, { page }] of blocks.entries()) {
    const indices = pages.get(page) ?? []
    indices.push(index)
    pages.set(page, indices)
  }
  return { markdown: document.markdown, blocks, pages, stretches: stretchesOf(document) }
}

/** A figure, with the place for its description, where there is one. */
export interface Figure {
  readonly block: Block
  readonly page: number
  readonly slot: Slot | null
}

/** The figures with a box, in reading order. */
export const figuresOf = (document: ParsedDocument): ReadonlyArray<Figure> => {
  const isFigure = ({ bbox, type }: Block) => type === "figure" && bbox !== null
  if (document.markdown === "" || document.blocks?.some(({ items }) => items.some(isFigure)) !== true) return []
  const survey = surveyOf(document)
  return survey.blocks.flatMap(({ block, page }, index) => {
    if (!isFigure(block)) return []
    const slot = slotOf(survey, index)
    const fits = slot !== null && (survey.stretches === null || stretchAt(survey, slot.at, page) !== undefined)
    return [{ block, page, slot: fits ? slot : null }]
  })
}

/** A text for a slot: a part of a line, without line breaks. */
export interface Insertion {
  readonly slot: Slot
  readonly text: string
}

/** `blockSources` of a chunk that holds a description. */
export const source = "figure_description"

const written = ({ slot, text }: Insertion): string => `${slot.before}${text}${slot.after}`

const insertedIn = (text: string, insertions: ReadonlyArray<readonly [at: number, text: string]>): string => {
  let from = 0
  const parts = insertions.flatMap(([at, added]) => {
    const part = text.slice(from, at)
    from = at
    return [part, added]
  })
  return [...parts, text.slice(from)].join("")
}

/** The document with the texts in it: Markdown, pages and blocks agree as before. */
export const inserted = (document: ParsedDocument, insertions: ReadonlyArray<Insertion>): ParsedDocument => {
  if (insertions.length === 0 || document.blocks === null) return document
  const survey = surveyOf(document)
  const sorted = insertions.toSorted((left, right) => left.slot.at - right.slot.at)
  /** Length of what is inserted before an offset; before what begins there, or behind what ends there. */
  const shift = (offset: number, isStart: boolean): number =>
    sorted.reduce(
      (sum, one) => sum + (one.slot.at < offset || (isStart && one.slot.at === offset) ? written(one).length : 0),
      0
    )
  const spanOf = (at: number): readonly [number, number] | undefined => survey.blocks[at]?.span
  const own = new Map(sorted.map((one) => [one.slot.figure, one]))
  const placed = (block: Block, at: number): Block => {
    const one = own.get(block)
    const span = spanOf(at)
    const [start, end] = span === undefined ? [0, 0] : [span[0] + shift(span[0], true), span[1] + shift(span[1], false)]
    if (one === undefined) return { ...block, markdownSpan: span === undefined ? null : [start, end] }
    const text = span === undefined ? one.text : `${block.content}${one.slot.before}${one.text}`
    const before = sorted.slice(0, sorted.indexOf(one)).reduce((sum, other) => sum + written(other).length, 0)
    const from = span === undefined ? one.slot.at + before + one.slot.before.length : start
    return { ...block, content: text, markdownSpan: [from, from + text.length], source }
  }
  let at = 0
  const blocks = document.blocks.map((page) => {
    const first = at
    at += page.items.length
    const items = page.items.map((block, index) => placed(block, first + index))
    return { ...page, items: reordered(page.items, items, first, own) }
  })
  const local = (page: Page): string => {
    const here = sorted.flatMap((one) => {
      const stretch = stretchAt(survey, one.slot.at, one.slot.page)
      return stretch?.page === page ? [[one.slot.at - stretch.start + stretch.from, written(one)] as const] : []
    })
    return insertedIn(page.markdown, here)
  }
  return {
    ...document,
    markdown: insertedIn(
      document.markdown,
      sorted.map((one) => [one.slot.at, written(one)])
    ),
    pages: document.pages?.map((page) => ({ ...page, markdown: local(page) })) ?? null,
    blocks
  }
}

/** The blocks of a page in the order of the text: a figure whose description comes behind a later block stands behind it. */
const reordered = (
  before: ReadonlyArray<Block>,
  items: ReadonlyArray<Block>,
  first: number,
  own: ReadonlyMap<Block, Insertion>
): ReadonlyArray<Block> => {
  const keyed = items.map((block, index) => {
    const former = before[index]
    const behind = (former && own.get(former))?.slot.behind ?? null
    return { block, key: behind === null ? index : behind - first + 0.5 }
  })
  return keyed.toSorted((left, right) => left.key - right.key).map(({ block }) => block)
}
