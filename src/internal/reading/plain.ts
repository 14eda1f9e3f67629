/** `.txt`, `.text` and `.log`: paragraphs between blank lines, and lines. */
import type { TextBlock } from "../../ParsedDocument.ts"
import type { FormatReader, Reading } from "./contract.ts"
import { linesOf, type TextLine } from "./textLines.ts"

/** The groups of lines between blank lines. */
const groups = (text: string): ReadonlyArray<ReadonlyArray<TextLine>> => {
  const found: Array<Array<TextLine>> = []
  let open: Array<TextLine> | null = null
  for (const line of linesOf(text)) {
    if (line.text === "") {
      open = null
      continue
    }
    if (open === null) {
      open = []
      found.push(open)
    }
    open.push(line)
  }
  return found
}

const underlines: Readonly<Record<string, number>> = { "=": 1, "-": 2, "~": 3 }

/**
 * Depth of a heading: one line without indentation, underlined from its first character to its last, alone in its paragraph. Anything
 * less may be the head of a table, a list or a line of code.
 */
const headingDepth = ([title, underline, ...more]: ReadonlyArray<TextLine>): number => {
  if (title === undefined || underline === undefined || more.length > 0) return 0
  const mark = underline.text.charAt(0)
  const whole = underline.text.length >= 3 && underline.text === mark.repeat(underline.text.length)
  const under = title.indent === 0 && underline.indent === 0 && title.text.length === underline.text.length
  return whole && under && /\p{L}/u.test(title.text) && !title.text.includes("  ") ? (underlines[mark] ?? 0) : 0
}

const blockOf = (lines: ReadonlyArray<TextLine>, kind: "paragraph" | "lines"): ReadonlyArray<TextBlock> => {
  const first = lines[0]
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return []
  const span = { start: first.start, end: last.end }
  const depth = kind === "lines" ? 0 : headingDepth(lines)
  return [depth === 0 ? { kind, ...span } : { kind: "heading", depth, title: first.text, ...span }]
}

/** Text without marks as paragraphs, or as lines. */
export const reading = (text: string, kind: "paragraph" | "lines" = "paragraph"): Reading => ({
  markdown: text,
  blocks: groups(text).flatMap((lines) => blockOf(lines, kind))
})

/** Text without marks: nothing in it is read as Markdown. */
export const plain: FormatReader = { ofText: (text) => reading(text) }

/** A log: it is cut between lines. */
export const log: FormatReader = { ofText: (text) => reading(text, "lines") }
