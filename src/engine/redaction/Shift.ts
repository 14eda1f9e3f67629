/** Places of a text after replacements in it. */
import type { Edit } from "../Edits.ts"

/** Moves a place of the text before the edits to the text after them; undefined for a place inside of an edit. */
export type Shift = (at: number, side: "start" | "end") => number | undefined

/**
 * The shift of the edits, which are in the order of the text. A place at an edit's border is the start of what follows, or the end of what
 * comes before.
 */
export const shift = (edits: ReadonlyArray<Edit>): Shift => {
  /** Growth of the text up to and with each edit. */
  const growth: Array<number> = []
  let total = 0
  for (const { end, start, text } of edits) {
    total += text.length - (end - start)
    growth.push(total)
  }
  return (at, side) => {
    let low = 0
    let high = edits.length
    while (low < high) {
      const middle = (low + high) >> 1
      const edit = edits[middle]
      if (
        edit !== undefined &&
        (side === "start" ? edit.end <= at : edit.end < at || (edit.end === at && edit.start < at))
      )
        low = middle + 1
      else high = middle
    }
    const next = edits[low]
    return next !== undefined && next.start < at && at < next.end ? undefined : at + (growth[low - 1] ?? 0)
  }
}
