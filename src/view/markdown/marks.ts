/** Marks in a text that was made of a stretch of Markdown, without its escapes, entities and fences. */

/** `[start, end)` of the Markdown. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface Part {
  readonly text: string
  readonly match: boolean
}

/**
 * The parts of `value` that are marked and those that are not, in order; together they are `value`. `within` is the place that `value` was
 * made of. Where it does not stand there as it is, a mark is found by its words, and left out where they are not found.
 */
export const split = (
  value: string,
  markdown: string,
  within: Range,
  ranges: ReadonlyArray<Range>
): ReadonlyArray<Part> => {
  const base = markdown.slice(within.start, within.end).indexOf(value)
  const parts: Array<Part> = []
  let end = 0
  const add = (to: number, match: boolean) => {
    if (to > end) parts.push({ text: value.slice(end, to), match })
    end = Math.max(end, to)
  }
  for (const range of ranges) {
    const [from, to] = [Math.max(range.start, within.start), Math.min(range.end, within.end)]
    if (to <= from) continue
    const at = base < 0 ? value.indexOf(markdown.slice(from, to), end) : from - within.start - base
    if ((base < 0 && at < 0) || at + to - from <= 0) continue
    add(Math.min(value.length, Math.max(0, at)), false)
    add(Math.min(value.length, at + to - from), true)
  }
  add(value.length, false)
  return parts
}
