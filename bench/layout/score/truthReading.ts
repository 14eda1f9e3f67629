/** What a truth says, in the form in which Markdown is read. */
import * as Box from "../../../src/engine/pdf/Box.ts"
import type { PageItems } from "../../../src/engine/pdf/PageItem.ts"
import * as PageTurn from "../../../src/engine/pdf/PageTurn.ts"
import type { Alignment, Place } from "../align.ts"
import * as Tokens from "../tokens.ts"
import type { Truth } from "../truth.ts"
import type { BoxedBlock } from "./blocks.ts"
import { cell, type Reading } from "./reading.ts"

/** Markers of list items are not words: Markdown has its own. Those of clauses and footnotes are. */
export const reading = ({ blocks }: Truth): Reading => ({
  words: blocks.flatMap(({ marker = "", role, text }) => Tokens.of(role === "list_item" ? text : `${marker} ${text}`)),
  headings: blocks.flatMap(({ level, text }) => (level === undefined ? [] : [{ level, words: Tokens.of(text) }])),
  tables: blocks.flatMap(({ rows }) => (rows === undefined ? [] : [rows.map((row) => row.map(cell))])),
  items: blocks.flatMap(({ role, text }) => (role === "list_item" ? [Tokens.of(text).join(" ")] : []))
})

/** A place in the frame of the page as shown, relative to its size. */
const boxOf = ({ box, page }: Place, pages: ReadonlyArray<PageItems>): BoxedBlock["box"] | undefined => {
  const own = pages.find(({ pageNumber }) => pageNumber === page)
  if (own === undefined) return undefined
  const shown = PageTurn.uprightSize(own, own.turn)
  return Box.normalized(PageTurn.shown(box, shown, own.turn), shown)
}

const boxed = (type: string, place: Place | undefined, pages: ReadonlyArray<PageItems>): BoxedBlock | undefined => {
  const box = place === undefined ? undefined : boxOf(place, pages)
  return place === undefined || box === undefined ? undefined : { page: place.page, type, box }
}

/** A line of the furniture with its box; undefined where it was not found. */
export const line = (
  truth: Truth,
  aligned: Alignment,
  pages: ReadonlyArray<PageItems>,
  at: number
): BoxedBlock | undefined => boxed(truth.furniture[at]?.type ?? "page_header", aligned.furniture[at], pages)

/** Blocks and running lines with their boxes. Figures have none: they say nothing that could be found. */
export const boxes = (truth: Truth, aligned: Alignment, pages: ReadonlyArray<PageItems>): ReadonlyArray<BoxedBlock> => [
  ...truth.blocks.flatMap(({ type }, at) =>
    (aligned.blocks[at] ?? []).flatMap((place) => boxed(type, place, pages) ?? [])
  ),
  ...truth.furniture.flatMap((_, at) => line(truth, aligned, pages, at) ?? [])
]
