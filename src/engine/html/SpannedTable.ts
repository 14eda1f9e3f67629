/** Writes a table whose cells span rows or share a head as HTML, which Markdown may hold. */
import type { Element, ElementContent, Root } from "hast"
import type { Html, PhrasingContent } from "mdast"
import { type Handlers, toHast } from "mdast-util-to-hast"
import * as HtmlWriter from "./HtmlWriter.ts"
import * as Tree from "./Tree.ts"

/** A cell of the table, at its first row and column. */
export interface SpannedCell {
  readonly content: ReadonlyArray<PhrasingContent>
  readonly header: boolean
  readonly columns: number
  readonly rows: number
}

/** What has no node of Markdown is there as its source: a line break, or a text such as a formula, with the bars of a table's cell escaped. */
const handlers: Handlers = {
  html: (_, { value }: Html): ElementContent =>
    value === "<br>" ? Tree.element("br", {}, []) : { type: "text", value: value.replaceAll(String.raw`\|`, "|") }
}

const cellElement = ({ columns, content, header, rows }: SpannedCell): Element => {
  const written = toHast({ type: "paragraph", children: [...content] }, { handlers })
  const spans = { ...(rows > 1 && { rowSpan: rows }), ...(columns > 1 && { colSpan: columns }) }
  return Tree.element(header ? "th" : "td", spans, written.type === "element" ? written.children : [])
}

const rowLine = (cells: ReadonlyArray<SpannedCell>): string => {
  const root: Root = { type: "root", children: [Tree.element("tr", {}, cells.map(cellElement))] }
  // A blank line would end the block of HTML.
  return HtmlWriter.write(root).replaceAll(/\s*\n\s*/g, " ")
}

/** The rows, top to bottom, a line each; the first `headRows` of them are the head. */
export const write = (rows: ReadonlyArray<ReadonlyArray<SpannedCell>>, headRows: number): Html => {
  const lines = rows.map(rowLine)
  const head = headRows > 0 ? ["<thead>", ...lines.slice(0, headRows), "</thead>"] : []
  const body = ["<tbody>", ...lines.slice(headRows), "</tbody>"]
  return { type: "html", value: ["<table>", ...head, ...(headRows < lines.length ? body : []), "</table>"].join("\n") }
}
