import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, type Mark, ruledTable, text } from "./writePdf.ts"

const prose = (topic: string): ReadonlyArray<string> =>
  Array.from({ length: 14 }, (_, at) => `the chapter on ${topic} has a line of text here, with number ${at} of it`)

const typesOf = async (pages: ReadonlyArray<ReadonlyArray<Mark>>): Promise<ReadonlyMap<string, string>> => {
  const { blocks } = await parse({ pages: pages.map((marks) => ({ marks })) })
  return new Map(
    (blocks ?? []).flatMap(({ items }) =>
      items.map(({ content, type }) => [content.replace(/[#*\\]/g, "").trim(), type] as const)
    )
  )
}

const chapters = ["Start", "Tools", "Woods", "Joints", "Glues", "Paints", "Repairs"]

describe("Role", () => {
  it("takes the entries of a table of contents for text, and the chapters that they name for headings", async () => {
    const contents = chapters.map((name, at) =>
      text(72, 120 + at * 26, `${at + 1} ${name} ${at * 9 + 2}`, { font: "bold", size: 13 })
    )
    const pages = chapters.map((name, at) => [
      text(72, 110, `${at + 1} ${name}`, { font: "bold", size: 16 }),
      ...lines(72, 150, prose(name))
    ])
    const types = await typesOf([[text(72, 80, "Contents", { font: "bold", size: 16 }), ...contents], ...pages])
    chapters.forEach((name, at) => {
      const own = [...types].filter(([content]) => content.includes(`${at + 1} ${name} ${at * 9 + 2}`))
      assert.deepStrictEqual(
        own.map(([, type]) => type),
        ["text"],
        name
      )
      assert.include(["title", "section_header"], types.get(`${at + 1} ${name}`), name)
    })
  })

  it("writes the entries of a table of contents as a list, without the dots that lead to their pages", async () => {
    const entry = (at: number, name: string) => `${at + 1} ${name} ${". ".repeat(30)}${at * 9 + 2}`
    const contents = chapters.map((name, at) => text(72, 120 + at * 14, entry(at, name)))
    const pages = chapters.map((name, at) => ({
      marks: [text(72, 110, `${at + 1} ${name}`, { font: "bold", size: 16 }), ...lines(72, 150, prose(name))]
    }))
    const { markdown } = await parse({
      pages: [{ marks: [text(72, 80, "Contents", { font: "bold", size: 16 }), ...contents] }, ...pages]
    })
    assert.include(markdown, chapters.map((name, at) => `- ${at + 1} ${name} … ${at * 9 + 2}`).join("\n"))
  })

  it("takes the number of a table on a line of its own, and the lines below it, for a caption", async () => {
    const rows = [
      ["Name", "Price"],
      ["Apple", "1.50"],
      ["Pear", "2.50"]
    ]
    const types = await typesOf([
      [
        ...lines(72, 100, prose("fruit")),
        text(150, 300, "TABLE II"),
        text(120, 316, "PRICES OF THE FRUIT"),
        ...ruledTable(100, 326, [120, 80], rows),
        text(72, 420, "TABLE III"),
        ...lines(72, 440, prose("other fruit"))
      ]
    ])
    assert.strictEqual(types.get("TABLE II"), "caption")
    assert.strictEqual(types.get("PRICES OF THE FRUIT"), "caption")
    assert.notStrictEqual(types.get("TABLE III"), "caption")
  })

  it("takes the options that a manual describes for text", async () => {
    const options = ["--allow", "-k, --kill=NAME", "--log-file FILE", "-v"]
    const marks = options.flatMap((option, at) => [
      text(72, 140 + at * 90, option, { font: "bold", size: 10 }),
      ...lines(90, 156 + at * 90, prose(`option ${at}`).slice(0, 3), { size: 10 })
    ])
    const headings = ["Options and arguments", "--jobs and --onall together"]
    const heading = headings.map((title, at) => text(72, 110 + at * 390, title, { font: "bold", size: 11 }))
    const types = await typesOf([
      [...heading.slice(0, 1), ...marks, ...heading.slice(1), ...lines(90, 520, prose("jobs"))]
    ])
    for (const option of options) assert.strictEqual(types.get(option), "text", option)
    for (const title of headings) assert.include(["title", "section_header"], types.get(title), title)
  })

  it("keeps numbered exercises on a page as headings: they are no entries", async () => {
    const marks = [1, 2, 3, 4, 5].flatMap((number) =>
      [text(72, number * 130 - 40, `Exercise ${number}`, { font: "bold", size: 15 })].concat(
        lines(72, number * 130 - 10, prose(`exercise ${number}`).slice(0, 4))
      )
    )
    const types = await typesOf([marks])
    for (const number of [2, 3, 4, 5]) assert.strictEqual(types.get(`Exercise ${number}`), "section_header")
  })

  it("takes the title of a paper for a heading, though it has five lines", async () => {
    const words = "Wide boards that bend and narrow boards that do not".split(" ")
    const title = Array.from({ length: 5 }, (_, at) => words.slice(at * 2, at * 2 + 2).join(" "))
    const types = await typesOf([
      [...lines(72, 90, title, { size: 18 }, 22), ...lines(72, 240, prose("boards")), ...lines(72, 430, prose("nails"))]
    ])
    assert.include(["title", "section_header"], types.get(title.join(" ")))
  })

  it("takes no signs of another font for a heading", async () => {
    const types = await typesOf([
      [
        ...lines(72, 90, prose("notes")),
        text(72, 300, "h h h h", { font: "bold", size: 16 }),
        ...lines(72, 340, prose("rests"))
      ]
    ])
    assert.strictEqual(types.get("h h h h"), "text")
  })

  it("takes bold numbered captions for captions, in several languages", async () => {
    const captions = ["Figure 3.1. The workbench", "Abbildung 2: Die Werkbank", "Tableau 4. Les outils"]
    const marks = captions.flatMap((caption, at) =>
      [text(72, 100 + at * 200, caption, { font: "bold", size: 12 })].concat(
        lines(72, 140 + at * 200, prose(`figure ${at}`).slice(0, 8))
      )
    )
    const types = await typesOf([marks])
    for (const caption of captions) assert.strictEqual(types.get(caption), "caption", caption)
  })
})
