/**
 * The raw HTML that parsers write into Markdown: tables with spans, line breaks, and a few plain marks of text. Everything else is shown as
 * its source. No attribute but `colspan` and `rowspan` is read.
 */
import type { Element, ElementContent, Root } from "hast"

const structure: ReadonlySet<string> = new Set(["table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption"])

const marks: ReadonlySet<string> = new Set([
  "b",
  "strong",
  "i",
  "em",
  "u",
  "s",
  "del",
  "ins",
  "sub",
  "sup",
  "mark",
  "code",
  "kbd"
])

/** Blocks within a cell, of which only the text and a break are kept. */
const blocks: ReadonlySet<string> = new Set(["p", "div", "span", "ul", "ol", "li"])

const token = /<(\/?)([a-z][a-z0-9]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>|<!--[^]*?-->/giu

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" }

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/giu, (whole, decimal, hexadecimal, name) => {
    if (typeof name === "string") return entities[name] ?? whole
    const codePoint = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hexadecimal), 16)
    return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "\ufffd"
  })

/** A span of 1 to 1000 columns or rows. */
const spanOf = (attributes: string, name: string): number | undefined => {
  const digits = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']?(\\d{1,4})`, "iu").exec(attributes)?.[1]
  const span = Number(digits)
  return digits !== undefined && span > 1 && span <= 1000 ? span : undefined
}

const element = (tagName: string, attributes: string): Element => {
  const cell = tagName === "td" || tagName === "th"
  const colSpan = cell ? spanOf(attributes, "colspan") : undefined
  const rowSpan = cell ? spanOf(attributes, "rowspan") : undefined
  return {
    type: "element",
    tagName,
    properties: { ...(colSpan !== undefined && { colSpan }), ...(rowSpan !== undefined && { rowSpan }) },
    children: []
  }
}

/** True for HTML that {@link parse} reads. */
export const isTable = (source: string): boolean => /^\s*<table[\s>]/iu.test(source)

/** Reads tables; a tag that is not known is text. Positions of rows are offsets in `source`, plus `base`. */
export const parse = (source: string, base: number): Root => {
  const root: Root = { type: "root", children: [] }
  const open: Array<Element> = []
  const placed = (from: number, to: number) => ({
    start: { line: 1, column: 1, offset: base + from },
    end: { line: 1, column: 1, offset: base + to }
  })
  const children = (): Array<ElementContent> | Root["children"] => open.at(-1)?.children ?? root.children
  const write = (from: number, to: number) => {
    const value = decoded(source.slice(from, to))
    // White space between the parts of a table is no content of it.
    const parent = open.at(-1)?.tagName ?? ""
    const part = structure.has(parent) && parent !== "td" && parent !== "th" && parent !== "caption"
    if (value !== "" && !(part && value.trim() === ""))
      children().push({ type: "text", value, position: placed(from, to) })
  }
  const close = (tagName: string, end: number) => {
    const at = open.findLastIndex((element) => element.tagName === tagName)
    // A cell of a nested table is not closed by the outer one's tags.
    if (at < 0) return
    for (const element of open.splice(at)) {
      const start = element.position?.start
      if (start !== undefined) element.position = { start, end: { line: 1, column: 1, offset: base + end } }
    }
  }
  let last = 0
  for (const match of source.matchAll(token)) {
    const [whole, slash, name = "", attributes = ""] = match
    const end = match.index + whole.length
    write(last, match.index)
    last = end
    const tagName = name.toLowerCase()
    if (tagName === "") continue
    if (tagName === "br") {
      children().push({ type: "element", tagName: "br", properties: {}, children: [] })
    } else if (structure.has(tagName) || marks.has(tagName)) {
      if (slash === "/") {
        close(tagName, end)
        continue
      }
      if (tagName === "td" || tagName === "th") {
        close("td", match.index)
        close("th", match.index)
      }
      if (tagName === "tr") close("tr", match.index)
      const opened = element(tagName, attributes)
      opened.position = placed(match.index, source.length)
      children().push(opened)
      open.push(opened)
    } else if (blocks.has(tagName)) {
      if (slash === "/") children().push({ type: "element", tagName: "br", properties: {}, children: [] })
    } else {
      write(match.index, end)
    }
  }
  write(last, source.length)
  return root
}

/** A tag on its own, such as `<sub>` in the midst of a paragraph; undefined for any other source. */
export const markOf = (source: string): { readonly tagName: string; readonly closes: boolean } | undefined => {
  const match = /^<(\/?)([a-z]+)\s*\/?>$/iu.exec(source.trim())
  const tagName = match?.[2]?.toLowerCase()
  return tagName !== undefined && (marks.has(tagName) || tagName === "br")
    ? { tagName, closes: match?.[1] === "/" }
    : undefined
}
