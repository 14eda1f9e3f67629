import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, ruledTable, text } from "./writePdf.ts"

const filling = (topic: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `the ${topic} column has the line number ${at + 10} and`)

describe("ColumnFlow", () => {
  it("writes a sentence that continues in the next column as one paragraph of two blocks", async () => {
    const left = filling("left", 10)
    const right = filling("right", 10)
    const { blocks, markdown } = await parse({
      pages: [{ marks: [...lines(72, 100, left), ...lines(330, 100, right)] }]
    })
    assert.strictEqual(markdown, `${left.join(" ")}\n${right.join(" ")}`)
    const items = blocks?.[0]?.items ?? []
    assert.strictEqual(items.length, 2)
    for (const { content, markdownSpan } of items)
      assert.strictEqual(markdown.slice(...(markdownSpan ?? [0, 0])), content)
    assert.isBelow(items[0]?.bbox?.[2] ?? 1, items[1]?.bbox?.[0] ?? 0)
  })

  it("makes a word whole that is divided between two columns", async () => {
    const left = [...filling("left", 10), "the last line of this column is of many docu-"]
    const right = ["ments and the other lines are", ...filling("right", 9)]
    const { markdown } = await parse({ pages: [{ marks: [...lines(72, 100, left), ...lines(330, 100, right)] }] })
    assert.include(markdown, "of many documents\nand the other lines are")
  })

  it("knows a sentence that goes on with a figure or a name, and a section or an indented paragraph that begins there", async () => {
    const read = async (last: string, first: string, x = 330) => {
      const left = [...filling("left", 10), last]
      const marks = [...lines(72, 100, left), text(x, 100, first), ...lines(330, 112, filling("right", 9))]
      return (await parse({ pages: [{ marks }] })).markdown
    }
    assert.include(
      await read("and it was found in the end that a number of", "2,300 households of the right"),
      "number of\n2,300"
    )
    assert.include(
      await read("as was shown in the year by the friends of Mr", "12% of the households in the"),
      "of Mr\n12%"
    )
    assert.include(
      await read("as it was shown by the board in the report of", "Smith for the households of it"),
      "report of\nSmith"
    )
    assert.include(
      await read("as it was shown by the board in the report of", "2.1 Households of the column"),
      "report of\n\n2.1"
    )
    assert.include(
      await read("and there was the very end of this long line", "Households of the right column"),
      "line\n\nHouse"
    )
    assert.include(
      await read("as it was shown by the board in the report of", "Smith for the households", 342),
      "report of\n\nSmith"
    )
  })

  it("keeps two paragraphs apart where the first column ends with a sentence", async () => {
    const left = [...filling("left", 10), "and the last line of it is the end of a text."]
    const right = filling("right", 10)
    const { markdown } = await parse({ pages: [{ marks: [...lines(72, 100, left), ...lines(330, 100, right)] }] })
    assert.include(markdown, "the end of a text.\n\nthe right column")
  })

  it("writes a footnote of the first column and a table at the top of the second after the sentence around them", async () => {
    const left = filling("left", 12)
    const right = filling("right", 12)
    const table = [
      ["Name", "Year"],
      ["Apple", "2019"]
    ]
    const { markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(72, 100, left),
            ...lines(72, 300, ["1 A note on the lines above.", "It is in a smaller size."], { size: 7 }),
            ...ruledTable(330, 92, [120, 100], table),
            ...lines(330, 170, right)
          ]
        }
      ]
    })
    const parts = [`${left.at(-1)}\n${right[0]}`, "| Apple | 2019 |", "A note on the lines above."]
    const places = parts.map((part) => markdown.indexOf(part))
    assert.isTrue(
      places.every((place, at) => place > (places[at - 1] ?? -1)),
      markdown
    )
  })

  it("makes a word whole that is divided between two pages, on the first of them", async () => {
    const { pages } = await parse({
      pages: [
        { marks: lines(72, 100, [...filling("first", 10), "the last line of the page is of many docu-"]) },
        { marks: lines(72, 100, ["ments and the other lines are", ...filling("second", 9)]) }
      ]
    })
    assert.isTrue(pages?.[0]?.markdown.endsWith("of many documents"), pages?.[0]?.markdown)
    assert.isTrue(pages?.[1]?.markdown.startsWith("and the other lines are"), pages?.[1]?.markdown)
  })
})
