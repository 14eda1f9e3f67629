/** Containers that start on a line: each is read with the marks and the white space that belong to it. */
import * as BlockStart from "./blockStart.ts"
import { type Container, trimEnd } from "./Leaf.ts"
import type { Line } from "./Line.ts"

/** Reads `>` and one column of white space. */
export const takeQuoteMark = (line: Line): void => {
  line.take(1)
  if (line.indent > 0) {
    line.skip(1)
  }
}

const footnote = (line: Line): Container | undefined => {
  const length = BlockStart.footnoteLabel(line.text, line.next, line.end)
  line.take(length)
  return length === 0 ? undefined : { kind: "footnoteDefinition", indent: 4, empty: true }
}

const item = (line: Line, inParagraph: boolean): Container | undefined => {
  const { text, next, end } = line
  const marker = BlockStart.listMarker(text, next, end, inParagraph)
  if (marker === 0 || (inParagraph && trimEnd(text, next + marker, end) === next + marker)) {
    return undefined
  }
  const offset = line.indent
  line.take(marker)
  const columns = line.blank || line.indent > 4 ? 1 : line.indent
  line.skip(columns)
  return { kind: "list", indent: offset + marker + columns, empty: true }
}

/** The container that starts here, after less than four columns of white space; the line is then read up to its content. */
export const open = (line: Line, inParagraph: boolean): Container | undefined => {
  if (line.first === 62) {
    takeQuoteMark(line)
    return { kind: "blockquote", indent: 0, empty: true }
  }
  return line.first === 91 ? footnote(line) : item(line, inParagraph)
}
