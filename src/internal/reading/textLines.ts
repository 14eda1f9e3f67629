/** A line of a text, `[start, end)` without its line end, in UTF-16 code units. */
export interface TextLine {
  readonly start: number
  /** End of the last character that is not white space; `start` of a blank line. */
  readonly end: number
  /** Columns before the first character that is not white space; a tab reaches to the next multiple of 8. 0 for a blank line. */
  readonly indent: number
  /** The line without white space around it. */
  readonly text: string
}

const tab = 9
const space = 32
const lineFeed = 10
const carriageReturn = 13

const indentOf = (text: string, start: number, end: number): number => {
  let columns = 0
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit === tab) columns += 8 - (columns % 8)
    else if (unit === space) columns += 1
    else return columns
  }
  return 0
}

/** The lines of a text; LF, CRLF and CR end one. */
export const linesOf = (text: string): ReadonlyArray<TextLine> => {
  const lines: Array<TextLine> = []
  let start = 0
  const push = (stop: number): void => {
    const slice = text.slice(start, stop)
    const kept = slice.trimEnd()
    lines.push({
      start,
      end: start + kept.length,
      indent: indentOf(text, start, start + kept.length),
      text: kept.trimStart()
    })
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== lineFeed && unit !== carriageReturn) continue
    push(at)
    if (unit === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at++
    start = at + 1
  }
  if (start < text.length) push(text.length)
  return lines
}
