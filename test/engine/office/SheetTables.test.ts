import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import * as SheetTables from "../../../src/engine/office/SheetTables.ts"
import * as places from "../../fixtures/places.ts"
import { parsed } from "./parsed.ts"

/** A sheet of the parser: an empty head over these rows, of which each cell is one word. */
const sheet = (...rows: ReadonlyArray<string>): string => {
  const cells = rows.map((row) => row.split(" ").map((cell) => (cell === "." ? "" : cell)))
  const line = (row: ReadonlyArray<string>) => `| ${row.join(" | ")} |`
  const width = cells[0]?.length ?? 0
  return [line(Array(width).fill("")), line(Array(width).fill("---")), ...cells.map(line)].join("\n")
}

const at = (range: string, ...rows: ReadonlyArray<string>) =>
  SheetTables.of(`## Costs\n\n${sheet(...rows)}\n`, [`Costs!${range}`])

describe("the tables of a sheet", () => {
  it("have their first row as head where it names the columns, and a title before it as a paragraph", () => {
    const { markdown, ranges } = at("B2:D5", "Costs . .", "Year Plan Note", "2024 12 ok", "2025 13 .")
    assert.strictEqual(
      markdown,
      "## Costs\n\nCosts\n\n| Year | Plan | Note |\n| --- | --- | --- |\n| 2024 | 12 | ok |\n| 2025 | 13 |  |\n"
    )
    assert.deepStrictEqual(ranges, ["Costs!B3:D5"])
  })

  it("are apart where empty rows are between them, each with its range", () => {
    const { markdown, ranges } = at(
      "A1:C7",
      "Item Sum .",
      "Rent 3 .",
      ". . .",
      "Name Age City",
      "Ada 36 Ulm",
      ". . .",
      "Bob 7 Rom"
    )
    assert.strictEqual(
      markdown,
      "## Costs\n\n| Item | Sum |\n| --- | --- |\n| Rent | 3 |\n\n| Name | Age | City |\n| --- | --- | --- |\n| Ada | 36 | Ulm |\n|  |  |  |\n| Bob | 7 | Rom |\n"
    )
    assert.deepStrictEqual(ranges, ["Costs!A1:B2", "Costs!A4:C7"])
  })

  it("are apart where empty columns are between them and they have other rows", () => {
    const { markdown, ranges } = at("A1:E3", "Item Sum . . .", "Rent 3 . Item Sum", "Food 4 . Tax 5")
    assert.strictEqual(
      markdown,
      "## Costs\n\n| Item | Sum |\n| --- | --- |\n| Rent | 3 |\n| Food | 4 |\n\n| Item | Sum |\n| --- | --- |\n| Tax | 5 |\n"
    )
    assert.deepStrictEqual(ranges, ["Costs!A1:B3", "Costs!D2:E3"])
  })

  it("are one where an empty column only parts it, or rows after an empty one have no head", () => {
    for (const rows of [
      ["Item Sum . Plan Note", "Rent 3 . 4 ok"],
      ["Item Sum", "Rent 3", ". .", "Food 4", "Tax 5"]
    ])
      assert.lengthOf(at("A1:B2", ...rows).markdown.match(/---(?: \|)?\n/gu) ?? [], 1, rows.join("; "))
  })

  it("keep an empty head over values, and everything where it cannot be told", () => {
    const markdown = `## Costs\n\n${sheet("1 2", "3 4")}\n`
    assert.deepStrictEqual(SheetTables.of(markdown, ["Costs!A1:B2"]), { markdown, ranges: ["Costs!A1:B2"], unread: [] })
    const { ranges } = at("A1:B9", "Item Sum .", "Rent 3 .", ". . .", "Name Age City", "Ada 36 Ulm")
    assert.deepStrictEqual(ranges, ["Costs!A1:B9"])
  })

  it.effect("are missed where the parser reads nothing of a sheet with cells", () =>
    Effect.gen(function* () {
      const sheet = (name: string) => ({ name, at: [1, 1] as const, rows: [["a", "b"]] })
      const members = unzipSync(places.workbook([sheet("Costs"), sheet("Lost")]))
      const second = Object.keys(members).find((name) => name.endsWith("worksheets/sheet1.xml")) ?? ""
      const xml = strFromU8(members[second] ?? new Uint8Array())
      members[second] = strToU8(xml.replace(/<c\s[^]*?<\/c>/u, '<c r="A1" t="s"><v>9</v></c>'))
      const { markdown, warning } = yield* parsed(zipSync(members), "xlsx")
      assert.include(markdown, "| a | b |")
      assert.strictEqual(warning, 'Nothing was read of the sheet "Lost", which has cells.')
    })
  )

  it.effect("are told apart in the answer to a workbook", () =>
    Effect.gen(function* () {
      const workbook = places.workbook([
        {
          name: "Costs",
          at: [2, 3],
          rows: [
            ["Item", "Sum"],
            ["Rent", "3"],
            ["", ""],
            ["Name", "Age"],
            ["Ada", "36"]
          ]
        }
      ])
      const { markdown, properties } = yield* parsed(workbook, "xlsx")
      assert.include(
        markdown,
        "| Item | Sum |\n| --- | --- |\n| Rent | 3 |\n\n| Name | Age |\n| --- | --- |\n| Ada | 36 |"
      )
      assert.deepStrictEqual(properties["sheets"], ["Costs!B3:C4", "Costs!B6:C7"])
    })
  )
})
