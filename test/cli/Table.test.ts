import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Line from "../../src/cli/Line.ts"
import * as Table from "../../src/cli/Table.ts"

const columns: ReadonlyArray<Table.Column> = [
  { title: "file", kind: "path" },
  { title: "pages", kind: "number" },
  { title: "action" }
]

const shown = (rows: ReadonlyArray<Table.Row>, width: number) =>
  Table.lines(columns, rows, width).map((line) => Line.show(line, false))

describe("a table", () => {
  it("has titles, numbers to the right, and no column that says nothing", () => {
    assert.deepStrictEqual(
      shown(
        [
          ["a.pdf", "12", ""],
          ["日本.pdf", "3", ""]
        ],
        80
      ),
      ["FILE      PAGES", "a.pdf        12", "日本.pdf      3"]
    )
  })

  it("shortens paths in their middle before anything else, and takes several lines a row where that is not enough", () => {
    const rows = [["reports/2023/winter/annual-report.pdf", "12", "unsupported"]]
    assert.match(shown(rows, 44)[1] ?? "", /^repor.*….*annual-report\.pdf +12  unsupported$/)
    assert.deepStrictEqual(shown(rows, 30), ["reports/202…/annual-report.pdf", "  12 pages, unsupported"])
  })

  it("escapes control characters, so that a file's name colours nothing", () => {
    const [, line] = Table.lines(columns, [["\u001b[31mred\n.pdf", "1", Line.bad("failed")]], 80)
    assert.strictEqual(Line.show(line ?? "", true), "\\u001b[31mred\\n.pdf      1  \u001b[1;31mfailed\u001b[22;39m")
  })

  it.prop(
    "has no line that is wider than the terminal",
    [
      FastCheck.array(
        FastCheck.tuple(
          FastCheck.string({ unit: "grapheme", maxLength: 120 }),
          FastCheck.nat().map(String),
          FastCheck.constantFrom("new", "unsupported", "")
        ),
        { maxLength: 5 }
      ),
      FastCheck.integer({ min: 30, max: 100 })
    ],
    ([rows, width]) => {
      for (const line of Table.lines(columns, rows, width)) assert.isAtMost(Line.width(line), width)
    }
  )
})
