import { assert, describe, it } from "@effect/vitest"
import type { Item, PageItems } from "../../../src/engine/pdf/PageItem.ts"
import * as PageTable from "../../../src/engine/pdf/PageTable.ts"

const item = (text: string, x: number, y: number): Item => ({
  text,
  box: { x0: x, y0: y, x1: x + text.length * 5, y1: y + 10 },
  size: 10,
  font: "Serif",
  color: "",
  bold: false,
  italic: false,
  math: false,
  mono: false,
  mcid: undefined,
  words: undefined
})

const rows = [
  ["one", "backslash", "two", "carriage return"],
  ["four", "apostrophe", "five", "new line"]
]

const cells = rows.flatMap((row, line) =>
  row.map((cell, at) => item(cell, [90, 130, 220, 260][at] ?? 0, 130 + line * 14))
)

const page = (above: string, first: ReadonlyArray<string>): PageItems => ({
  pageNumber: 1,
  width: 600,
  height: 800,
  turn: 0,
  items: [item(above, 72, 110), ...cells],
  sideways: [],
  tables: [{ box: { x0: 72, y0: 109, x1: 420, y1: 170 }, rows: [first, ...rows] }],
  figures: [],
  headings: [],
  tagged: new Map(),
  rules: [],
  unreadable: false
})

const found = (given: PageItems) => PageTable.find(given, given.items, 10).map((table) => table.rows)

describe("a table that the engine proposes", () => {
  it("has no first row of a sentence that was divided at its spaces", () => {
    const sentence = page("may contain the following escape sequences:", [
      "may",
      "contain the",
      "following",
      "escape sequences:"
    ])
    assert.deepStrictEqual(found(sentence), [rows])
  })
})
