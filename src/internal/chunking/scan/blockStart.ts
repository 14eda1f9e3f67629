/** Recognizes the beginnings of blocks, each in a function of the text and the line's first character that is not white space. */

/** Length of the run of `unit` at `at`. */
const runLength = (text: string, at: number, end: number, unit: number): number => {
  let stop = at
  while (stop < end && text.charCodeAt(stop) === unit) {
    stop++
  }
  return stop - at
}

/** Characters of ASCII that a block or container may start with, or a line that changes what is above it; white space too. */
const starters = new Set("\t\n\v\f\r #*+-:<=>[_`|~0123456789")

const plain = Uint8Array.from({ length: 128 }, (_, unit) => (starters.has(String.fromCharCode(unit)) ? 0 : 1))

/** True when a line that starts with this character, outside of containers, can only be text or a row of a table. */
export const isPlain = (unit: number): boolean => unit >= 128 || plain[unit] === 1

const isBlank = (unit: number): boolean => unit === 32 || unit === 9

/** Depth of the ATX heading that starts here; 0 when none does. */
export const headingDepth = (text: string, at: number, end: number): number => {
  const depth = runLength(text, at, end, 35)
  return depth >= 1 && depth <= 6 && (at + depth === end || isBlank(text.charCodeAt(at + depth))) ? depth : 0
}

/** Length of the fence that opens here; 0 when none does. */
export const fenceLength = (text: string, at: number, end: number): number => {
  const unit = text.charCodeAt(at)
  const length = runLength(text, at, end, unit)
  if (length < 3) {
    return 0
  }
  if (unit === 96) {
    for (let stop = at + length; stop < end; stop++) {
      if (text.charCodeAt(stop) === 96) {
        return 0
      }
    }
  }
  return length
}

/** True when the rest of the line is `length` or more of `unit`, and white space. */
export const closesFence = (text: string, at: number, end: number, unit: number, length: number): boolean => {
  const run = runLength(text, at, end, unit)
  if (run < length) {
    return false
  }
  for (let stop = at + run; stop < end; stop++) {
    if (!isBlank(text.charCodeAt(stop))) {
      return false
    }
  }
  return true
}

/** End of the characters that are the first one or white space. */
export const marksEnd = (text: string, at: number, end: number): number => {
  const unit = text.charCodeAt(at)
  let stop = at
  while (stop < end && (text.charCodeAt(stop) === unit || isBlank(text.charCodeAt(stop)))) {
    stop++
  }
  return stop
}

/** True when a line of one character and white space has three of it. */
export const isThematicBreak = (text: string, at: number, end: number): boolean => {
  const unit = text.charCodeAt(at)
  let count = 0
  for (let stop = at; stop < end && count < 3; stop++) {
    count += text.charCodeAt(stop) === unit ? 1 : 0
  }
  return count === 3
}

/** 1 or 2 for a line of `=` or `-` and trailing white space; 0 for any other. */
export const setextDepth = (text: string, at: number, end: number): number => {
  const unit = text.charCodeAt(at)
  return (unit === 61 || unit === 45) && closesFence(text, at, end, unit, 1) ? (unit === 61 ? 1 : 2) : 0
}

/** Length of the list marker here, without what follows it; 0 when there is none. `first`: only a list that starts at 1. */
export const listMarker = (text: string, at: number, end: number, first: boolean): number => {
  const unit = text.charCodeAt(at)
  let length = 1
  if (unit >= 48 && unit <= 57) {
    let digits = 1
    while (
      digits < 10 &&
      at + digits < end &&
      text.charCodeAt(at + digits) >= 48 &&
      text.charCodeAt(at + digits) <= 57
    ) {
      digits++
    }
    const mark = text.charCodeAt(at + digits)
    if (
      digits > 9 ||
      at + digits >= end ||
      (mark !== 46 && mark !== 41) ||
      (first && Number(text.slice(at, at + digits)) !== 1)
    ) {
      return 0
    }
    length = digits + 1
  } else if (unit !== 42 && unit !== 43 && unit !== 45) {
    return 0
  }
  return at + length === end || isBlank(text.charCodeAt(at + length)) ? length : 0
}

const blockNames =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[123456]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"

const attribute = "(?:[ \\t]+[A-Za-z_:][\\w.:-]*(?:[ \\t]*=[ \\t]*(?:[^\\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)"

const htmlStarts: ReadonlyArray<RegExp> = [
  /<(?:script|pre|textarea|style)(?=[\s>]|$)/iy,
  /<!--/y,
  /<\?/y,
  /<![A-Za-z]/y,
  /<!\[CDATA\[/y,
  new RegExp(`</?(?:${blockNames})(?=[\\s>]|/>|$)`, "iy"),
  new RegExp(`(?:<[A-Za-z][A-Za-z0-9-]*${attribute}*[ \\t]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \\t]*>)[ \\t]*$`, "y")
]

const htmlEnds: ReadonlyArray<RegExp> = [/<\/(?:script|pre|textarea|style)>/i, /-->/, /\?>/, />/, /\]\]>/]

/** Which of CommonMark's seven kinds of HTML block a line opens; 0 when none. */
export const htmlKind = (line: string): number => {
  for (let kind = 0; kind < htmlStarts.length; kind++) {
    const pattern = htmlStarts[kind]
    if (pattern !== undefined) {
      pattern.lastIndex = 0
      if (pattern.test(line)) {
        return kind + 1
      }
    }
  }
  return 0
}

/** True when a line closes an HTML block of kinds 1 to 5. */
export const closesHtml = (line: string, kind: number): boolean => htmlEnds[kind - 1]?.test(line) === true

/** Cells of a table row. */
export const cellCount = (text: string, start: number, end: number): number => {
  let cells = 0
  let open = false
  let any = false
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 124) {
      if (any) {
        cells++
      }
      any = true
      open = false
    } else if (!isBlank(unit)) {
      open = true
      any = true
      if (unit === 92 && at + 1 < end) {
        at++
      }
    }
  }
  return cells + (open ? 1 : 0)
}

/** Behind white space. */
export const blankEnd = (text: string, start: number, end: number): number => {
  let at = start
  while (at < end && isBlank(text.charCodeAt(at))) {
    at++
  }
  return at
}

/** End of `:?-+:?` and the white space after it; -1 when it does not start here. */
const delimiterCellEnd = (text: string, start: number, end: number): number => {
  const dashes = text.charCodeAt(start) === 58 ? start + 1 : start
  const length = runLength(text, dashes, end, 45)
  const stop = dashes + length
  return length === 0 ? -1 : blankEnd(text, stop < end && text.charCodeAt(stop) === 58 ? stop + 1 : stop, end)
}

/** Columns of a table's delimiter row; 0 for any other line. Dashes alone are not a delimiter row. */
export const delimiterCells = (text: string, start: number, end: number): number => {
  if (blankEnd(text, start + runLength(text, start, end, 45), end) === end) {
    return 0
  }
  let at = text.charCodeAt(start) === 124 ? blankEnd(text, start + 1, end) : start
  let cells = 0
  while (at < end) {
    const stop = delimiterCellEnd(text, at, end)
    if (stop < 0 || (stop < end && text.charCodeAt(stop) !== 124)) {
      return 0
    }
    cells++
    at = blankEnd(text, stop + 1, end)
  }
  return cells
}

/** Length of the footnote label with its colon here; 0 when there is none. */
export const footnoteLabel = (text: string, at: number, end: number): number =>
  /^\[\^[^\s\]]{1,999}\]:/.exec(text.slice(at, Math.min(end, at + 1004)))?.[0].length ?? 0
