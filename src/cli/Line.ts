/** A line for a terminal: texts, some of them styled. The styles are the ones that can be read on dark and on light backgrounds. */
import * as Colour from "./Colour.ts"
import * as Columns from "./Columns.ts"
import * as Printable from "./Printable.ts"

export interface Span {
  readonly text: string
  readonly style: Colour.Style
}

export type Part = string | Span

export type Line = string | ReadonlyArray<Part>

export const strong = (text: string): Span => ({ text, style: "strong" })

/** Something failed. */
export const bad = (text: string): Span => ({ text, style: "bad" })

/** Something to look at. */
export const notice = (text: string): Span => ({ text, style: "notice" })

export const textOf = (part: Part): string => (typeof part === "string" ? part : part.text)

/** The same style with another text. */
export const withText = (part: Part, text: string): Part =>
  typeof part === "string" ? text : { text, style: part.style }

/** The lines of all blocks, with an empty one between them; blocks without lines are left out. */
export const spaced = (blocks: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<Line> =>
  blocks
    .filter((block) => block.length > 0)
    .reduce<ReadonlyArray<Line>>((all, block) => all.concat(all.length === 0 ? [] : [""], block), [])

/** The line with blanks before it. */
export const indented = (line: Line, blanks: number): Line => [" ".repeat(blanks), ...parts(line)]

const parts = (line: Line): ReadonlyArray<Part> => (typeof line === "string" ? [line] : line)

/** Columns of a line. */
export const width = (line: Line): number => Columns.width(parts(line).map(textOf).join(""))

/** The line as it is written. Control characters of its texts are escaped, so that only its own styles colour anything. */
export const show = (line: Line, colours: boolean): string =>
  parts(line)
    .map((part) => {
      const text = Printable.line(textOf(part))
      return typeof part === "string" || !colours || text === "" ? text : Colour.styled(text, part.style)
    })
    .join("")
