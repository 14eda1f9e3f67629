/** Lines of fences and tables, and what is put around a part of them. */
import type { HtmlTable } from "../scan/htmlTable.ts"
import { type Leaf, trimEnd } from "../scan/Leaf.ts"
import type { TokenMap } from "../tokens/TokenMap.ts"
import type { Frame } from "./Unit.ts"

/** Part of the budget that a repeated table head or a re-opened fence may take. */
const share = 0.5

/** A head of more characters a token than this is not even counted. */
const longestToken = 8

const lineEnd = (text: string, at: number): number => {
  const newline = text.indexOf("\n", at)
  return newline < 0 ? text.length : newline + 1
}

/** Lines of a table's head: two in Markdown. */
const headLines = (starts: ReadonlyArray<number>, leaf: Leaf): number => {
  let count = 0
  while ((starts[count] ?? leaf.textEnd) < leaf.textEnd) count++
  return count
}

/**
 * Starts of the lines that may start a part: never a blank line, a table's delimiter row or first row, a fence's first or
 * last line.
 */
export const lineStarts = (text: string, leaf: Leaf): ReadonlyArray<number> => {
  const starts: Array<number> = []
  for (let at = leaf.start; at < leaf.end;) {
    const stop = Math.min(leaf.end, lineEnd(text, at))
    if (trimEnd(text, at, stop) > at) {
      starts.push(at)
    }
    at = stop
  }
  const last = text.slice(starts[starts.length - 1], leaf.end)
  const closed = leaf.closing !== "" && last.trim().startsWith(leaf.closing.trim())
  const own = leaf.head === undefined ? (leaf.kind === "table" ? headLines(starts, leaf) + 1 : 2) : 1
  return [leaf.start, ...starts.slice(own, closed ? -1 : undefined)]
}

const framed = (
  map: TokenMap,
  maxTokens: number,
  leaf: Leaf,
  { closing, last, opening }: Pick<Frame, "opening" | "closing" | "last">
): Frame => {
  const long = opening.length > maxTokens * longestToken
  const openingTokens = long ? maxTokens : map.count(opening)
  const closingTokens = closing === "" ? 0 : map.count(closing) + 1
  const bare = openingTokens + closingTokens > maxTokens * share
  return {
    opening: bare ? "" : opening,
    openingTokens: bare ? 0 : openingTokens,
    closing: bare ? "" : closing,
    closingTokens: bare ? 0 : closingTokens,
    first: leaf.head === undefined ? leaf.start : -1,
    last: leaf.goesOn === true ? Number.MAX_SAFE_INTEGER : last,
    bare
  }
}

/** Head and delimiter row of a Markdown table, or the first line of a fence: `[start, end)`. */
export const headOf = (text: string, leaf: Leaf): readonly [number, number] =>
  leaf.head ?? [leaf.start, leaf.kind === "table" ? leaf.textEnd : trimEnd(text, leaf.start, lineEnd(text, leaf.start))]

/** The frame of a fence or Markdown table: its first line, or its head and delimiter row. */
export const lineFrame = (map: TokenMap, maxTokens: number, leaf: Leaf, starts: ReadonlyArray<number>): Frame => {
  const { text } = map
  const [start, end] = headOf(text, leaf)
  const last = starts[starts.length - 1] ?? leaf.start
  const opening = end > start ? `${text.slice(start, end)}\n` : ""
  return framed(map, maxTokens, leaf, { opening, closing: leaf.closing, last })
}

/** The frame of an HTML table. */
export const htmlFrame = (map: TokenMap, maxTokens: number, leaf: Leaf, table: HtmlTable): Frame => {
  const { text } = map
  const head = trimEnd(text, leaf.start, table.headEnd)
  const opening = `${text.slice(leaf.start, head)}\n`
  return framed(map, maxTokens, leaf, { opening, closing: "</table>", last: Number.MAX_SAFE_INTEGER })
}
