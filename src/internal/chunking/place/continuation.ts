/** Tables that continue after a page marker, where their rows stand without their head. */
import { headOf } from "../pack/frames.ts"
import { type Leaf, trimEnd } from "../scan/Leaf.ts"

const backslash = 92
const bar = 124

/** Unescaped bars of a line that begins and ends with one; 0 for any other line. */
const bars = (text: string, start: number, end: number): number => {
  let from = start
  while (from < end && (text.charCodeAt(from) === 32 || text.charCodeAt(from) === 9)) from++
  const to = trimEnd(text, from, end)
  if (to - from < 2 || text.charCodeAt(from) !== bar || text.charCodeAt(to - 1) !== bar) return 0
  let count = 0
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (unit === backslash) at++
    else if (unit === bar) count++
  }
  return count
}

/** True when every line of `[start, end)` has `count` bars. */
const allRows = (text: string, start: number, end: number, count: number): boolean => {
  for (let at = start; at < end;) {
    const newline = text.indexOf("\n", at)
    const stop = newline < 0 || newline > end ? end : newline
    if (bars(text, at, stop) !== count) return false
    at = stop + 1
  }
  return true
}

/**
 * The leaves after a page marker or dropped page furniture: the first one continues the table that is the last leaf before,
 * if it is rows of as many cells and has no head.
 */
export const continued = (text: string, leaves: ReadonlyArray<Leaf>, last: Leaf | undefined): ReadonlyArray<Leaf> => {
  const first = leaves[0]
  if (first?.kind !== "paragraph" || first.level > 0 || last?.kind !== "table" || last.level > 0) return leaves
  const head = headOf(text, last)
  const delimiter = text.lastIndexOf("\n", trimEnd(text, head[0], head[1]) - 1) + 1
  const count = bars(text, delimiter, head[1])
  return count > 0 && allRows(text, first.start, first.end, count)
    ? [{ ...first, kind: "table", head }, ...leaves.slice(1)]
    : leaves
}
