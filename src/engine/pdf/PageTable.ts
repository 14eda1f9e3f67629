/** Tables of a page: those drawn with rules, and the credible ones among those that the engine proposes. */
import * as Tally from "../Tally.ts"
import * as AlignedTable from "./AlignedTable.ts"
import * as Box from "./Box.ts"
import type { Cells, Column } from "./Draft.ts"
import * as Listing from "./Listing.ts"
import * as MarkdownText from "./MarkdownText.ts"
import * as NumberColumns from "./NumberColumns.ts"
import { type Item, median, type PageItems, type TableCandidate, wordItems } from "./PageItem.ts"
import * as Paragraph from "./Paragraph.ts"
import * as ReadingOrder from "./ReadingOrder.ts"
import * as RuledGrid from "./RuledGrid.ts"
import * as RuledRows from "./RuledRows.ts"
import * as TableWords from "./TableWords.ts"
import * as TextLine from "./TextLine.ts"
import * as TextZones from "./TextZones.ts"

/** A table, with the items that it removes from the text. */
export interface PageTable extends Cells {
  readonly box: Box.Box
  readonly items: ReadonlyArray<Item>
}

/** Longest cell in characters; a longer one is a paragraph next to another column. */
const longestCell = 420

/** Longest cell of a table with rules. */
const longestRuledCell = 2000

const isTable = (rows: ReadonlyArray<ReadonlyArray<string>>, longest: number): boolean => {
  const cells = rows.flat()
  return (
    rows.length >= 2 &&
    (rows[0]?.length ?? 0) >= 2 &&
    cells.every((cell) => cell.length <= longest) &&
    cells.filter((cell) => cell !== "").length >= 3
  )
}

/** The parts of an item that fall into cells: the whole item, or its words if it crosses a border. */
const pieces = (item: Item, cells: ReadonlyArray<RuledGrid.GridCell>): ReadonlyArray<Item> => {
  const home = cells.find((cell) => Box.centerWithin(item.box, cell.box))
  const whole = home !== undefined && item.box.x0 > home.box.x0 - 2 && item.box.x1 < home.box.x1 + 2
  return whole ? [item] : wordItems(item)
}

const cellText = (items: ReadonlyArray<Item>): string => MarkdownText.fromRuns(Paragraph.join(TextLine.group(items)))

/** The cells as text, without empty rows and columns. */
const written = (cells: ReadonlyArray<ReadonlyArray<ReadonlyArray<Item>>>, columns: ReadonlyArray<Column>): Cells => {
  const rows = cells
    .map((row) => ({ texts: row.map(cellText), bold: row.flat().every((item) => item.bold) }))
    .filter(({ texts }) => texts.some((text) => text !== ""))
  const used = columns.map((_, at) => rows.some(({ texts }) => texts[at] !== ""))
  return {
    rows: rows.map(({ texts }) => texts.filter((_, at) => used[at])),
    bold: rows.map(({ bold }) => bold),
    columns: columns.filter((_, at) => used[at])
  }
}

/** True if a line has a gap that is as wide as between two columns. */
const isGappy = (line: TextLine.TextLine): boolean => TextLine.hasGap(line, Math.max(8, line.size * 1.5))

/** True if the cells of a grid contain columns that no rule divides: more than 15 % of their lines have such gaps. */
const isCoarse = (contents: Iterable<ReadonlyArray<Item>>): boolean => {
  let lines = 0
  let gappy = 0
  for (const content of contents) {
    for (const line of TextLine.group(content)) {
      lines++
      if (isGappy(line)) gappy++
    }
  }
  return gappy > lines * 0.15
}

interface GridTable extends PageTable {
  readonly coarse: boolean
}

/** Least share of the cells of a grid that have text, unless it is a sheet to be filled in. */
const usualShare = 0.35

/** Mean heights of the rows of a sheet, in font heights; higher ones are the panels of a chart, lower ones its scale. */
const lowestRow = 1.25
const tallestRow = 4

/** True for a sheet of mostly empty cells: three rows and columns or more, and text in most cells of the first row or column. */
const isSheet = (
  grid: RuledGrid.RuledGrid,
  contents: ReadonlyMap<RuledGrid.GridCell, ReadonlyArray<Item>>
): boolean => {
  const labelled = (cells: ReadonlyArray<RuledGrid.GridCell>) =>
    cells.length > 2 && cells.filter((cell) => contents.has(cell)).length > cells.length * 0.6
  const size = median(Array.from(contents.values()).flatMap((items) => items.map((item) => item.size)))
  const height = Box.height(grid.box) / grid.rows
  const divided = grid.cells.length > grid.rows * grid.columns * 0.6
  return (
    divided &&
    height > size * lowestRow &&
    height < size * tallestRow &&
    grid.rows > 2 &&
    grid.columns > 2 &&
    (labelled(grid.cells.filter((cell) => cell.row === 0)) || labelled(grid.cells.filter((cell) => cell.column === 0)))
  )
}

/** Longest name of a column of a form. */
const longestName = 60

/** The head of a form to be filled in, with one empty row below it, where only the first row of a grid has text, in each cell. */
const asForm = (table: Cells, { columns, rows }: RuledGrid.RuledGrid): Cells => {
  const [head = [], ...more] = table.rows
  const isForm = more.length === 0 && rows > 1 && head.length === columns
  return isForm && head.every((cell) => cell !== "" && cell.length <= longestName)
    ? { ...table, rows: [head, head.map(() => "")], bold: [...table.bold, false] }
    : table
}

const fromGrid = (grid: RuledGrid.RuledGrid, items: ReadonlyArray<Item>): GridTable | undefined => {
  const own = items.filter((item) => Box.centerWithin(item.box, grid.box, 1))
  if (own.length === 0) return undefined
  const contents = new Map<RuledGrid.GridCell, Array<Item>>()
  for (const item of own) {
    for (const piece of pieces(item, grid.cells)) {
      const cell = grid.cells.find((each) => Box.centerWithin(piece.box, each.box, 1))
      if (cell === undefined) continue
      Tally.gather(contents, cell, piece)
    }
  }
  if (contents.size < grid.cells.length * usualShare && !isSheet(grid, contents)) return undefined
  const grouped: Array<Array<ReadonlyArray<Item>>> = Array.from({ length: grid.rows }, () =>
    Array.from({ length: grid.columns }, () => [])
  )
  for (const [cell, content] of contents) {
    const row = grouped[cell.row]
    if (row !== undefined) row[cell.column] = content
  }
  const table = asForm(written(grouped.flatMap(RuledRows.split), columnsOf(grid)), grid)
  if (!isTable(table.rows, longestRuledCell)) return undefined
  return { ...table, box: grid.box, items: own, coarse: isCoarse(contents.values()) }
}

/** Columns of a grid, each as wide as its narrowest cell. */
const columnsOf = ({ box, cells, columns }: RuledGrid.RuledGrid): ReadonlyArray<Column> =>
  Array.from({ length: columns }, (_, at) => {
    const own = cells.filter(({ column }) => column === at).map((cell) => cell.box)
    return [Math.min(box.x1, ...own.map(({ x0 }) => x0)), Math.min(box.x1, ...own.map(({ x1 }) => x1))]
  })

/** Largest share of the borders between cells that may cut running text. */
const tornShare = 0.3

/** True if the columns cut text that the text layer has in one piece: prose divided at its spaces. */
const tearsText = (rows: ReadonlyArray<ReadonlyArray<string>>, items: ReadonlyArray<Item>): boolean => {
  let borders = 0
  let torn = 0
  for (const row of rows) {
    for (let at = 1; at < row.length; at++) {
      const before = plainWords(row[at - 1] ?? "").at(-1)
      const after = plainWords(row[at] ?? "")[0]
      if (before === undefined || after === undefined) continue
      borders++
      if (items.some((item) => item.text.includes(`${before} ${after}`))) torn++
    }
  }
  return torn > borders * tornShare
}

const plainWords = (markdown: string): ReadonlyArray<string> =>
  markdown
    .replace(/[*\\]/g, "")
    .split(/\s+/)
    .filter((word) => word !== "")

/** True if two fifths of the lines or more have a gap that is wider than between two words. */
const isSpaced = (items: ReadonlyArray<Item>): boolean => {
  const lines = TextLine.group(items)
  const spaced = lines.filter((line) => TextLine.hasGap(line, line.size * 0.7))
  return spaced.length >= lines.length * 0.4
}

/** Fewest words of a line of running text, and the share of them that begin with a small letter. */
const sentence = { words: 5, small: 0.6 }

/** A proposed table without a first row that is one line of running text, divided at its spaces. */
const withoutSentence = (candidate: TableCandidate, items: ReadonlyArray<Item>): TableCandidate => {
  const [first = [], ...rows] = candidate.rows
  const words = plainWords(first.join(" "))
  const small = words.filter((word) => /^\p{Ll}/u.test(word)).length
  if (words.length < sentence.words || small < words.length * sentence.small) return candidate
  const text = words.join(" ")
  const line = items.find(
    (item) => Box.centerWithin(item.box, candidate.box, 1) && plainWords(item.text).join(" ") === text
  )
  return line === undefined ? candidate : { rows, box: { ...candidate.box, y0: line.box.y1 } }
}

/**
 * Items of each cell of proposed rows, by their words; undefined where a cell has other words, or the columns that this gives are not side
 * by side.
 */
const itemsOfCells = (
  rows: TableCandidate["rows"],
  items: ReadonlyArray<Item>
): (Pick<Cells, "columns"> & { readonly cells: ReadonlyArray<ReadonlyArray<ReadonlyArray<Item>>> }) | undefined => {
  const left = new Map(
    items
      .toSorted((one, other) => one.box.y0 - other.box.y0 || one.box.x0 - other.box.x0)
      .map((item) => [item, plainWords(item.text)])
  )
  const take = (cell: string): ReadonlyArray<Item> | undefined => {
    const words = plainWords(cell)
    const own: Array<Item> = []
    let at = 0
    for (const [item, texts] of left) {
      if (at === words.length) break
      if (texts.length === 0 || !texts.every((text, index) => text === words[at + index])) continue
      own.push(item)
      left.delete(item)
      at += texts.length
    }
    return at === words.length ? own : undefined
  }
  const cells: Array<ReadonlyArray<ReadonlyArray<Item>>> = []
  for (const row of rows) {
    const found = row.map(take).filter((own) => own !== undefined)
    if (found.length < row.length) return undefined
    cells.push(found)
  }
  const columns = (rows[0] ?? []).map((_, at): Column => {
    const { x0, x1 } = Box.around(cells.flatMap((row) => row[at] ?? []).map(({ box }) => box))
    return [x0, x1]
  })
  const apart = columns.every(([, right], at) => right <= (columns[at + 1]?.[0] ?? Number.POSITIVE_INFINITY))
  return apart ? { columns, cells } : undefined
}

/** A proposed table of its own items, with rows divided in which the numbers of several rows stand. */
const fromCandidate = ({ box, rows }: TableCandidate, own: ReadonlyArray<Item>): PageTable | undefined => {
  if (own.length === 0 || !isTable(rows, longestCell) || Listing.isListing(rows)) return undefined
  if (tearsText(rows, own) || !isSpaced(own) || AlignedTable.isUneven(own)) return undefined
  const taken = TableWords.itemsOf(rows, own)
  if (taken === undefined) return undefined
  const found = itemsOfCells(rows, taken)
  if (found === undefined) return { box, rows, bold: [], columns: [], items: taken }
  const divided = found.cells.map((row) => RuledRows.split(row))
  return {
    box,
    rows: divided.flatMap((parts, at) =>
      parts.length > 1 ? parts.map((part) => part.map(cellText)) : [rows[at] ?? []]
    ),
    bold: divided.flat().map((row) => row.flat().every(({ bold }) => bold)),
    columns: found.columns,
    items: taken
  }
}

const fromAligned = ({ box, columns, items, rows }: AlignedTable.AlignedTable): PageTable => {
  const table = written(rows, columns)
  return { ...table, rows: NumberColumns.divide(table.rows), box, items }
}

const filledCells = (table: PageTable): number => table.rows.flat().filter((cell) => cell !== "").length

/** Ratio of the cells with text from which on columns by alignment are preferred to a grid of rules that divides only some of them. */
const finerBy = 1.5

const alignedTables = (items: ReadonlyArray<Item>, page: PageItems): ReadonlyArray<AlignedTable.AlignedTable> =>
  TextZones.find(items).flatMap((zone) => AlignedTable.find(zone, page.rules))

const widest = (table: PageTable): number => Math.max(...table.rows.map((row) => row.length))

const overlap = (one: Box.Box, other: Box.Box): boolean =>
  Box.shared(one, other) > 0.3 * Math.min(Box.area(one), Box.area(other))

/**
 * Tables of a page, top to bottom, without common items. Tables with rules take precedence over those by alignment, and these over
 * proposed ones, unless the rules leave columns undivided. `line` is the usual font height on the page, in points.
 */
export const find = (page: PageItems, items: ReadonlyArray<Item>, line: number): ReadonlyArray<PageTable> => {
  const found: Array<PageTable> = []
  let left = items
  const take = (table: PageTable) => {
    const gone = new Set(table.items)
    left = left.filter((item) => !gone.has(item))
    found.push(table)
  }
  const outside = items.filter((item) => !page.tables.some((candidate) => Box.centerWithin(item.box, candidate.box, 1)))
  const scale = { width: page.width, line }
  const candidates = page.tables
    .filter((candidate) => !ReadingOrder.dividedByGutter(candidate.box, items, outside, scale))
    .map((candidate) => withoutSentence(candidate, items))
  const known = new Map<TableCandidate, { readonly count: number; readonly table: PageTable | undefined }>()
  /** The items that are left are among those of before, so that as many are the same. */
  const proposal = (candidate: TableCandidate, of: ReadonlyArray<Item>): PageTable | undefined => {
    const own = of.filter((item) => Box.centerWithin(item.box, candidate.box, 1))
    const before = known.get(candidate)
    if (before?.count === own.length) return before.table
    const table = fromCandidate(candidate, own)
    known.set(candidate, { count: own.length, table })
    return table
  }
  const proposed = candidates.flatMap((candidate) => proposal(candidate, items) ?? [])
  let tried: { readonly items: ReadonlyArray<Item>; readonly tables: ReturnType<typeof alignedTables> } | undefined
  const byAlignment = () => {
    if (tried?.items !== left) tried = { items: left, tables: alignedTables(left, page) }
    return tried.tables
  }
  for (const grid of RuledGrid.find(page.rules)) {
    const table = fromGrid(grid, left)
    if (table === undefined) continue
    const finer = (others: ReadonlyArray<PageTable>) => others.some((each) => overlap(each.box, table.box))
    const aligned = (each: AlignedTable.AlignedTable) =>
      each.certain && filledCells(fromAligned(each)) > filledCells(table) * finerBy ? [fromAligned(each)] : []
    if (!(table.coarse && (finer(proposed) || finer(byAlignment().flatMap(aligned))))) take(table)
  }
  for (const each of byAlignment()) {
    const table = fromAligned(each)
    if (found.some((other) => overlap(other.box, table.box)) || !isTable(table.rows, longestRuledCell)) continue
    const alike = (other: PageTable) => overlap(other.box, table.box) && widest(other) === widest(table)
    if (each.certain || proposed.some(alike)) take(table)
  }
  for (const candidate of candidates) {
    if (found.some((table) => overlap(table.box, candidate.box))) continue
    const table = proposal(candidate, left)
    if (table !== undefined) take(table)
  }
  return found.toSorted((one, other) => one.box.y0 - other.box.y0)
}
