/** Tables drawn with lines: the grid of horizontal and vertical rules, including merged cells. */
import type * as Box from "./Box.ts"
import type { Rule } from "./PageItem.ts"

/** A cell, which may span several rows and columns of the grid. */
export interface GridCell {
  readonly row: number
  readonly column: number
  readonly box: Box.Box
}

export interface RuledGrid {
  readonly box: Box.Box
  readonly rows: number
  readonly columns: number
  readonly cells: ReadonlyArray<GridCell>
}

/** Largest distance, in points, between two ends that count as meeting. */
const touch = 3

/** Largest distance, in points, between two rules that count as one. */
const same = 2.5

/** Number of rules above which a page is a drawing. */
const mostRules = 3000

/** Number of cells above which a grid is graph paper. */
const mostCells = 5000

/** Joins rules on one line that overlap or nearly meet. */
const merged = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const sorted = rules.toSorted((left, right) => left.at - right.at || left.from - right.from)
  const found: Array<Rule> = []
  for (const rule of sorted) {
    const at = found.findLastIndex(
      (each) => rule.at - each.at <= same && rule.from <= each.to + touch && rule.to >= each.from - touch
    )
    const other = found[at]
    if (other === undefined) found.push(rule)
    else found[at] = { ...other, from: Math.min(other.from, rule.from), to: Math.max(other.to, rule.to) }
  }
  return found
}

const meets = (across: Rule, down: Rule): boolean =>
  down.at >= across.from - touch &&
  down.at <= across.to + touch &&
  across.at >= down.from - touch &&
  across.at <= down.to + touch

/** Groups of rules that are connected by crossings. */
const components = (rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> => {
  const left = new Set(rules)
  const found: Array<ReadonlyArray<Rule>> = []
  for (const start of rules) {
    if (!left.delete(start)) continue
    const group = [start]
    for (const rule of group) {
      for (const other of left) {
        if (rule.horizontal === other.horizontal) continue
        if (rule.horizontal ? meets(rule, other) : meets(other, rule)) {
          left.delete(other)
          group.push(other)
        }
      }
    }
    found.push(group)
  }
  return found
}

/** Ascending positions; those closer than {@link same} are joined. */
const places = (values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (const value of values.toSorted((left, right) => left - right)) {
    const last = found.at(-1)
    if (last === undefined || value - last > same) found.push(value)
  }
  return found
}

const covers = (rules: ReadonlyArray<Rule>, at: number, middle: number): boolean =>
  rules.some((rule) => Math.abs(rule.at - at) <= same && rule.from - touch <= middle && rule.to + touch >= middle)

/** Grid of one component; undefined when it has fewer than two rows or columns. */
const gridOf = (rules: ReadonlyArray<Rule>): RuledGrid | undefined => {
  const across = rules.filter((rule) => rule.horizontal)
  const down = rules.filter((rule) => !rule.horizontal)
  if (across.length < 2 || down.length < 1) return undefined
  // On an open side, the table ends at the ends of its rules.
  const xs = places([
    ...down.map((rule) => rule.at),
    Math.min(...across.map((rule) => rule.from)),
    Math.max(...across.map((rule) => rule.to))
  ])
  const ys = places([
    ...across.map((rule) => rule.at),
    Math.min(...down.map((rule) => rule.from)),
    Math.max(...down.map((rule) => rule.to))
  ])
  const columns = xs.length - 1
  const rows = ys.length - 1
  if (columns < 2 || rows < 2 || columns * rows > mostCells) return undefined
  return {
    box: { x0: xs[0] ?? 0, y0: ys[0] ?? 0, x1: xs.at(-1) ?? 0, y1: ys.at(-1) ?? 0 },
    rows,
    columns,
    cells: cellsOf(xs, ys, across, down)
  }
}

const cellsOf = (
  xs: ReadonlyArray<number>,
  ys: ReadonlyArray<number>,
  across: ReadonlyArray<Rule>,
  down: ReadonlyArray<Rule>
): ReadonlyArray<GridCell> => {
  const columns = xs.length - 1
  const rows = ys.length - 1
  const taken = new Set<number>()
  const cells: Array<GridCell> = []
  const x = (at: number) => xs[at] ?? 0
  const y = (at: number) => ys[at] ?? 0
  const wallRight = (row: number, column: number) => covers(down, x(column + 1), (y(row) + y(row + 1)) / 2)
  const wallBelow = (row: number, column: number) => covers(across, y(row + 1), (x(column) + x(column + 1)) / 2)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken.has(row * columns + column)) continue
      let right = column
      while (right + 1 < columns && !wallRight(row, right) && !taken.has(row * columns + right + 1)) right++
      let low = row
      const openBelow = (at: number) => {
        for (let each = column; each <= right; each++) if (wallBelow(at, each)) return false
        return true
      }
      while (low + 1 < rows && openBelow(low)) low++
      for (let each = row; each <= low; each++) {
        for (let other = column; other <= right; other++) taken.add(each * columns + other)
      }
      cells.push({ row, column, box: { x0: x(column), y0: y(row), x1: x(right + 1), y1: y(low + 1) } })
    }
  }
  return cells
}

/** The grids of a page with at least two rows and two columns, top to bottom. */
export const find = (rules: ReadonlyArray<Rule>): ReadonlyArray<RuledGrid> => {
  if (rules.length > mostRules) return []
  const across = merged(rules.filter((rule) => rule.horizontal))
  const down = merged(rules.filter((rule) => !rule.horizontal))
  return components([...across, ...down])
    .flatMap((group) => gridOf(group) ?? [])
    .toSorted((left, right) => left.box.y0 - right.box.y0)
}
