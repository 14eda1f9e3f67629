/** Documents that grow, each of a kind whose parse once grew faster than they do. */
import * as PageParser from "../../src/engine/html/PageParser.ts"
import type { OfficeExtension } from "../../src/engine/jobs.ts"
import * as OfficeParser from "../../src/engine/office/OfficeParser.ts"
import * as documents from "./documents.ts"
import { parseBytes } from "./pdf/parse.ts"
import { lines, write } from "./pdf/writePdf.ts"

export interface GrowthCase {
  readonly name: string
  /** Unit of the size. */
  readonly unit: "pages" | "bytes" | "cells"
  /** The smallest of the four sizes of the bench; each of the others is twice the one before. */
  readonly size: number
  readonly document: (size: number) => Uint8Array
  /** The Markdown. */
  readonly parse: (bytes: Uint8Array) => Promise<string>
}

const page = async (bytes: Uint8Array): Promise<string> => {
  const { markdown } = await PageParser.parse({
    kind: "html",
    bytes,
    extension: "html",
    ...documents.treeOptions,
    members: ["markdown"]
  })
  return markdown ?? ""
}

const pdf = async (bytes: Uint8Array): Promise<string> => {
  const result = await parseBytes(bytes)
  return result.kind === "success" ? result.markdown : result.error
}

const office =
  (extension: OfficeExtension) =>
  async (bytes: Uint8Array): Promise<string> =>
    (await OfficeParser.parse({ kind: "office", bytes, extension, ...documents.treeOptions })).markdown

const html = (name: string, unit: string, around: readonly [string, string] = ["", ""]): GrowthCase => ({
  name: `html ${name}`,
  unit: "bytes",
  size: 250_000,
  document: (size) => Buffer.from(around[0] + unit.repeat(Math.ceil(size / unit.length)) + around[1]),
  parse: page
})

const pages = (perPage: number, size: number): GrowthCase => ({
  name: `pdf pages of ${perPage} lines`,
  unit: "pages",
  size,
  document: (count) =>
    write({
      pages: Array.from({ length: count }, (_, at) => ({
        marks: lines(
          72,
          72,
          Array.from({ length: perPage }, (_line, line) => `Page ${at} has a line ${line} of text`)
        )
      }))
    }),
  parse: pdf
})

const value = (place: string): string => `<c r="${place}"><v>1</v></c>`

const apart = (count: number): Uint8Array => {
  const step = Math.floor(1_048_576 / count)
  const places = Array.from({ length: count }, (_, at) => `${at % 2 === 0 ? "A" : "XFD"}${at * step + 1}`)
  return documents.xlsx(places.map((place) => `<row>${value(place)}</row>`).join(""))
}

const filled = (count: number): Uint8Array =>
  documents.xlsx(
    Array.from({ length: count / 8 }, (_, row) => {
      const cells = Array.from("ABCDEFGH", (column) => value(`${column}${row + 1}`))
      return `<row r="${row + 1}">${cells.join("")}</row>`
    }).join("")
  )

const equation =
  '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p>'

const textBox =
  "<text:p>x<draw:frame><draw:text-box><text:p>y</text:p></draw:text-box></draw:frame><office:annotation><text:p>z</text:p></office:annotation></text:p>"

const rich =
  "\\pard\\plain\\s1 One\\par\\pard\\plain a{\\deleted b}{\\*\\annotation c}{\\shp{\\*\\shpinst{\\shptxt d\\par}}} e\\par "

export const cases: ReadonlyArray<GrowthCase> = [
  pages(1, 500),
  pages(30, 125),
  html("paragraphs", "<p>x"),
  html("bold letters", "<b>x</b> "),
  html("line breaks", "x<br>"),
  html("list items", "<li>a<b>b</b>"),
  html("nested lists", "<ul><li>x</ul>"),
  html("rows", "<tr><td>a<td>b<td>c", ["<table>", "</table>"]),
  html("links", '<a href="/x">y</a> '),
  html("attributes", '<p class="a b" id=x data-y=1 style="color:red">t</p>'),
  html("formulas between delimiters", String.raw`<p>\(x_1\) and \[y\] $$`),
  html("formulas of MathML", "<math><msup><mi>x</mi><mn>2</mn></msup></math> "),
  html("lists of links between paragraphs", `<div><a href=/x>link</a></div><p>${"running text ".repeat(8)}</p>`, [
    "<h1>Title</h1>",
    ""
  ]),
  html("asides in asides", "<aside><p>some text</p>", ["<main>", ""]),
  html("tables in tables", "<table><tr><td>1<td>x"),
  html("lines of code", '<span class="line"><span>x</span></span>\n', ["<pre><code>", ""]),
  html("empty elements", "<a></a><code></code> "),
  {
    name: "html ragged table",
    unit: "bytes",
    size: 50_000,
    document: (size) => {
      const half = Math.ceil(size / 2)
      return Buffer.from(
        `<table><tr>${"<th>a".repeat(Math.ceil(half / 5))}</tr>${"<tr><td>b".repeat(Math.ceil(half / 9))}</table>`
      )
    },
    parse: page
  },
  { name: "xlsx cells far apart", unit: "cells", size: 2000, document: apart, parse: office("xlsx") },
  { name: "xlsx full", unit: "cells", size: 40_000, document: filled, parse: office("xlsx") },
  {
    name: "docx equations",
    unit: "bytes",
    size: 100_000,
    document: (size) => documents.docx(equation.repeat(Math.ceil(size / equation.length))),
    parse: office("docx")
  },
  {
    name: "odt text boxes",
    unit: "bytes",
    size: 100_000,
    document: (size) => documents.odt(textBox.repeat(Math.ceil(size / textBox.length))),
    parse: office("odt")
  },
  {
    name: "rtf headings, comments and boxes",
    unit: "bytes",
    size: 100_000,
    document: (size) =>
      Buffer.from(`{\\rtf1{\\stylesheet{\\s1 heading 1;}}${rich.repeat(Math.ceil(size / rich.length))}}`),
    parse: office("rtf")
  },
  {
    name: "csv",
    unit: "bytes",
    size: 250_000,
    document: (size) => Buffer.from("name,value,more\n".repeat(Math.ceil(size / 16))),
    parse: office("csv")
  }
]
