import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, text } from "./writePdf.ts"

const rest = Array.from({ length: 6 }, (_, at) => `the line ${at} of the text goes over the whole of the column here`)

const markdownOf = async (capital: string, first: string): Promise<string> => {
  const result = await parse({
    pages: [
      {
        marks: [
          text(72, 122, capital, { size: 32 }),
          ...lines(100, 101, [first, "and the second line is next to the letter as well"]),
          ...lines(72, 126, rest)
        ]
      }
    ]
  })
  return result.markdown
}

describe("DropCapital", () => {
  it("joins a large first letter to its word", async () => {
    const markdown = await markdownOf("T", "his is the first line of a text, next to the letter")
    assert.isTrue(markdown.startsWith("This is the first line of a text, next to the letter and the second"), markdown)
  })

  it("keeps a space after a letter that is a word", async () => {
    const markdown = await markdownOf("A", "first line of a text has begun and runs to its end")
    assert.isTrue(markdown.startsWith("A first line of a text has begun"), markdown)
  })
})
