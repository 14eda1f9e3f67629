/** Blocks of a page before the headings of the document are determined. */
import type * as Box from "./Box.ts"
import type { Tag } from "./lines/StructureTags.ts"
import type { Run, TextLine } from "./TextLine.ts"

/** Marker of a list item in Markdown: `-`, or a number with its full stop or parenthesis. */
export interface ListMarker {
  readonly ordered: boolean
  readonly text: string
}

/** A paragraph, a list item, or a line that may become a heading. */
export interface TextDraft {
  readonly kind: "text"
  readonly box: Box.Box
  /** Runs without the list marker. */
  readonly runs: ReadonlyArray<Run>
  /** Concatenated texts of the runs. */
  readonly text: string
  /** Left edge of the text after the marker. */
  readonly indent: number
  readonly marker: ListMarker | undefined
  /** Its lines in the PDF, top to bottom. */
  readonly lines: ReadonlyArray<TextLine>
  /** Mean font height in points. */
  readonly size: number
  readonly bold: boolean
  /** Share of characters in a font for formulas, 0 to 1. */
  readonly math: number
  /** Left and right edge of its column. */
  readonly column: readonly [number, number]
  /** True if the engine considers it a heading. */
  readonly candidate: boolean
  /** True if it may go on in the next column: its last line is full and does not end a sentence. */
  readonly open: boolean
  /** True if it continues the sentence of the text before it, from the column before. */
  readonly continues: boolean
  /** True if its text has the direction of the page. */
  readonly upright: boolean
  /** Its element in the structure tree. */
  readonly tagged: Tag | undefined
}

/** Left and right edge in points. */
export type Column = readonly [number, number]

/** The cells of a table with their looks. */
export interface Cells {
  /** Cells as Markdown, not yet escaped for a table. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** For each row, true if all of its text is bold; empty where that is not known. */
  readonly bold: ReadonlyArray<boolean>
  /** Columns of text, before those of numbers are divided; empty where they are not known. */
  readonly columns: ReadonlyArray<Column>
}

export interface TableDraft extends Cells {
  readonly kind: "table"
  readonly box: Box.Box
  /** Usual font height in points. */
  readonly size: number
  /** True if its rows follow those of the table at the end of the page before, whose head they have. */
  readonly continues: boolean
}

/** Lines in a font of one width, with their layout kept. */
export interface CodeDraft {
  readonly kind: "code"
  readonly box: Box.Box
  readonly lines: ReadonlyArray<string>
}

/** Blocks that are left out of the Markdown. */
export interface SilentDraft {
  readonly kind: "figure" | "page_header" | "page_footer" | "page_number"
  readonly box: Box.Box
  /** Runs of a running line; none for a figure. */
  readonly runs: ReadonlyArray<Run>
}

export type Draft = TextDraft | TableDraft | CodeDraft | SilentDraft
