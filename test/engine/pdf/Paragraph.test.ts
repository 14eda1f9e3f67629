import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, type Mark, text } from "./writePdf.ts"

const markdownOf = async (marks: ReadonlyArray<Mark>): Promise<string> => (await parse({ pages: [{ marks }] })).markdown

const full = "a line of the text that is as wide as its whole column and"

describe("Paragraph", () => {
  it("continues a sentence over a line in bold, and over one in a larger size", async () => {
    const markdown = await markdownOf([
      ...lines(72, 100, [full]),
      ...lines(72, 112, [full], { font: "bold" }),
      ...lines(72, 124, [full]),
      ...lines(72, 136, [full], { size: 11.2 }),
      ...lines(72, 148, ["its last line."])
    ])
    assert.strictEqual(markdown, `${full} ${full} ${full} ${full} its last line.`)
  })

  it("continues the explanation of a term on lines that hang, and begins a new block with the next term", async () => {
    const markdown = await markdownOf([
      text(72, 100, `term ${full}`),
      text(96, 112, "its continuation"),
      text(72, 124, `other ${full}`),
      text(96, 136, "its continuation")
    ])
    assert.strictEqual(markdown, `term ${full} its continuation\n\nother ${full} its continuation`)
  })

  it("writes entries of contents on lines of their own, wrapped ones on one", async () => {
    const entries = ["1. Introduction", "2. A long title of a chapter"]
    const markdown = await markdownOf([
      ...lines(72, 100, [full, full, full]),
      text(72, 160, entries[0] ?? ""),
      text(400, 160, "7"),
      text(72, 172, entries[1] ?? ""),
      text(72, 184, "that is continued"),
      text(400, 184, "12"),
      text(72, 196, "Index"),
      text(400, 196, "20")
    ])
    assert.include(markdown, "A long title of a chapter that is continued 12  \nIndex 20")
    assert.notInclude(markdown, "7 2")
  })
})
