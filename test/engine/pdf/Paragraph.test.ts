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

  it("writes entries of contents on lines of their own", async () => {
    const entries = ["Introduction", "Tools of the trade", "Glossary", "Index"]
    const markdown = await markdownOf([
      ...lines(72, 100, [full, full, full]),
      ...entries.flatMap((entry, at) => [text(72, 160 + at * 12, entry), text(380, 160 + at * 12, `${at + 7}`)])
    ])
    assert.include(markdown, "Tools of the trade 8  \nGlossary 9  \nIndex 10")
  })
})
