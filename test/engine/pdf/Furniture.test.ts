import { assert, describe, it } from "@effect/vitest"
import type { PdfSuccess } from "../../../src/engine/pdf/PdfEngine.ts"
import { parse } from "./parse.ts"
import { lines, type PageSpec, text } from "./writePdf.ts"

const prose = (page: number): ReadonlyArray<string> =>
  Array.from({ length: 20 }, (_, at) => `page ${page} has a line of the text, the one with number ${at}`)

const pageOf = (page: number, header: string, footer = ""): PageSpec => ({
  marks: [
    ...(header === "" ? [] : [text(72, 50, header)]),
    ...lines(72, 120, prose(page)),
    ...(footer === "" ? [] : [text(72, 760, footer)])
  ]
})

const running = ({ blocks }: PdfSuccess): ReadonlyArray<readonly [string, string]> =>
  (blocks ?? []).flatMap(({ items }) =>
    items.filter(({ type }) => type.startsWith("page_")).map(({ content, type }) => [type, content] as const)
  )

describe("Furniture", () => {
  it("takes titles of chapters out of the text, whose numbers count up with the pages", async () => {
    const titles = ["Chapter 1: Start 7", "8 The Manual", "Chapter 2: Tools 9", "10 The Manual", "Chapter 3: End 11"]
    const result = await parse({ pages: titles.map((title, at) => pageOf(at + 1, title)) })
    assert.deepStrictEqual(
      running(result),
      titles.map((title) => ["page_header", title])
    )
    assert.notInclude(result.markdown, "Chapter")
  })

  it("takes titles of chapters without numbers out of the text, if most of them repeat", async () => {
    const titles = ["Start", "Start", "Tools", "Tools", "Interlude", "Farewell", "Farewell"]
    const result = await parse({ pages: titles.map((title, at) => pageOf(at + 1, title)) })
    assert.deepStrictEqual(
      running(result).map(([, content]) => content),
      titles
    )
  })

  it("takes a chapter with its section at the other end of the line out of the text, though few lines are the same", async () => {
    const places = ["Start|Aims", "Start|Means", "Start|Ends", "Tools|Hammers", "Tools|Nails", "Tools|Glue"]
    const pages = places.map((place, at): PageSpec => {
      const [chapter = "", section = ""] = place.split("|")
      return { marks: [text(72, 50, chapter), text(480, 50, section), ...lines(72, 120, prose(at + 1))] }
    })
    assert.deepStrictEqual(
      running(await parse({ pages })).map(([, content]) => content),
      places.map((place) => place.replace("|", " "))
    )
  })

  it("leaves the head that a table repeats in the table, and takes two lines of three parts above the text out of it", async () => {
    const row = (y: number, cells: ReadonlyArray<string>) => cells.map((cell, at) => text(72 + at * 160, y, cell))
    const gauges = ["Tay", "Forth", "Clyde", "Dee", "Don", "Spey", "Ness", "Esk", "Nith", "Annan"]
    const pages = [1, 2, 3].map((page): PageSpec => ({
      marks: [
        ...row(40, ["Survey of gauges", "Harbour office", "Second issue"]),
        ...row(52, ["Levels and flows", "Northern coast", "For the office"]),
        ...row(80, ["Gauge", "Level", "Flow"]),
        ...gauges.flatMap((gauge, at) =>
          row(96 + at * 16, [gauge, `${(at * 7 * page) % 10}.2`, `${(at * 3) % page}.75`])
        )
      ]
    }))
    const result = await parse({ pages })
    assert.deepStrictEqual(
      running(result).map(([, content]) => content),
      [1, 2, 3].flatMap(() => [
        "Survey of gauges Harbour office Second issue",
        "Levels and flows Northern coast For the office"
      ])
    )
    assert.strictEqual(result.markdown.match(/^\| Gauge \| Level \| Flow \|$/gm)?.length, 3)
  })

  it("keeps what repeats below a line that does not: the heads of tables below their captions", async () => {
    const pages = ["rain", "snow", "wind", "hail"].map((topic): PageSpec => ({
      marks: [
        text(72, 40, `Table of the ${topic} in all the months of the year`),
        text(72, 60, "Month and station and amount"),
        ...lines(72, 120, prose(1))
      ]
    }))
    assert.deepStrictEqual(running(await parse({ pages })), [])
  })

  it("takes a named page number out of the text that stands below a line of the text", async () => {
    const pages = ["rain", "snow", "wind"].map((topic, at): PageSpec => ({
      marks: [
        text(72, 40, `The ${topic} in all the months of the year, from January to December`),
        text(72, 60, `Station 7 page ${at + 1} of 3`),
        ...lines(72, 120, prose(at + 1))
      ]
    }))
    assert.deepStrictEqual(
      running(await parse({ pages })).map(([, content]) => content),
      [1, 2, 3].map((number) => `Station 7 page ${number} of 3`)
    )
  })

  it("takes Roman page numbers next to other text out of it", async () => {
    const footers = ["i CONTENTS", "CONTENTS ii", "iii CONTENTS", "PREFACE iv"]
    const result = await parse({ pages: footers.map((footer, at) => pageOf(at + 1, "", footer)) })
    assert.deepStrictEqual(
      running(result).map(([, content]) => content),
      footers
    )
  })

  it("takes a footer with a named page number out of a document of one page", async () => {
    const result = await parse({ pages: [pageOf(1, "", "Quarterly report Page 3 of 9")] })
    assert.deepStrictEqual(running(result), [["page_footer", "Quarterly report Page 3 of 9"]])
    assert.notInclude(result.markdown, "Quarterly")
  })

  it("keeps the first and last lines of pages that are text, though each begins with a number", async () => {
    const starts = ["4 apples grow on the tree", "9 pears lie under it", "2 more fell from the branches"]
    const result = await parse({ pages: starts.map((line, at) => pageOf(at + 1, line)) })
    assert.deepStrictEqual(running(result), [])
  })

  it("takes a small line alone in the margin of a single page out of the text, but no footnote", async () => {
    const single = (footer: string) =>
      parse({ pages: [{ marks: [...lines(72, 120, prose(1)), text(72, 765, footer, { size: 7 })] }] })
    assert.deepStrictEqual(running(await single("Downloaded by a reader")), [["page_footer", "Downloaded by a reader"]])
    assert.deepStrictEqual(running(await single("* A note on the text")), [])
  })

  it("gives running lines as content of their blocks, without a span", async () => {
    const { blocks } = await parse({ pages: [1, 2, 3].map((page) => pageOf(page, "The Manual", `- ${page} -`)) })
    for (const { items, pageNumber } of blocks ?? []) {
      const own = items.filter(({ type }) => type !== "text")
      assert.deepStrictEqual(
        own.map(({ content, markdownSpan, type }) => [type, content, markdownSpan]),
        [
          ["page_header", "The Manual", null],
          ["page_number", `\\- ${pageNumber} -`, null]
        ]
      )
    }
  })
})
