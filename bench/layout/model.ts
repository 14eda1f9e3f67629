/** A document before it has pages: the one model that every producer renders. */
import type { Language } from "./languages/language.ts"
import type { Style } from "./style.ts"

export interface Cell {
  readonly text: string
  /** Columns and rows that the cell covers; default 1. */
  readonly across?: number
  readonly down?: number
}

export interface ListItem {
  /** As shown, with its full stop or parenthesis. */
  readonly marker: string
  readonly text: string
  readonly list?: List
}

export interface List {
  readonly type: "list"
  readonly ordered: boolean
  readonly items: ReadonlyArray<ListItem>
}

export interface Table {
  readonly type: "table"
  /** Rows of the cells that begin there: a cell that is covered by another is left out. */
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  /** Rows at the top that are headings. */
  readonly headings: number
  readonly rules: "all" | "rows" | "head" | "outer" | "none"
  /** Columns of numbers, set flush right. */
  readonly numeric: ReadonlySet<number>
  /** The first column is bold. */
  readonly labels?: boolean
}

export interface Note {
  readonly mark: string
  readonly text: string
}

/** What a paragraph is, where it is no plain one. Some have looks of their own (`Style.looks`). */
export type Role =
  | "author"
  | "address"
  | "date"
  | "lede"
  | "signature"
  | "quote"
  | "subtitle"
  | "label"
  | "organisation"

export interface Paragraph {
  readonly type: "paragraph"
  readonly text: string
  /** Words at the start that are set in bold: a run-in heading, which is no heading of its own. */
  readonly lead?: string
  readonly role?: Role
  readonly align?: "left" | "center" | "right"
  /** Shown as a footnote of this paragraph. */
  readonly note?: Note
}

export type Block =
  | { readonly type: "title"; readonly text: string }
  | { readonly type: "heading"; readonly level: number; readonly text: string }
  | Paragraph
  | List
  | Table
  | { readonly type: "caption"; readonly text: string }
  | { readonly type: "figure"; readonly bars: ReadonlyArray<number>; readonly height: number }
  | { readonly type: "formula"; readonly text: string; readonly tag?: string }
  | { readonly type: "code"; readonly lines: ReadonlyArray<string> }
  /** Label and value on one line each, the label in bold. */
  | { readonly type: "fields"; readonly pairs: ReadonlyArray<readonly [label: string, value: string]> }
  /** Entries of a table of contents, with the page number after leaders. */
  | { readonly type: "contents"; readonly entries: ReadonlyArray<Entry> }
  | { readonly type: "break" }

export interface Entry {
  readonly level: number
  readonly text: string
  readonly page: string
}

/** Lines at the edges of the pages; `{n}` stands for the page number, `{N}` for the number of pages. */
export interface Running {
  readonly header?: string
  readonly footer?: string
  /** Where the number of the page stands alone. */
  readonly number?: {
    readonly place: "top" | "bottom"
    readonly align: "left" | "center" | "right"
    readonly pattern: string
  }
  /** False if the first page has none of them. */
  readonly first: boolean
}

export interface Document {
  readonly template: string
  readonly seed: number
  readonly language: Language
  readonly style: Style
  readonly running: Running
  readonly blocks: ReadonlyArray<Block>
  /** Number of columns of the blocks from `columnsFrom` on. */
  readonly columns: 1 | 2
  readonly columnsFrom: number
}

/** Complete grid of a table: a spanning cell's text stands at its first place, the others are empty. */
export const gridOf = (table: Table): ReadonlyArray<ReadonlyArray<string>> => {
  const grid: Array<Array<string | undefined>> = table.rows.map(() => [])
  table.rows.forEach((row, top) => {
    let left = 0
    for (const { across = 1, down = 1, text } of row) {
      while (grid[top]?.[left] !== undefined) left++
      for (let y = 0; y < down; y++) {
        for (let x = 0; x < across; x++) {
          const line = grid[top + y]
          if (line !== undefined) line[left + x] = x === 0 && y === 0 ? text : ""
        }
      }
      left += across
    }
  })
  return grid.map((row) => Array.from(row, (cell) => cell ?? ""))
}
