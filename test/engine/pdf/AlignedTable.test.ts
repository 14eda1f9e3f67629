import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, type Mark, text } from "./writePdf.ts"

const sentence = (topic: string, count: number): ReadonlyArray<string> =>
  Array.from(
    { length: count },
    (_, at) => `The ${topic} text of line ${at} goes on over most of the width of the page that it is on`
  )

/** Cells at their columns; the lines of a cell are divided by a line feed. */
const cells = (
  left: ReadonlyArray<number>,
  top: number,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  { padding = 6, leading = 11 }: { readonly padding?: number; readonly leading?: number } = {}
): ReadonlyArray<Mark> => {
  const marks: Array<Mark> = []
  let y = top
  for (const row of rows) {
    row.forEach((cell, at) => {
      if (cell !== "") marks.push(...lines(left[at] ?? 0, y, cell.split("\n"), { size: 9 }, leading))
    })
    y += Math.max(...row.map((cell) => cell.split("\n").length)) * leading + padding
  }
  return marks
}

const rule = (y: number, x0 = 72, x1 = 500): Mark => ({ type: "line", x0, y0: y, x1, y1: y })

const tablesOf = async (marks: ReadonlyArray<Mark>): Promise<ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>>> => {
  const { blocks } = await parse({ pages: [{ marks }] })
  return (blocks?.[0]?.items ?? [])
    .filter((block) => block.type === "table")
    .map((block) =>
      block.content
        .split("\n")
        .filter((_, at) => at !== 1)
        .map((line) =>
          line
            .slice(2, -2)
            .split(" | ")
            .map((cell) => cell.trim())
        )
    )
}

const fruit = [
  ["Name", "Weight", "Share", "Price"],
  ["Apple", "12.5", "40%", "1,200"],
  ["Pear", "8.25", "31%", "900"],
  ["Quince", "0.75", "", "85"],
  ["Medlar", "101.0", "2%", "7"]
]

describe("tables without a grid", () => {
  it("ends above a heading in larger print, so that contents above it are no rows of the table below", async () => {
    const entries = ["Introduction to the matter", "First things", "Methods of the work", "Results", "Conclusion"]
    const contents = entries.map((entry, at) => [entry, String(1 + at * at)])
    const marks = [
      ...cells([72, 450], 100, contents),
      text(72, 200, "Prices", { size: 18, font: "bold" }),
      ...cells([72, 450], 225, [
        ["Apples", "7"],
        ["Pears", "31"],
        ["Plums of the land", "2"],
        ["Figs", "25"]
      ])
    ]
    assert.deepStrictEqual(await tablesOf(marks), [
      [
        ["Apples", "7"],
        ["Pears", "31"],
        ["Plums of the land", "2"],
        ["Figs", "25"]
      ]
    ])
  })

  it("finds columns of words and numbers between two paragraphs, and keeps an empty cell empty", async () => {
    const marks = [
      ...lines(72, 100, sentence("first", 4)),
      ...cells([72, 200, 300, 400], 170, fruit),
      ...lines(72, 300, sentence("second", 4))
    ]
    assert.deepStrictEqual(await tablesOf(marks), [fruit])
  })

  it("divides tables below each other where their head comes again, after its title", async () => {
    const left = [72, 200, 320]
    const head = ["Feature", "Sample", "Setting"]
    const rows = (of: string) => [head, ["Standard", `plain ${of}`, "none"], ["Old style", `former ${of}`, ""]]
    const marks = [
      ...lines(72, 100, sentence("first", 3)),
      ...cells(left, 150, rows("letter")),
      text(72, 225, "Capital letters", { size: 12 }),
      ...cells(left, 250, rows("capital")),
      text(72, 325, "Accents", { size: 12 }),
      ...cells(left, 350, rows("accent"))
    ]
    assert.deepStrictEqual(await tablesOf(marks), [rows("letter"), rows("capital"), rows("accent")])
  })

  it("takes no rows across two columns whose lines are not level, also where some of them are by chance", async () => {
    const keys = (of: string) => Array.from({ length: 9 }, (_, at) => [`${of}-${at}`, `the ${of} number ${at}`])
    const gap = (padding: number) => ({ padding, leading: 9 })
    const marks = [
      text(72, 100, "Keys to move", { size: 12 }),
      ...cells([72, 180], 120, keys("move"), gap(4)),
      text(72, 250, "Keys to edit", { size: 12 }),
      ...cells([72, 180], 270, keys("edit"), gap(4)),
      text(300, 96, "Keys to find", { size: 12 }),
      ...cells([300, 410], 113, keys("find"), gap(4.5)),
      text(300, 246, "Keys to help", { size: 12 }),
      ...cells([300, 410], 266, keys("help"), gap(4.5))
    ]
    const { markdown } = await parse({ pages: [{ marks }] })
    for (const [key = "", use = ""] of ["move", "edit", "find", "help"].flatMap(keys)) {
      const line = markdown.split("\n").find((each) => each.includes(use)) ?? ""
      assert.include(line, key, markdown)
      assert.notMatch(line, /(?:move|edit).*(?:find|help)|(?:find|help).*(?:move|edit)/)
    }
  })

  it("keeps the lines of a cell together where the rows are further apart", async () => {
    const rows = [
      ["Name", "Weight\nin grams", "Remark\nof the grower"],
      ["Apple", "12.5", "keeps well\nuntil spring"],
      ["Pear of the\nold kind", "8.25", "soft"],
      ["Quince", "0.75", "hard until\nit is cooked"]
    ]
    const joined = rows.map((row) => row.map((cell) => cell.replaceAll("\n", " ")))
    const marks = [...lines(72, 100, sentence("first", 4)), ...cells([72, 200, 300], 170, rows), rule(160), rule(188)]
    assert.deepStrictEqual(await tablesOf(marks), [joined])
  })

  it("writes the heading of several columns in the first of them", async () => {
    const rows = [
      ["", "2020", "2021", "2020", "2021"],
      ["North", "12", "13", "14", "15"],
      ["South", "22", "23", "24", "25"],
      ["East", "32", "33", "34", "35"]
    ]
    const marks = [
      text(232, 155, "Trade", { size: 9 }),
      text(380, 155, "Industry", { size: 9 }),
      ...cells([72, 200, 280, 360, 440], 172, rows),
      rule(143),
      rule(182),
      ...lines(72, 300, sentence("second", 4))
    ]
    assert.deepStrictEqual(await tablesOf(marks), [[["", "Trade", "", "Industry", ""], ...rows]])
  })

  it("finds the table in one of two columns of text", async () => {
    const column = (x: number, y: number, count: number) =>
      lines(
        x,
        y,
        Array.from({ length: count }, () => "a line of running text in its own column"),
        { size: 10 }
      )
    const rows = fruit.map((row) => row.slice(0, 3))
    const marks = [
      ...column(72, 100, 8),
      ...cells([72, 150, 210], 210, rows),
      ...column(72, 320, 8),
      ...column(330, 100, 28)
    ]
    assert.deepStrictEqual(await tablesOf(marks), [rows])
  })

  it("finds the table of a page that is turned, or upside down", async () => {
    const upright = cells([72, 200, 300, 400], 170, fruit).flatMap((mark) => (mark.type === "text" ? [mark] : []))
    const turned = upright.map((mark) => text(mark.y, 700 - mark.x, mark.text, { size: 9, rotate: 90 }))
    const upsideDown = upright.map((mark) => text(600 - mark.x, 700 - mark.y, mark.text, { size: 9, rotate: 180 }))
    assert.deepStrictEqual(await tablesOf(turned), [fruit])
    assert.deepStrictEqual(await tablesOf(upsideDown), [fruit])
  })

  it("takes columns of text, lists, contents and formulas for no table", async () => {
    const columns = [
      ...lines(
        72,
        100,
        Array.from({ length: 20 }, () => "words of the first column that fill it")
      ),
      ...lines(
        320,
        100,
        Array.from({ length: 20 }, () => "words of the second column, as full")
      )
    ]
    const list = ["(a)", "(b)", "(c)", "(d)"].flatMap((marker, at) => [
      text(72, 100 + at * 14, marker),
      text(110, 100 + at * 14, "an item of the list"),
      text(300, 100 + at * 14, "12")
    ])
    const contents = ["Preface", "Introduction", "Materials", "Results", "Index"].flatMap((title, at) => [
      text(72, 100 + at * 14, `${at + 1}`),
      text(110, 100 + at * 14, title),
      text(480, 100 + at * 14, `${3 + at * 7}`)
    ])
    for (const marks of [columns, list, contents]) {
      // oxlint-disable-next-line no-await-in-loop -- one small document after the other
      assert.deepStrictEqual(await tablesOf(marks), [])
    }
  })
})
