/** The place of a chunk in its file as text, by the metadata that {@link Places} gives. */
import { parse } from "../../base/cellRange.ts"

/** The members of a chunk that tell its place. */
export interface Placed {
  readonly pages: ReadonlyArray<number>
  readonly headingPath: ReadonlyArray<{ readonly text: string }>
  readonly metadata: Readonly<Record<string, string | number | boolean | ReadonlyArray<string>>>
}

const line = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

const textOf = ({ metadata }: Placed, member: string): string | undefined => {
  const value = metadata[member]
  return typeof value === "string" && value !== "" ? line(value) : undefined
}

const textsOf = ({ metadata }: Placed, member: string): ReadonlyArray<string> => {
  const value = metadata[member]
  return typeof value === "object" ? value.map(line) : []
}

/** `4`, `4–6`; undefined when the first is no number. */
const span = ({ metadata }: Placed, first: string, last: string): string | undefined => {
  const [from, to] = [metadata[first], metadata[last]]
  if (typeof from !== "number") return undefined
  return typeof to !== "number" || to === from ? String(from) : `${from}–${to}`
}

/** `3–4, 7`: runs of numbers joined. */
const runs = (numbers: ReadonlyArray<number>): string => {
  const found: Array<readonly [number, number]> = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last !== undefined && last[1] + 1 === number) found[found.length - 1] = [last[0], number]
    else found.push([number, number])
  }
  return found.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(", ")
}

const sheets = (chunk: Placed): string | undefined => {
  const sheet = textOf(chunk, "sheet")
  const cells = textOf(chunk, "cellRange")
  if (sheet !== undefined) return `sheet ${sheet}${cells === undefined ? "" : `, ${cells}`}`
  const names = textsOf(chunk, "sheets")
  const ranges = textsOf(chunk, "cellRanges")
  const all = names.map((name) => ranges.find((range) => line(parse(range)?.sheet ?? "") === name) ?? name)
  return names.length === 0 ? undefined : `sheets ${all.join(", ")}`
}

const numbered = (noun: string, numbers: string | undefined): string | undefined =>
  numbers === undefined ? undefined : `${noun}${/\D/u.test(numbers) ? "s" : ""} ${numbers}`

const quoted = (text: string | undefined): string | undefined => (text === undefined ? undefined : `“${line(text)}”`)

const chapter = (chunk: Placed): string | undefined => {
  const text = quoted(textOf(chunk, "chapter"))
  return text === undefined ? undefined : `chapter ${text}`
}

/** `sheet Costs, A2:F41`, `slide 4`, `chapter “…”`, `p. 3–4`, `rows 120–164`, `lines 10–42`, `“Heading”`; empty when nothing is known. */
export const place = (chunk: Placed): string =>
  sheets(chunk) ??
  numbered("slide", span(chunk, "slide", "lastSlide")) ??
  chapter(chunk) ??
  numbered("row", span(chunk, "firstRow", "lastRow")) ??
  numbered("line", span(chunk, "firstLine", "lastLine")) ??
  (chunk.pages.length > 0 ? `p. ${runs(chunk.pages)}` : (quoted(chunk.headingPath.at(-1)?.text) ?? ""))
