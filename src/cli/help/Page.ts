/** A help page, and its layout for the width of a terminal. Loads nothing of the library, so that a page is shown at once. */
import * as Columns from "../Columns.ts"
import * as Line from "../Line.ts"

export type Block =
  /** A paragraph. */
  | { readonly kind: "text"; readonly text: string }
  /** Titled terms, each with its meaning. */
  | { readonly kind: "terms"; readonly title: string; readonly terms: ReadonlyArray<Term> }
  /** Command lines to type: too long for a line, they go on after a backslash. */
  | { readonly kind: "commands"; readonly title: string; readonly commands: ReadonlyArray<string> }

export type Term = readonly [term: string, meaning: string]

export interface Page {
  /** Words after the program's name that ask for the page. */
  readonly words: ReadonlyArray<string>
  readonly blocks: ReadonlyArray<Block>
}

/** Most columns: longer lines are hard to read. */
const widest = 100

/** Least columns of a meaning next to its term; below that it goes under the term. */
const narrowest = 34

const indent = "  "

const commandLines = (command: string, columns: number): ReadonlyArray<string> =>
  Columns.command(command, columns - indent.length).map((line) => `${indent}${line}`)

const termLines = (terms: ReadonlyArray<Term>, columns: number): ReadonlyArray<Line.Line> => {
  const longest = Math.max(...terms.map(([term]) => Columns.width(term)).filter((width) => width <= 26), 0)
  const room = columns - longest - 4
  return terms.flatMap(([term, meaning]) => {
    const wide = Columns.width(term)
    if (room < narrowest) {
      const under = Columns.wrap(meaning, columns - 6).map((line) => `      ${line}`)
      return [...Columns.wrap(term, columns - 2, 4).map((line) => [indent, Line.strong(line)]), ...under]
    }
    const beside = Columns.wrap(meaning, room)
    const pad = " ".repeat(longest + 4)
    const [first = "", ...rest] = wide > longest ? ["", ...beside] : beside
    return [
      [indent, Line.strong(term), ...(first === "" ? [] : [`${" ".repeat(longest - wide + 2)}${first}`])],
      ...rest.map((line) => `${pad}${line}`)
    ]
  })
}

const linesOf = (block: Block, columns: number): ReadonlyArray<Line.Line> => {
  switch (block.kind) {
    case "text":
      return Columns.wrap(block.text, columns)
    case "terms":
      return [[Line.strong(block.title)], ...termLines(block.terms, columns)]
    default:
      return [[Line.strong(block.title)], ...block.commands.flatMap((command) => commandLines(command, columns))]
  }
}

/** The page's lines, with an empty one between blocks. `columns` of the terminal; 80 where the output is none. */
export const lines = ({ blocks }: Page, columns: number = 80): ReadonlyArray<Line.Line> =>
  blocks.flatMap((block, at) => [...(at === 0 ? [] : [""]), ...linesOf(block, Math.min(columns, widest))])
