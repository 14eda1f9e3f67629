/** Line numbers in the left margin, as in bills, court papers and manuscripts. */
import * as Box from "./Box.ts"
import type { Furniture } from "./Furniture.ts"
import { type Item, median, type PageItems } from "./PageItem.ts"
import * as RuledGrid from "./RuledGrid.ts"

/** Fewest numbers on a page; fewer may be anything. */
const fewest = 8

/** Share of the page's width that contains them. */
const margin = 0.2

/** Largest distance of aligned edges, in points. */
const aligned = 4

/** Distance of the nearer edges of two boxes. */
const apart = (one: Pick<Box.Box, "x0" | "x1">, other: Pick<Box.Box, "x0" | "x1">): number =>
  Math.min(Math.abs(one.x0 - other.x0), Math.abs(one.x1 - other.x1))

/** Longest run of items that count up by one, each below the previous one, with aligned right edges. */
const run = (numbers: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  let best: ReadonlyArray<Item> = []
  let open: Array<Item> = []
  for (const item of numbers) {
    const last = open.at(-1)
    const next =
      last !== undefined && Number(item.text) === Number(last.text) + 1 && apart(item.box, last.box) < aligned
    if (!next) open = []
    open.push(item)
    if (open.length > best.length) best = open
  }
  return best
}

const numbersOf = (page: PageItems): ReadonlyArray<Item> =>
  page.items
    .filter((item) => /^\d{1,4}$/.test(item.text.trim()) && item.box.x1 < page.width * margin)
    .toSorted((left, right) => left.box.y0 - right.box.y0)

const onPage = (page: PageItems): ReadonlyArray<Item> => {
  const found = run(numbersOf(page))
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

/** Numbers that stand where those of other pages begin or end, each greater than the one above. */
const inColumn = (page: PageItems, column: Pick<Box.Box, "x0" | "x1">): ReadonlyArray<Item> => {
  const found: Array<Item> = []
  for (const item of numbersOf(page)) {
    if (apart(item.box, column) < aligned && Number(item.text) > Number(found.at(-1)?.text ?? 0)) found.push(item)
  }
  return found
}

/**
 * The line numbers of each page, as one block of furniture, by page number; only if at least two pages and half of all pages have them for
 * sure. Then those of the other pages are known by their place.
 */
export const find = (pages: ReadonlyArray<PageItems>): ReadonlyMap<number, Furniture> => {
  const sure = pages.map(onPage).filter((items) => items.length > 0)
  if (sure.length < 2 || sure.length < pages.length / 2) return new Map()
  const boxes = sure.flat().map(({ box }) => box)
  const column = { x0: median(boxes.map(({ x0 }) => x0)), x1: median(boxes.map(({ x1 }) => x1)) }
  return new Map(
    pages.flatMap((page) => {
      const items = inColumn(page, column)
      if (items.length === 0) return []
      const box = Box.around(items.map((item) => item.box))
      return [[page.pageNumber, { kind: "page_number", box, top: true, items }]]
    })
  )
}
