/** Places of a text after replacements in it. */
import type { Edit } from "../Edits.ts"
import * as Bisection from "./Bisection.ts"

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
    const before = Bisection.leading(edits.length, (index) => {
      const { end, start } = edits[index] ?? { start: at, end: at }
      return end < at || (end === at && (side === "start" || start < at))
    })
    const next = edits[before]
    return next !== undefined && next.start < at && at < next.end ? undefined : at + (growth[before - 1] ?? 0)
  }
}
