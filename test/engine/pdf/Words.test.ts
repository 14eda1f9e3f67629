import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { parse } from "./parse.ts"
import { lines, type Mark, type PageSpec, ruledTable, text } from "./writePdf.ts"

const word = FastCheck.stringMatching(/^[a-z]{2,6}[,.;:]?$/)
const line = FastCheck.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "))
const someLines = FastCheck.array(line, { minLength: 1, maxLength: 12 })
const start = FastCheck.constantFrom("", "1. ", "12) ", "Chapter 3 ", "Page 4 ")
const style = FastCheck.record({
  size: FastCheck.constantFrom(7, 9, 10, 14, 20),
  font: FastCheck.constantFrom("regular" as const, "bold" as const, "mono" as const)
})

/** Blocks from the top down, in one column or two, some of them tables or turned text, with lines at the edges. */
const page: FastCheck.Arbitrary<PageSpec> = FastCheck.record({
  header: FastCheck.option(FastCheck.tuple(start, line)),
  footer: FastCheck.option(FastCheck.tuple(start, line)),
  columns: FastCheck.array(FastCheck.array(FastCheck.tuple(someLines, style), { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  cells: FastCheck.option(FastCheck.array(FastCheck.tuple(word, word), { minLength: 2, maxLength: 4 })),
  turned: FastCheck.option(line)
}).map(({ cells, columns, footer, header, turned }) => {
  const marks: Array<Mark> = []
  if (header !== null) marks.push(text(72, 40, header.join("")))
  if (footer !== null) marks.push(text(72, 770, footer.join("")))
  if (turned !== null) marks.push(text(30, 600, turned, { rotate: 90 }))
  columns.forEach((column, at) => {
    let y = 90
    for (const [texts, { font, size }] of column) {
      marks.push(...lines(72 + at * 260, y, texts, { font, size }, size * 1.2))
      y += texts.length * size * 1.2 + 14
    }
  })
  if (cells !== null) marks.push(...ruledTable(72, 655, [120, 120], cells))
  return { marks }
})

const wordsOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((each) => each.match(/[a-z]+|\d+/gi) ?? []).toSorted()

describe("the words of a page", () => {
  it("stand in its blocks exactly once, running lines included", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(page, { minLength: 1, maxLength: 4 }), async (pages) => {
        const { blocks, markdown } = await parse({ pages })
        pages.forEach(({ marks }, at) => {
          const layer = wordsOf(marks.flatMap((mark) => (mark.type === "text" ? [mark.text] : [])))
          const items = blocks?.[at]?.items ?? []
          assert.deepStrictEqual(wordsOf(items.map(({ content }) => content)), layer, markdown)
        })
      }),
      { numRuns: 60, seed: 7 }
    )
  })
})
