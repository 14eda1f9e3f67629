/** Composes Markdown, pages and blocks from the pages read. */
import type { Block, PageBlocks, Page as PageMarkdown } from "../../internal/base/parseResponse.ts"
import * as Tally from "../Tally.ts"
import * as BlockMarkdown from "./BlockMarkdown.ts"
import * as Box from "./Box.ts"
import * as CodeLines from "./CodeLines.ts"
import * as ColumnFlow from "./ColumnFlow.ts"
import type { Draft } from "./Draft.ts"
import * as Furniture from "./Furniture.ts"
import * as Hyphenation from "./Hyphenation.ts"
import * as LineNumbers from "./LineNumbers.ts"
import * as DocumentStyle from "./lines/DocumentStyle.ts"
import * as LineModel from "./lines/LineModel.ts"
import * as StructureTags from "./lines/StructureTags.ts"
import { MarkdownWriter } from "./MarkdownWriter.ts"
import type * as Outline from "./Outline.ts"
import type { PageItems } from "./PageItem.ts"
import * as PageLayout from "./PageLayout.ts"
import * as PageTurn from "./PageTurn.ts"
import * as Role from "./Role.ts"
import * as TableFlow from "./TableFlow.ts"
import * as Weighted from "./Weighted.ts"

/** A composed document. `pages` and `blocks` have one entry for each given page, in order. */
export interface Composition {
  readonly markdown: string
  readonly pages: ReadonlyArray<PageMarkdown>
  readonly blocks: ReadonlyArray<PageBlocks>
}

/** Usual font height of the document: that of most characters, to half a point. */
const bodySize = (pages: ReadonlyArray<PageItems>): number => {
  const characters = new Map<number, number>()
  for (const { items } of pages) {
    for (const { size, text } of items) Tally.add(characters, Math.round(size * 2) / 2, text.length)
  }
  return Tally.most(characters, 10)
}

/** Blocks of all pages, before their roles are determined. */
export const layOut = (
  pages: ReadonlyArray<PageItems>,
  document: DocumentStyle.DocumentStyle,
  joins: PageLayout.Joins | undefined
): ReadonlyArray<PageLayout.LaidOut> => {
  const numbers = LineNumbers.find(pages)
  const edges = Furniture.find(pages)
  const furniture = (page: number) => {
    const lines = numbers.get(page)
    const edge = edges.get(page) ?? []
    return lines === undefined ? edge : [lines, ...edge]
  }
  const words = new Hyphenation.Words(pages)
  const scale = { body: document.body, code: !CodeLines.isTypescript(pages), words, joins }
  const drafts = pages.map((page) => PageLayout.drafts(page, furniture(page.pageNumber), scale))
  const flowing = wholeWords(drafts, words)
  return pages.map((page, at) => ({ page, drafts: flowing[at] ?? [] }))
}

/** Style of the document: see {@link DocumentStyle}. */
export const styleOf = (pages: ReadonlyArray<PageItems>): DocumentStyle.DocumentStyle =>
  DocumentStyle.fromPages(pages, bodySize(pages))

/** Composes the pages in their order, with page markers if `markers`. The document's `bookmarks` name headings and their levels. */
export const compose = (
  pages: ReadonlyArray<PageItems>,
  markers: boolean,
  bookmarks: ReadonlyArray<Outline.Bookmark>
): Composition => {
  const style = styleOf(pages)
  const model = LineModel.load()
  const sound = StructureTags.soundness(pages)
  const laidOut = layOut(pages, style, LineModel.joinsOf(model.joins, style, sound.paragraphs))
  const kinds = LineModel.kindsOf(model.roles, laidOut, style)
  const roles = Role.assign(laidOut, { style, kinds, bookmarks, tags: sound.headings })
  const writer = new MarkdownWriter(markers)
  const bounds: Array<readonly [number, number]> = []
  const blocks: Array<PageBlocks> = []
  for (const { page, drafts } of TableFlow.join(laidOut, { markers, body: style.body })) {
    const fragments = BlockMarkdown.fragments(drafts, roles)
    writer.startPage(page.pageNumber, fragments.find(({ silent }) => !silent)?.tight === true)
    blocks.push(pageBlocks(page, writeBlocks(writer, page, fragments)))
    bounds.push([writer.start, writer.end])
  }
  const markdown = writer.toString()
  return {
    markdown,
    pages: pages.map(({ pageNumber }, at) => ({ pageNumber, markdown: markdown.slice(...(bounds[at] ?? [0, 0])) })),
    blocks
  }
}

/** The drafts of each page, with words that are divided between two pages whole on the first one. */
const wholeWords = (
  drafts: ReadonlyArray<ReadonlyArray<Draft>>,
  words: Hyphenation.Words
): ReadonlyArray<ReadonlyArray<Draft>> => {
  const joined: Array<ReadonlyArray<Draft>> = []
  for (const lower of drafts) {
    const upper = joined.at(-1)
    if (upper === undefined) {
      joined.push(lower)
      continue
    }
    const [above, below] = ColumnFlow.joinPages(upper, lower, words)
    joined.splice(-1, 1, above, below)
  }
  return joined
}

const writeBlocks = (
  writer: MarkdownWriter,
  page: PageItems,
  fragments: ReadonlyArray<BlockMarkdown.Fragment>
): ReadonlyArray<Block> => {
  const upright = { width: page.width, height: page.height }
  const size = PageTurn.uprightSize(upright, page.turn)
  return fragments.map((fragment, at): Block => {
    const span = fragment.silent ? undefined : writer.block(fragment.content, fragment.tight)
    return {
      id: `p${page.pageNumber}.b${at}`,
      type: fragment.type,
      label: null,
      bbox: Box.normalized(PageTurn.shown(fragment.box, size, page.turn), size),
      content: fragment.content,
      markdownSpan: span ?? null,
      readingOrder: at,
      source: page.recognised === undefined ? "native_text" : "layout_ocr",
      confidence: { layout: null, ocr: recognisedConfidence(page, fragment.box) }
    }
  })
}

/** Mean confidence of the words in a box, weighted by their characters; null without any. */
const recognisedConfidence = (page: PageItems, box: Box.Box): number | null => {
  const words = (page.recognised ?? []).filter((word) => Box.centerWithin(word.box, box, 1))
  return Weighted.characters(words) === 0 ? null : Weighted.mean(words, ({ confidence }) => confidence)
}

const pageBlocks = (page: PageItems, items: ReadonlyArray<Block>): PageBlocks => ({
  pageNumber: page.pageNumber,
  ...PageTurn.uprightSize({ width: page.width, height: page.height }, page.turn),
  status: page.unreadable ? "partial" : "ok",
  items
})
