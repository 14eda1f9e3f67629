import { assert, describe, it } from "@effect/vitest"
import type { Item, PageItems } from "../../../src/engine/pdf/PageItem.ts"
import * as PageTable from "../../../src/engine/pdf/PageTable.ts"
import { parse } from "./parse.ts"
import { ruledTable, text } from "./writePdf.ts"

const item = (text: string, x: number, y: number): Item => ({
  text,
  box: { x0: x, y0: y, x1: x + text.length * 5, y1: y + 10 },
  size: 10,
  font: "Helvetica",
  color: "ff000000",
  bold: false,
  italic: false,
  math: false,
  mono: false,
  mcid: undefined,
  words: undefined
})

const left = [72, 200, 320]

/** A page with rows 38 points apart, too far for a table by alignment, that a proposed table has in these rows. */
const pageOf = (
  lines: ReadonlyArray<ReadonlyArray<string>>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): PageItems => ({
  pageNumber: 1,
  width: 612,
  height: 792,
  turn: 0,
  items: lines.flatMap((line, down) =>
    line.flatMap((text, across) => (text === "" ? [] : [item(text, left[across] ?? 0, 100 + down * 38)]))
  ),
  sideways: [],
  tables: [{ box: { x0: 70, y0: 95, x1: 500, y1: 120 + lines.length * 38 }, rows }],
  figures: [],
  headings: [],
  tagged: new Map(),
  rules: [],
  unreadable: false
})

const rowsOf = (page: PageItems) => PageTable.find(page, page.items, 10).map(({ rows }) => rows)

describe("PageTable", () => {
  const lines = [
    ["Age", "Share", "Total"],
    ["Under 1", "0.0156", "3,533"],
    ["1 to 5", "", "6,493"],
    ["6 to 11", "0.0920", "20,834"],
    ["12 and more", "0.1418", "32,113"]
  ]

  it("divides a row of a proposed table in which the numbers of several rows stand, with their empty cells", () => {
    const joined = [0, 1, 2].map((at) =>
      lines
        .slice(1)
        .flatMap((line) => (line[at] === "" ? [] : [line[at]]))
        .join(" ")
    )
    assert.deepStrictEqual(rowsOf(pageOf(lines, [lines[0] ?? [], joined])), [lines])
  })

  it("leaves the rows of a proposed table whose cells have other words, or lines of text only", () => {
    const text = [
      ["Name", "Meaning"],
      ["alpha", "the first of"],
      ["", "the letters of"],
      ["", "the alphabet"]
    ]
    const rows = [
      ["Name", "Meaning"],
      ["alpha", "the first of the letters of the alphabet"]
    ]
    assert.deepStrictEqual(rowsOf(pageOf(text, rows)), [rows])
    const other = [
      ["Age", "Share", "Total"],
      ["Under 1 1 to 5 6 to 11 12 and more", "0.0156 0.0920 0.1418", "Four numbers"]
    ]
    assert.deepStrictEqual(
      rowsOf(pageOf(lines, other)).filter((found) => found.length > 2),
      []
    )
  })

  it("has no first row of a sentence that was divided at its spaces", () => {
    const sentence = "may contain the following escape sequences:"
    const page = pageOf(lines, [["may contain", "the following", "escape sequences:"], ...lines])
    const items = [item(sentence, 72, 80), ...page.items]
    const tables = page.tables.map(({ box, rows }) => ({ rows, box: { ...box, y0: 75 } }))
    assert.deepStrictEqual(rowsOf({ ...page, items, tables }), [lines])
  })

  it("is there for a form to be filled in, with an empty row, and not for a box of one row", async () => {
    const form = ruledTable(
      72,
      200,
      [120, 200, 120],
      [
        ["Date", "Purpose", "Amount"],
        ["", "", ""]
      ]
    )
    const { markdown } = await parse({ pages: [{ marks: [text(72, 100, "Invoice"), ...form] }] })
    assert.include(markdown, "| Date | Purpose | Amount |\n| --- | --- | --- |\n|  |  |  |")
    const box = ruledTable(72, 200, [120, 200, 120], [["Date", "Purpose", "Amount"]])
    assert.notInclude((await parse({ pages: [{ marks: [text(72, 100, "Invoice"), ...box] }] })).markdown, "---")
  })
})
