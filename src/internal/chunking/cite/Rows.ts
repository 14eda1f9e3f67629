/** Rows of the tables of a document. */
import { at } from "../../base/at.ts"
import type { Unit } from "../pack/Unit.ts"
import type { Leaf } from "../scan/Leaf.ts"

/** A table whose rows are counted from its head, 0-based. */
export class TableRows {
  readonly start: number
  readonly end: number
  /** Innermost heading over it; -1 when there is none. */
  readonly section: number
  /** True when all cells of the head are empty: the parser made it, and it is no row of the file. */
  readonly bare: boolean
  /** Columns of the head. */
  readonly columns: number
  /** Starts of the lines after the delimiter row. */
  private readonly starts: ReadonlyArray<number>

  constructor(text: string, leaf: Leaf, section: number) {
    this.start = leaf.start
    this.end = leaf.end
    this.section = section
    const lines: Array<number> = []
    for (let from = leaf.start; from > 0 || lines.length === 0; from = text.indexOf("\n", from) + 1) {
      if (from >= leaf.end) break
      lines.push(from)
    }
    const head = text.slice(leaf.start, lines[1])
    this.bare = /^[\s|]*$/u.test(head)
    this.columns = (head.trim().match(/(?<!\\)\|/gu)?.length ?? 2) - 1
    this.starts = lines.slice(2)
  }

  /** Number of rows that the file has. */
  get count(): number {
    return this.starts.length + (this.bare ? 0 : 1)
  }

  /** First and last row that `[start, end)` touches, 0-based; undefined when it touches none. */
  touched(start: number, end: number): readonly [first: number, last: number] | undefined {
    if (end <= this.start || start >= this.end) return undefined
    const first = this.rowAt(Math.max(start, this.start))
    const last = this.rowAt(Math.min(end, this.end) - 1)
    return last < 0 ? undefined : [Math.max(0, first), last]
  }

  /** Row of an offset in the table; -1 in a head that is no row. */
  private rowAt(offset: number): number {
    let low = 0
    let high = this.starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (at(this.starts, middle) <= offset) low = middle + 1
      else high = middle
    }
    return this.bare ? low - 1 : low
  }
}

/** The Markdown tables at the top level, in document order. */
export const tablesOf = (text: string, units: ReadonlyArray<Unit>): ReadonlyArray<TableRows> => {
  const tables: Array<TableRows> = []
  let last: Leaf | undefined
  for (const { leaf, section } of units) {
    if (leaf !== last && leaf.kind === "table" && leaf.level === 0) tables.push(new TableRows(text, leaf, section))
    last = leaf
  }
  return tables
}
