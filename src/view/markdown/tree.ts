/**
 * Markdown as a harmless tree of HTML elements: no script, no handler, no image, links to `http`, `https` and `mailto` only. Raw HTML is
 * read by `rawHtml.ts`, which knows tables; other raw HTML is shown as its source.
 */
import type { Element, ElementContent, Nodes as HastNodes, Parents, Root } from "hast"
import { sanitize, type Schema } from "hast-util-sanitize"
import type { Html, Image, ImageReference, Nodes as MdastNodes } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { type Handlers, toHast } from "mdast-util-to-hast"
import { gfm } from "micromark-extension-gfm"
import { isTable, markOf, parse } from "./rawHtml.ts"
import type { Segment } from "./segments.ts"

const words =
  "p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code em strong del b i u s ins sub sup mark kbd br hr a table thead tbody tfoot tr th td caption " +
  "input span section"

const schema: Schema = {
  tagNames: words.split(" "),
  attributes: {
    a: ["href"],
    td: ["colSpan", "rowSpan", ["align", "left", "right", "center"]],
    th: ["colSpan", "rowSpan", ["align", "left", "right", "center"]],
    ol: ["start"],
    code: [["className", /^language-[\w+-]{1,40}$/]],
    span: [["className", "raw", "image", "marker"]],
    input: [["type", "checkbox"], "checked", "disabled"]
  },
  required: { input: { disabled: true, type: "checkbox" } },
  protocols: { href: ["http", "https", "mailto"] },
  strip: ["script", "style", "svg", "math", "iframe", "object", "embed"],
  allowComments: false,
  allowDoctypes: false
}

const span = (className: string, value: string): Element => ({
  type: "element",
  tagName: "span",
  properties: { className: [className] },
  children: [{ type: "text", value }]
})

/** `<!-- page 3 -->`, as the interface writes it. */
const marker = /^<!--\s*page\s+(\d+)\s*-->$/iu

/** A place that links of the document point to; it shows nothing. */
const anchor = /^(?:<a (?:id|name)="[^"]*">(?:<\/a>)?|<\/a>)$/iu

const handlers: Handlers = {
  html: (state, node: Html) => {
    const source = node.value
    const base = node.position?.start.offset ?? 0
    if (isTable(source))
      return parse(source, base).children.flatMap((child) => (child.type === "doctype" ? [] : [child]))
    const mark = markOf(source)
    if (mark?.tagName === "br") return { type: "element", tagName: "br", properties: {}, children: [] }
    if (anchor.test(source)) return { type: "text", value: "" }
    const page = marker.exec(source.trim())?.[1]
    const shown = page === undefined ? span("raw", source) : span("marker", `page ${page}`)
    state.patch(node, shown)
    return shown
  },
  image: (_, { alt }: Image) => span("image", alt === null || alt === undefined || alt === "" ? "image" : alt),
  imageReference: (_, { alt }: ImageReference) =>
    span("image", alt === null || alt === undefined || alt === "" ? "image" : alt)
}

/** Marks that may be open at a time; deeper ones are shown as their source. */
const deepest = 20

/** Joins `<sub>` and `</sub>`, which Markdown has as two pieces of raw HTML, into one element. */
const paired = (children: ReadonlyArray<MdastNodes>): ReadonlyArray<MdastNodes> => {
  const output: Array<MdastNodes> = []
  const open: Array<{ readonly tagName: string; readonly at: number }> = []
  for (const child of children) {
    const mark = child.type === "html" ? markOf(child.value) : undefined
    if (mark?.closes === true) {
      const depth = open.findLastIndex(({ tagName }) => tagName === mark.tagName)
      const opened = open[depth]
      if (opened !== undefined) {
        open.length = depth
        const held = output.splice(opened.at).slice(1).filter(isPhrasing)
        output.push({ type: "emphasis", children: held, data: { hName: mark.tagName } })
        continue
      }
    } else if (mark !== undefined && mark.tagName !== "br" && open.length < deepest) {
      open.push({ tagName: mark.tagName, at: output.length })
    }
    output.push(child)
  }
  return output
}

type Phrasing = Extract<MdastNodes, { type: "emphasis" }>["children"][number]

const isPhrasing = (node: MdastNodes): node is Phrasing => node.type !== "root"

const pairMarks = (node: MdastNodes): void => {
  if (!("children" in node)) return
  for (const child of node.children) pairMarks(child)
  if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
    node.children = paired(node.children).filter(isPhrasing)
  }
}

/** Adds `by` to every offset; what lies outside `[0, length)` of the segment's own text has no position. */
const shift = (node: HastNodes, by: number, from: number, to: number): void => {
  const start = node.position?.start.offset
  const end = node.position?.end.offset
  if (start !== undefined && end !== undefined) {
    if (end + by <= from || start + by >= to) delete node.position
    else {
      const place = (offset: number) => ({ line: 1, column: 1, offset: Math.min(to, Math.max(from, offset + by)) })
      node.position = { start: place(start), end: place(end) }
    }
  }
  if ("children" in node) for (const child of node.children) shift(child, by, from, to)
}

/** Elements of a segment, with positions in the whole Markdown. */
export const tree = (markdown: string, { end, prefix, start, suffix }: Segment): Root => {
  const source = prefix + markdown.slice(start, end) + suffix
  const parsed = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  pairMarks(parsed)
  const clean = sanitize(toHast(parsed, { handlers, clobberPrefix: "" }), schema)
  shift(clean, start - prefix.length, start, end)
  return clean.type === "root" ? clean : { type: "root", children: clean.type === "doctype" ? [] : [clean] }
}

export type { Element, ElementContent, Parents }
