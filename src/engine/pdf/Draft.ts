/**
 * What a page consists of before the whole document has decided what is a heading.
 *
 * @since 0.1.0
 */
import type * as Box from "./Box.ts"
import type { Run } from "./TextLine.ts"

/**
 * The mark at the start of a list item, as Markdown writes it: `-`, or a number with its full stop or parenthesis.
 *
 * @since 0.1.0
 * @category models
 */
export interface ListMarker {
  readonly ordered: boolean
  readonly text: string
}

/**
 * A paragraph, a list item, a line that may become a heading.
 *
 * @since 0.1.0
 * @category models
 */
export interface TextDraft {
  readonly kind: "text"
  readonly box: Box.Box
  /** Without the list marker. */
  readonly runs: ReadonlyArray<Run>
  /** The texts of the runs. */
  readonly text: string
  /** Left edge of the text behind the marker. */
  readonly indent: number
  readonly marker: ListMarker | undefined
  /** How many lines it was set in. */
  readonly lines: number
  /** Mean font height in points. */
  readonly size: number
  readonly bold: boolean
  /** Share of characters in a font for formulas, 0 to 1. */
  readonly math: number
  /** Left and right edge of the column it stands in. */
  readonly column: readonly [number, number]
  /** The engine takes it for a heading. */
  readonly candidate: boolean
  /** It runs as the page does. */
  readonly upright: boolean
  /** Level of its heading element in the structure tree. */
  readonly tagged: number | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface TableDraft {
  readonly kind: "table"
  readonly box: Box.Box
  /** Cells as Markdown, not yet escaped for a table. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/**
 * Lines of one width, kept as they stand.
 *
 * @since 0.1.0
 * @category models
 */
export interface CodeDraft {
  readonly kind: "code"
  readonly box: Box.Box
  readonly lines: ReadonlyArray<string>
}

/**
 * Blocks that are not in the Markdown.
 *
 * @since 0.1.0
 * @category models
 */
export interface SilentDraft {
  readonly kind: "figure" | "page_header" | "page_footer" | "page_number"
  readonly box: Box.Box
}

/**
 * @since 0.1.0
 * @category models
 */
export type Draft = TextDraft | TableDraft | CodeDraft | SilentDraft
