/** A leaf block of the Markdown: the smallest part that a chunk does not cut without need. */
export interface Leaf {
  readonly kind: "heading" | "paragraph" | "code" | "lines" | "table" | "html" | "thematicBreak" | "empty"
  /** Start of its first line, in UTF-16 code units. */
  start: number
  /** End of its last character that is not white space. */
  end: number
  /** From 1 for a heading, to 6 in Markdown; 0 for anything else. */
  depth: number
  /** Heading text, from and to. Of a table, `textEnd` is the end of its head. */
  textStart: number
  textEnd: number
  /** Heading text, where it is not the Markdown between `textStart` and `textEnd`. */
  title?: string
  /** The outermost container it stands in. */
  readonly container: "none" | "list" | "blockquote" | "footnoteDefinition"
  /** Containers around it, 0 at the top level. */
  readonly level: number
  /** Closing line of a fence, container prefix included; empty for any other leaf. */
  closing: string
  /** Head of the table or first line of the fence that it continues, `[start, end)`; absent when it has its own. */
  readonly head?: readonly [number, number] | undefined
  /** The table or fence continues in another leaf, on the next page. */
  readonly goesOn?: boolean | undefined
  /** Headings over the leaf that do not stand in the text, outermost first. */
  readonly opens?: ReadonlyArray<Opened> | undefined
}

/** A heading that does not stand in the text; depth 0 leaves all headings before. */
export interface Opened {
  readonly depth: number
  readonly text: string
}

/** True when a section begins with the leaf. */
export const opensSection = (leaf: Leaf): boolean =>
  (leaf.kind === "heading" && leaf.level === 0) || leaf.opens !== undefined

/** A block quote, list item or footnote around what follows. */
export interface Container {
  readonly kind: "blockquote" | "list" | "footnoteDefinition"
  /** Columns that a line must be indented by to stay in it; 0 for a block quote. */
  readonly indent: number
  /** Nothing stands in it yet. */
  empty: boolean
}

/** White space that every definition agrees on: JavaScript's `\s` without U+FEFF, which Unicode does not count. */
export const isWhite = (unit: number): boolean =>
  unit === 32 ||
  (unit >= 9 && unit <= 13) ||
  (unit >= 0xa0 &&
    (unit === 0xa0 ||
      unit === 0x1680 ||
      (unit >= 0x2000 && unit <= 0x200a) ||
      unit === 0x2028 ||
      unit === 0x2029 ||
      unit === 0x202f ||
      unit === 0x205f ||
      unit === 0x3000))

/** End of `[start, end)` without trailing white space. */
export const trimEnd = (text: string, start: number, end: number): number => {
  let at = end
  while (at > start && isWhite(text.charCodeAt(at - 1))) {
    at--
  }
  return at
}

/** Start of `[start, end)` without leading white space. */
export const trimStart = (text: string, start: number, end: number): number => {
  let at = start
  while (at < end && isWhite(text.charCodeAt(at))) {
    at++
  }
  return at
}

/** Notes where the text of a heading is: `[start, end)` without white space around it. */
export const setText = (text: string, leaf: Leaf, start: number, end: number): void => {
  leaf.textEnd = trimEnd(text, start, end)
  leaf.textStart = trimStart(text, start, leaf.textEnd)
}
