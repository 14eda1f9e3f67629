/** Rows of a table: lines of text are joined to rows by the rules between them, by their distances, and by what their cells contain. */
import { type Item, median } from "./PageItem.ts"
import { runsOf } from "./runs.ts"

/** A line of a table. */
export interface TableLine {
  readonly y0: number
  readonly y1: number
  /** Height of the font in points. */
  readonly size: number
  /** Text of each column; empty where the line has none. */
  readonly cells: ReadonlyArray<string>
  /** True if a cell spans several columns. */
  readonly spans: boolean
}

const number = /^[-+−–±(<>~≈$€£¥]*\s?\d[\d\s.,:/×x*±()–-]*\s?[%)†‡*°a-zµ€$£]{0,4}$/u

/** True for a number, with a unit or a currency sign, and for the signs of a missing value. */
export const isNumeric = (text: string): boolean => number.test(text.trim()) || /^([-–—−.*]|n\/?a)$/i.test(text.trim())

/** Share of the lines with numbers that a column of numbers has at least. */
const numericShare = 0.5

const numericColumns = (lines: ReadonlyArray<TableLine>): ReadonlyArray<boolean> =>
  (lines[0]?.cells ?? []).map((_, at) => {
    const filled = lines.filter((line) => line.cells[at] !== "")
    return (
      filled.length > 1 &&
      filled.filter((line) => isNumeric(line.cells[at] ?? "")).length > filled.length * numericShare
    )
  })

const pitch = (above: TableLine, below: TableLine): number => (below.y0 + below.y1 - above.y0 - above.y1) / 2

const figure = /^[-+−–±(<>~≈]*[$€£¥]?\s?\d[\d.,]*(?=$|[\s%)–-])/u

/** True if both lines have a number in the same column: two rows, however close. */
const stacksNumbers = (above: TableLine, below: TableLine): boolean =>
  above.cells.some((cell, at) => figure.test(cell) && figure.test(below.cells[at] ?? ""))

/** True if both lines fill all of at least three columns. */
const areFull = (above: TableLine, below: TableLine): boolean =>
  above.cells.length > 2 && [...above.cells, ...below.cells].every((cell) => cell !== "")

/** Smallest ratio of the distances between rows to those between the lines of a cell. */
const clearRatio = 1.15

/** Largest distance between two lines of a cell, in font heights. */
const widestLeading = 1.7

/** Distance below which two lines belong to one row; undefined when the distances do not tell. */
const leadingLimit = (lines: ReadonlyArray<TableLine>): number | undefined => {
  const pairs = lines.slice(1).map((below, at) => ({ above: lines[at] ?? below, below }))
  const distances = pairs.map(({ above, below }) => pitch(above, below)).toSorted((left, right) => left - right)
  let limit: number | undefined
  let best = clearRatio
  for (let at = 1; at < distances.length; at++) {
    const low = distances[at - 1] ?? 0
    const high = distances[at] ?? 0
    if (low <= 0 || high / low < best) continue
    best = high / low
    limit = (low + high) / 2
  }
  const size = median(lines.map((line) => line.size))
  if (limit === undefined || limit > size * widestLeading * clearRatio) return undefined
  const near = pairs.filter(({ above, below }) => pitch(above, below) < (limit ?? 0))
  const numbers = near.filter(({ above, below }) => stacksNumbers(above, below)).length
  const full = near.filter(({ above, below }) => areFull(above, below)).length
  return numbers > near.length * 0.15 || full > near.length * 0.5 ? undefined : limit
}

const filledColumns = (line: TableLine): number => line.cells.filter((cell) => cell !== "").length

/** True if a line continues the cells of the row above it, though the distances do not tell. */
const continues = (row: ReadonlyArray<TableLine>, line: TableLine, numeric: ReadonlyArray<boolean>): boolean => {
  const above = row.at(-1)
  if (above === undefined || line.spans || pitch(above, line) > line.size * widestLeading) return false
  const head = line.cells[0] ?? ""
  const has = (at: number) => row.some((each) => (each.cells[at] ?? "") !== "")
  const others = line.cells.flatMap((cell, at) => (cell !== "" && at > 0 ? [at] : []))
  if (head === "") {
    return others.every((at) => has(at) && numeric[at] !== true) && others.length < Math.max(2, filledColumns(above))
  }
  return others.length === 0 && has(0) && /^[\p{Ll}(]/u.test(head) && row.some((each) => filledColumns(each) > 1)
}

/** Number of lines at the top without numbers, where the columns below have numbers: the header. */
const headerLines = (lines: ReadonlyArray<TableLine>, numeric: ReadonlyArray<boolean>): number => {
  if (!numeric.some((each) => each)) return 0
  const first = lines.findIndex((line) => line.cells.some((cell, at) => numeric[at] === true && isNumeric(cell)))
  return first <= 4 ? Math.max(0, first) : 0
}

/** Joins lines that are closer than a distance and have no cell that spans several columns. */
const byDistance = <L extends TableLine>(lines: ReadonlyArray<L>, limitOf: (line: L) => number) =>
  runsOf(lines, (_, above, line) => pitch(above, line) < limitOf(line) && !above.spans && !line.spans)

/** Runs of lines without a rule between them. */
const zonesOf = <L extends TableLine>(lines: ReadonlyArray<L>, rules: ReadonlyArray<number>) =>
  runsOf(lines, (_, above, line) => {
    const middle = (line.y0 + line.y1) / 2
    return !rules.some((rule) => rule > (above.y0 + above.y1) / 2 && rule < middle)
  })

/** Number of zones from which on each zone between two rules is a row. */
const ruledRows = 4

const stacked = (zone: ReadonlyArray<TableLine>): number =>
  zone.slice(1).filter((line, at) => stacksNumbers(zone[at] ?? line, line)).length

/** A line with the items of each column. */
export interface FilledLine extends TableLine {
  readonly items: ReadonlyArray<ReadonlyArray<Item>>
}

/** Text of each column. */
export const textsOf = (row: FilledLine["items"]): ReadonlyArray<string> =>
  row.map((items) => items.map(({ text }) => text).join(" "))

/** Items of each row and column of a table: see {@link group}. */
export const itemsOf = (
  lines: ReadonlyArray<FilledLine>,
  rules: ReadonlyArray<number>
): ReadonlyArray<FilledLine["items"]> =>
  group(lines, rules).map((row) => (row[0]?.items ?? []).map((_, at) => row.flatMap(({ items }) => items[at] ?? [])))

/** Groups the lines of a table to rows, top to bottom. `rules` are the heights of the horizontal rules that cross the table. */
export const group = <L extends TableLine>(
  lines: ReadonlyArray<L>,
  rules: ReadonlyArray<number>
): ReadonlyArray<ReadonlyArray<L>> => {
  const numeric = numericColumns(lines)
  const zones = zonesOf(lines, rules)
  const limit = leadingLimit(lines)
  const rowsOf = (zone: ReadonlyArray<L>, top: boolean): ReadonlyArray<ReadonlyArray<L>> => {
    if (limit !== undefined) return byDistance(zone, () => limit)
    const head = top ? headerLines(zone, numeric) : 0
    const header = top && zones.length > 1 && zone.length <= 4 && head === 0 && stacked(zone) === 0 ? zone.length : head
    return [
      // A header is one row, after those with cells that span several columns.
      ...byDistance(zone.slice(0, header), ({ size }) => size * widestLeading),
      ...runsOf(zone.slice(header), (row, _, line) => continues(row, line, numeric))
    ]
  }
  const every = zones.length >= ruledRows && zones.every((zone) => stacked(zone) === 0)
  return zones.flatMap((zone, at) => {
    if (every && zone.every((line) => !line.spans)) return [zone]
    return rowsOf(zone, at === 0)
  })
}
