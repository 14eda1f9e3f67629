/** `.yaml` and `.yml`: the text as it is written, with the keys above a value as its headings. */
import { isCollection, isMap, isPair, isScalar, type Node, parseAllDocuments } from "yaml"
import type { FormatReader, Reading } from "./contract.ts"
import { blocksOf, deepest, itemKey, labelOf, type Part, withLineFeeds } from "./keyed.ts"
import { reading as plain } from "./plain.ts"

type Item = Parameters<typeof isPair>[0]

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "range" in value

const spanOf = (value: unknown): readonly [number, number] | null =>
  isNode(value) && value.range ? [value.range[0], value.range[1]] : null

const partOf = (item: Item, index: number, depth: number): ReadonlyArray<Part> => {
  const [key, value] = isPair(item) ? [item.key, item.value] : [undefined, item]
  const [from, to] = [spanOf(key ?? value), spanOf(value) ?? spanOf(key)]
  if (from === null || to === null) return []
  const named = isScalar(key) ? String(key.value) : itemKey(index)
  const parts = depth > deepest ? [] : partsOf(value, depth)
  const label = isPair(item) ? undefined : nameOf(value)
  return [{ key: named, item: !isPair(item), label, start: from[0], end: Math.max(from[1], to[1]), parts }]
}

const nameOf = (value: unknown) => (isMap(value) ? () => labelOf((path) => value.getIn(path)) : undefined)

const partsOf = (value: unknown, depth = 0): ReadonlyArray<Part> => {
  if (!isCollection(value)) return []
  const items: ReadonlyArray<Item> = isMap(value) ? value.items : value.items
  return items.flatMap((item, index) => partOf(item, index, depth + 1))
}

/** UTF-16 code units up to which all keys are found: the parser takes seconds for a megabyte. */
const longest = 250_000

/** Keys at the start of a line, and documents. */
const outerKeys = (text: string): ReadonlyArray<Part> => {
  const found = Array.from(text.matchAll(/^(?:---|(["']?)([^\s#"'-][^"'\n]*?)\1[ \t]*:(?=\s))/gmu))
  return found.flatMap(({ 2: key, index: start }, at) => {
    const end = found[at + 1]?.index ?? text.length
    const inside = { key: "", item: false, start: start + 1, end, parts: [] }
    return key === undefined ? [] : [{ key, item: false, start, end, parts: [inside] }]
  })
}

/** Open brackets up to which the parser is asked: its time grows with the square of their number. */
const mostBrackets = 100

/** True for a text with more open brackets at a place, those in texts and comments counted. */
const isDeep = (text: string): boolean => {
  let open = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/gu)) {
    open = bracket === "[" || bracket === "{" ? open + 1 : Math.max(0, open - 1)
    if (open > mostBrackets) return true
  }
  return false
}

const isComment = (line: string): boolean => line.trimStart().startsWith("#")

const read = (text: string): Reading => {
  if (text.length > longest || isDeep(text)) {
    const blocks = blocksOf(text, outerKeys(withLineFeeds(text)), isComment)
    return { markdown: text, blocks: blocks.length > 0 ? blocks : plain(text, "lines").blocks }
  }
  try {
    const documents = parseAllDocuments(withLineFeeds(text), { logLevel: "silent", strict: false, uniqueKeys: false })
    const all = "empty" in documents ? [] : documents
    const parts = all.flatMap(({ contents, range }, index) => {
      const inside = partsOf(contents)
      if (all.length === 1 || contents?.range === undefined) return inside
      const start = contents?.range?.[0] ?? range[0]
      return [{ key: itemKey(index), item: false, label: nameOf(contents), start, end: range[1], parts: inside }]
    })
    const blocks = blocksOf(text, parts, isComment)
    const problem = all.flatMap(({ errors }) => errors).at(0)
    return {
      markdown: text,
      blocks: blocks.length > 0 ? blocks : plain(text, "lines").blocks,
      warnings:
        problem === undefined
          ? []
          : [`it is no valid YAML: ${problem.message.split("\n", 1)[0]?.replace(/:$/u, "") ?? ""}`]
    }
  } catch (cause) {
    // The parser calls itself for each level.
    if (!(cause instanceof RangeError)) throw cause
    return { ...plain(text, "lines"), warnings: ["it is nested too deeply; its keys are no headings"] }
  }
}

export const yaml: FormatReader = { ofText: read }
