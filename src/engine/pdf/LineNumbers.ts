/** Line numbers in the left margin, as in bills, court papers and manuscripts. */
import * as Box from "./Box.ts"
import type { Furniture } from "./Furniture.ts"
import { type Item, median, type PageItems } from "./PageItem.ts"
import * as RuledGrid from "./RuledGrid.ts"

/** Fewest numbers on a page; fewer may be anything. */
const fewest = 8

/** Share of the page's width that contains them. */
const margin = 0.2

/** Longest run of items that count up by one, each below the previous one, with aligned right edges. */
const run = (numbers: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  let best: ReadonlyArray<Item> = []
  let open: Array<Item> = []
  for (const item of numbers) {
    const last = open.at(-1)
    const next =
      last !== undefined &&
      Number(item.text) === Number(last.text) + 1 &&
      Math.min(Math.abs(item.box.x1 - last.box.x1), Math.abs(item.box.x0 - last.box.x0)) < 4
    if (!next) open = []
    open.push(item)
    if (open.length > best.length) best = open
  }
  return best
}

const onPage = (page: PageItems): ReadonlyArray<Item> => {
  const numbers = page.items
    .filter((item) => /^\d{1,3}$/.test(item.text.trim()) && item.box.x1 < page.width * margin)
    .toSorted((left, right) => left.box.y0 - right.box.y0)
  const found = run(numbers)
  if (found.length < fewest) return []
  const box = Box.around(found.map((item) => item.box))
  const numbered = new Set(found)
  // In contrast, the first column of a table or a list has other text between its numbers, short text next to them, or rules.
  const clear = page.items.every((item) => numbered.has(item) || item.box.x0 > box.x1 || isOutside(item, box))
  const usualLength = median(found.map((number) => textBeside(number, page)))
  return clear && usualLength >= proseLength && !isRuled(page, box) ? found : []
}

/** Fewest characters of a usual line of prose. */
const proseLength = 25

const textBeside = (number: Item, page: PageItems): number => {
  const middle = Box.centerY(number.box)
  let length = 0
  for (const item of page.items) {
    if (item !== number && item.box.y0 < middle && item.box.y1 > middle) length = Math.max(length, item.text.length)
  }
  return length
}

const isRuled = (page: PageItems, box: Box.Box): boolean =>
  RuledGrid.find(page.rules).some((grid) => Box.shared(grid.box, box) > Box.area(box) / 2)

const isOutside = (item: Item, box: Box.Box): boolean => item.box.y1 < box.y0 || item.box.y0 > box.y1

/** The line numbers of each page, as one block of furniture, by page number; only if at least two pages and half of all pages have them. */
export const find = (pages: ReadonlyArray<PageItems>): ReadonlyMap<number, Furniture> => {
  const found = new Map<number, Furniture>()
  for (const page of pages) {
    const items = onPage(page)
    if (items.length === 0) continue
    const box = Box.around(items.map((item) => item.box))
    found.set(page.pageNumber, { kind: "page_number", box, top: true, items })
  }
  return found.size >= 2 && found.size >= pages.length / 2 ? found : new Map()
}
