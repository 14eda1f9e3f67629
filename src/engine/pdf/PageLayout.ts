/** Layout of one page: extracts tables, orders columns, forms paragraphs, and places figures. */
import * as Box from "./Box.ts"
import * as CodeLines from "./CodeLines.ts"
import * as ColumnFlow from "./ColumnFlow.ts"
import type { Draft, TextDraft } from "./Draft.ts"
import * as DropCapital from "./DropCapital.ts"
import type { Furniture } from "./Furniture.ts"
import type * as Hyphenation from "./Hyphenation.ts"
import * as LargeText from "./LargeText.ts"
import * as StructureTags from "./lines/StructureTags.ts"
import { type Item, median, type PageItems } from "./PageItem.ts"
import * as PageNumber from "./PageNumber.ts"
import * as PageTable from "./PageTable.ts"
import * as PageTurn from "./PageTurn.ts"
import * as Paragraph from "./Paragraph.ts"
import * as ReadingOrder from "./ReadingOrder.ts"
import * as TextLine from "./TextLine.ts"
import * as Weighted from "./Weighted.ts"

interface Piece extends ReadingOrder.Piece {
  readonly item: Item | undefined
  readonly table: PageTable.PageTable | undefined
}

/**
 * For each line of a column but the first, true if it continues the block of the line above it; undefined leaves the column to the
 * rules of {@link Paragraph}.
 */
export type Joins = (of: Paragraph.Column, page: PageItems) => ReadonlyArray<boolean> | undefined

interface Scale extends DocumentScale {
  /** Usual font height on the page, in points. */
  readonly line: number
}

const isCandidate = (text: string, box: Box.Box, page: PageItems): boolean =>
  text.length < 160 &&
  page.headings.some((heading) => {
    const smaller = Math.min(Box.area(box), Box.area(heading))
    return Box.shared(box, heading) > 0.6 * smaller && Box.area(heading) < 3 * Box.area(box)
  })

const textDraft = (paragraph: Paragraph.Paragraph, column: Paragraph.Column, page: PageItems): TextDraft => {
  const { lines, marker, runs, indent } = paragraph
  const text = TextLine.textOf(runs)
  const box = Box.around(lines.map((line) => line.box))
  return {
    kind: "text",
    box,
    runs,
    text,
    indent,
    marker,
    lines,
    size: Weighted.mean(lines, ({ size }) => size),
    bold: lines.every((line) => line.bold),
    math: Weighted.mean(lines, ({ math }) => math),
    column: [column.left, column.right],
    upright: true,
    candidate: isCandidate(text, box, page),
    open: Paragraph.isOpen(lines, column),
    continues: false,
    tagged: StructureTags.ofLines(lines, page.tagged)
  }
}

/** Paragraphs, code and tables of one leaf of the cut, top to bottom. */
const leafDrafts = (leaf: ReadonlyArray<Piece>, page: PageItems, scale: Scale): ReadonlyArray<Draft> => {
  const tables = leaf.flatMap((piece) => piece.table ?? [])
  const lines = TextLine.group(leaf.flatMap((piece) => piece.item ?? []))
  const between = (above: TextLine.TextLine, below: TextLine.TextLine) =>
    tables.some((table) => table.box.y0 > above.box.y0 && table.box.y0 < below.box.y0)
  const drafts: Array<Draft> = []
  for (const stretch of scale.code ? CodeLines.stretches(lines) : [{ code: false, lines }]) {
    if (stretch.code) drafts.push(CodeLines.draft(stretch.lines))
    else {
      const column = Paragraph.column(stretch.lines, scale)
      for (const paragraph of Paragraph.split(column, between, scale.joins?.(column, page)))
        drafts.push(textDraft(paragraph, column, page))
    }
  }
  for (const { items, ...table } of tables) {
    drafts.push({ ...table, kind: "table", size: median(items.map(({ size }) => size)), continues: false })
  }
  return drafts.toSorted((left, right) => left.box.y0 - right.box.y0)
}

/** Share of the page's width that is margin at each side. */
const sideMargin = 0.075

/** True for a box in a side margin, beside all text of the page. */
const isInSideMargin = (box: Box.Box, page: PageItems): boolean => {
  const margin = page.width * sideMargin
  if (box.x1 > margin && box.x0 < page.width - margin) return false
  return page.items.every((item) => (box.x1 <= margin ? item.box.x0 >= box.x1 : item.box.x1 <= box.x0))
}

/** Drafts of turned text, which comes last; boxes are in the frame of the page. A stamp or a running line in a side margin is furniture. */
const sidewaysDrafts = (page: PageItems, scale: Scale): ReadonlyArray<Draft> =>
  page.sideways.flatMap(({ turn, items }) => {
    const column = Paragraph.column(TextLine.group(items), scale)
    const size = PageTurn.uprightSize(page, page.turn)
    const found: Array<Draft> = []
    for (const paragraph of Paragraph.split(column, () => turn === undefined, scale.joins?.(column, page))) {
      const draft = textDraft(paragraph, column, page)
      const box = PageTurn.upright(PageTurn.shown(draft.box, size, turn ?? 0), size, page.turn)
      found.push(
        turn !== undefined && isInSideMargin(box, page)
          ? { kind: PageNumber.isAlone(draft.text) ? "page_number" : "page_footer", box, runs: draft.runs }
          : { ...draft, box, upright: false }
      )
    }
    return found
  })

/** Places each figure before the first block of its column that begins below its top. */
const placeFigures = (drafts: Array<Draft>, page: PageItems): void => {
  for (const box of page.figures) {
    if (Box.area(box) < page.width * page.height * 0.01) continue
    const at = drafts.findIndex((draft) => draft.box.y0 > box.y0 && draft.box.x0 < box.x1 && draft.box.x1 > box.x0)
    drafts.splice(at < 0 ? drafts.length : at, 0, { kind: "figure", box, runs: [] })
  }
}

/**
 * Scale of a document: its usual font height in points, if lines in a font of one width are code, its words, and which lines belong together.
 */
export interface DocumentScale {
  readonly body: number
  readonly code: boolean
  readonly joins: Joins | undefined
  readonly words: Hyphenation.Words
}

/** A page with its blocks in reading order. */
export interface LaidOut {
  readonly page: PageItems
  readonly drafts: ReadonlyArray<Draft>
}

/** Blocks of a page in reading order, with the furniture first and last. */
export const drafts = (
  page: PageItems,
  furniture: ReadonlyArray<Furniture>,
  document: DocumentScale
): ReadonlyArray<Draft> => {
  const gone = new Set(furniture.flatMap((each) => each.items))
  const items = DropCapital.join(
    page.items.filter((item) => !gone.has(item)),
    document.words
  )
  const line = median(items.map((item) => item.size))
  const scale: Scale = { line: line > 0 ? line : 10, ...document }
  const tables = PageTable.find(page, items, scale.line)
  const inTable = new Set(tables.flatMap((table) => table.items))
  const pieces: Array<Piece> = []
  for (const item of items) {
    if (!inTable.has(item)) pieces.push({ box: item.box, text: item.text, item, table: undefined })
  }
  for (const table of tables) pieces.push({ box: table.box, text: "", item: undefined, table })
  const leaves = ReadingOrder.leaves(pieces, { width: page.width, line: scale.line })
  const columns = leaves.map((leaf) => leafDrafts(leaf, page, scale))
  const found = LargeText.join(ColumnFlow.join(columns, document.words), document.body, document.words)
  placeFigures(found, page)
  found.push(...sidewaysDrafts(page, scale))
  const silent = (top: boolean): ReadonlyArray<Draft> =>
    furniture
      .filter((each) => each.top === top)
      .map(({ box, items: own, kind }) => ({ kind, box, runs: Paragraph.join(TextLine.group(own), document.words) }))
  return [...silent(true), ...found, ...silent(false)]
}
