/** Replacements of parts of a text. */

/** A part of a text, and the text for its place. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with the edits made; they are in order and do not overlap. One within the one before is left out. */
export const edited = (source: string, edits: ReadonlyArray<Edit>): string => {
  const parts: Array<string> = []
  let from = 0
  for (const { end, start, text } of edits) {
    if (start < from) continue
    parts.push(source.slice(from, start), text)
    from = end
  }
  return [...parts, source.slice(from)].join("")
}
