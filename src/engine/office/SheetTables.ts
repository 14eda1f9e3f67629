/**
 * The tables of a workbook's sheets as a reader sees them: several on one sheet apart, each under its own head, with its title above.
 *
 * The parser writes each sheet as one table, under an empty head where the first row has empty cells.
 */
import { type CellRange, format, parse } from "../../internal/base/cellRange.ts"

export interface Result {
  readonly markdown: string
  /** Ranges of the tables in A1 notation, in their order; of a sheet whose tables have none, its used range. */
  readonly ranges: ReadonlyArray<string>
  /** Names of the sheets with cells of which the Markdown has nothing, in a workbook of several sheets. */
  readonly unread: ReadonlyArray<string>
}

type Row = ReadonlyArray<string>

/** Rows and columns of a table, 0-based, ends inclusive. */
interface Region {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

const delimiter = /^\|(?: :?-+:? \|)+$/u

/** Most lines have no escapes, and are divided in a third of the time. */
const cellsOf = (line: string): Row => {
  const own = line.trim()
  if (own.includes("\\") || !own.startsWith("|")) return escapedCellsOf(own)
  return own
    .slice(1, own.length > 1 && own.endsWith("|") ? -1 : undefined)
    .split("|")
    .map((cell) => cell.trim())
}

const escapedCellsOf = (line: string): Row =>
  line
    .replace(/^\|/u, "")
    .replace(/(?<!\\)\|$/u, "")
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim())

const emptyRow = /^[|\s]*$/u

const lineOf = (cells: Row): string => `| ${cells.join(" | ")} |`

/** Numbers, amounts, shares, dates and times; a year can be the name of a column. */
const isValue = (cell: string): boolean =>
  /\d/u.test(cell) && /^[^\p{L}]*(?:e[+-]?\d+)?[^\p{L}]*$/iu.test(cell) && !/^(?:1[89]|20)\d\d$/u.test(cell)

class Grid {
  readonly rows: ReadonlyArray<Row>

  constructor(rows: ReadonlyArray<Row>) {
    this.rows = rows
  }

  /** The cells with content of a row, within the columns. */
  filled(row: number, { left, right }: Pick<Region, "left" | "right">): Row {
    return (this.rows[row] ?? []).slice(left, right + 1).filter((cell) => cell !== "")
  }

  /** True where a row has content, within the columns. */
  private isFilled(row: number, { left, right }: Pick<Region, "left" | "right">): boolean {
    const cells = this.rows[row] ?? []
    for (let at = left; at <= right; at++) if ((cells[at] ?? "") !== "") return true
    return false
  }

  /** The region without empty rows and columns around it; undefined when nothing is left. */
  trimmed({ bottom, left, right, top }: Region): Region | undefined {
    const columns = { left, right }
    const used: Array<number> = []
    for (let row = top; row <= Math.min(bottom, this.rows.length - 1); row++)
      if (this.isFilled(row, columns)) used.push(row)
    const [first, last] = [used[0], used.at(-1)]
    if (first === undefined || last === undefined) return undefined
    let [from, to] = [right, left]
    for (const row of used) {
      const cells = this.rows[row] ?? []
      for (let at = left; at < from; at++) if ((cells[at] ?? "") !== "") from = at
      for (let at = right; at > to; at--) if ((cells[at] ?? "") !== "") to = at
    }
    return { top: first, bottom: last, left: from, right: to }
  }

  /** True where a row names the columns: two or more texts in most of the columns, none twice. */
  isHead(row: number, region: Region): boolean {
    const cells = this.filled(row, region)
    const width = region.right - region.left + 1
    return (
      cells.length >= 2 &&
      cells.length >= width * 0.6 &&
      new Set(cells).size === cells.length &&
      cells.every((cell) => !isValue(cell))
    )
  }

  /** True where there are values below the first row. */
  hasValues({ bottom, left, right, top }: Region): boolean {
    return this.rows.slice(top + 1, bottom + 1).some((cells) => cells.slice(left, right + 1).some(isValue))
  }

  /** Number of rows at the start that hold one text each, over a head. */
  titles(region: Region): number {
    if (region.right === region.left) return 0
    let row = region.top
    while (row < region.bottom && row - region.top < mostTitles && this.filled(row, region).length <= 1) row++
    return row < region.bottom && this.isHead(row, region) ? row - region.top : 0
  }

  /** True where a region is a table with a head, after titles. */
  isTable(region: Region): boolean {
    const top = region.top + this.titles(region)
    return top < region.bottom && this.isHead(top, region)
  }

  /** Parts of a region between its empty rows or columns, trimmed. */
  private parts(region: Region, by: "rows" | "columns"): ReadonlyArray<Region> {
    const found: Array<Region> = []
    const [from, to] = by === "rows" ? [region.top, region.bottom] : [region.left, region.right]
    const empty =
      by === "rows"
        ? (at: number) => !this.isFilled(at, region)
        : (at: number) => this.rows.slice(region.top, region.bottom + 1).every((cells) => (cells[at] ?? "") === "")
    let start = from
    for (let at = from; at <= to + 1; at++) {
      if (at <= to && !empty(at)) continue
      const own =
        at === start
          ? undefined
          : this.trimmed(
              by === "rows" ? { ...region, top: start, bottom: at - 1 } : { ...region, left: start, right: at - 1 }
            )
      if (own !== undefined) found.push(own)
      start = at + 1
    }
    return found
  }

  /**
   * The tables of a region. Rows after an empty one begin a table where they have a head, and other columns than those before them or
   * values; columns next to an empty one are a table where all parts have a head and
   * the rows of one do not go on in the next.
   */
  tables(whole: Region): ReadonlyArray<Region> {
    const stacked: Array<Region> = []
    for (const part of this.parts(whole, "rows")) {
      const last = stacked.at(-1)
      const other = last === undefined || part.left !== last.left || part.right !== last.right
      if (last === undefined || (this.isTable(part) && (other || this.hasValues(part)))) stacked.push(part)
      else {
        stacked[stacked.length - 1] = {
          top: last.top,
          bottom: part.bottom,
          left: Math.min(last.left, part.left),
          right: Math.max(last.right, part.right)
        }
      }
    }
    return stacked.flatMap((region) => {
      const apart = this.parts(region, "columns")
      const [first, ...others] = apart
      return first !== undefined &&
        others.length > 0 &&
        apart.every((part) => part.right > part.left && this.isTable(part)) &&
        others.every((part) => this.isOther(first, part))
        ? apart
        : [region]
    })
  }

  /** True where tables next to one another have other rows, or a name of a column in common: the rows of one do not go on in the other. */
  private isOther(one: Region, other: Region): boolean {
    if (one.top !== other.top || one.bottom !== other.bottom) return true
    const names = new Set(this.filled(one.top + this.titles(one), one))
    return this.filled(other.top + this.titles(other), other).some((name) => names.has(name))
  }
}

/** Most rows over a head that are its titles. */
const mostTitles = 4

/** A title as a paragraph: characters that would make it another block are escaped. */
const paragraph = (cell: string): string =>
  cell.replaceAll(String.raw`\|`, "|").replace(/^(?=[#>*+-])|^(\d+)(?=[.)]\s)/u, "$1\\")

interface Written {
  readonly text: string
  readonly region: Region
}

const written = (grid: Grid, whole: Region): ReadonlyArray<Written> => {
  const regions = grid.tables(whole)
  return regions.map((own) => {
    // A table alone keeps the columns and rows around it that the sheet has.
    const region = regions.length === 1 ? whole : own
    const count = grid.titles(region)
    const titles = Array.from({ length: count }, (_, at) => grid.filled(region.top + at, region)[0] ?? "")
    const table = { ...region, top: region.top + count }
    const rows = grid.rows.slice(table.top, table.bottom + 1).map((cells) => cells.slice(table.left, table.right + 1))
    const [first = [], ...more] = rows
    const headed = more.length > 0 && first.filter((cell) => cell !== "").length >= 2 && !first.some(isValue)
    const head = headed ? first : first.map(() => "")
    const lines = [lineOf(head), lineOf(head.map(() => "---")), ...(headed ? more : rows).map(lineOf)]
    return {
      text: [...titles.filter((title) => title !== "").map(paragraph), lines.join("\n")].join("\n\n"),
      region: table
    }
  })
}

interface Section {
  /** Name of the sheet; undefined before the first heading. */
  readonly sheet: string | undefined
  readonly tables: Array<{ readonly from: number; readonly to: number }>
}

/** The name of a sheet, as it is or in a heading, for comparison. */
export const nameOf = (text: string): string =>
  text
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase()

/** The sheets of a Markdown with their tables, which are consecutive lines. */
const sectionsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Section> => {
  const sections: Array<Section> = [{ sheet: undefined, tables: [] }]
  for (let at = 0; at < lines.length; at++) {
    const heading = /^## (.*)$/u.exec(lines[at] ?? "")?.[1]
    if (heading !== undefined) sections.push({ sheet: nameOf(heading), tables: [] })
    if (!(lines[at] ?? "").startsWith("|") || !delimiter.test(lines[at + 1] ?? "")) continue
    let to = at + 2
    while ((lines[to] ?? "").startsWith("|")) to++
    sections.at(-1)?.tables.push({ from: at, to })
    at = to - 1
  }
  return sections
}

const isEmpty = (cells: Row): boolean => cells.every((cell) => cell === "")

/** Most cells of a sheet whose tables are told apart. */
const mostCells = 200_000

/**
 * The tables of a workbook's Markdown apart, with their ranges, which are certain where the table of a sheet has the rows and columns of
 * its used range; otherwise the sheet keeps its own range.
 */
export const of = (markdown: string, used: ReadonlyArray<string>): Result => {
  const lines = markdown.split("\n")
  const sections = sectionsOf(lines)
  const ranges = used.flatMap((text) => parse(text) ?? [])
  const replaced = new Map<CellRange, ReadonlyArray<CellRange>>()
  const parts: Array<string> = []
  let next = 0
  for (const { sheet, tables } of sections) {
    const named = ranges.filter(
      (range) => nameOf(range.sheet) === sheet || (sheet === undefined && ranges.length === 1)
    )
    const range = named.length === 1 && tables.length === 1 ? named[0] : undefined
    for (const { from, to } of tables) {
      // A head without empty cells over rows of which none is empty: one table.
      if (!lines.slice(from, to).some((line) => emptyRow.test(line))) continue
      const columns = cellsOf(lines[from] ?? "").length
      if ((to - from) * columns > mostCells) continue
      const [head = [], , ...body] = lines.slice(from, to).map(cellsOf)
      const rows = isEmpty(head) ? body : [head, ...body]
      const whole = { top: 0, bottom: rows.length - 1, left: 0, right: head.length - 1 }
      const own = written(new Grid(rows), whole)
      parts.push(...lines.slice(next, from), own.map(({ text }) => text).join("\n\n"))
      next = to
      const fits =
        range !== undefined &&
        range.bottom - range.top + 1 === rows.length &&
        range.right - range.left + 1 === head.length
      if (fits)
        replaced.set(
          range,
          own.map(({ region }) => shifted(range, region))
        )
    }
  }
  const named = new Set(sections.map(({ sheet }) => sheet))
  return {
    markdown: parts.length === 0 ? markdown : [...parts, ...lines.slice(next)].join("\n"),
    unread: ranges.length < 2 ? [] : ranges.flatMap(({ sheet }) => (named.has(nameOf(sheet)) ? [] : [sheet])),
    ranges: ranges.flatMap((range) => replaced.get(range) ?? [range]).map(format)
  }
}

const shifted = (range: CellRange, { bottom, left, right, top }: Region): CellRange => ({
  sheet: range.sheet,
  left: range.left + left,
  right: range.left + right,
  top: range.top + top,
  bottom: range.top + bottom
})
