import { assert, describe, it } from "@effect/vitest"
import * as BlockChunker from "docsluice/BlockChunker"
import type { Chunker } from "docsluice/Chunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import { fromData } from "docsluice/ParsedDocument"
import { DocumentId } from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import type * as Pdf from "../../../src/engine/pdf/PdfEngine.ts"
import { parse } from "./parse.ts"
import { lines, type Mark, ruledTable, text } from "./writePdf.ts"

type Rows = ReadonlyArray<ReadonlyArray<string>>

const head = ["Gauge", "Harbour", "Level"]

const letters = "abcdefghijklmnopqrstuvwxyz"

const word = (seed: number, length: number): string =>
  Array.from({ length }, (_, at) => letters.charAt((seed * (at + 3) * 7 + at * at) % letters.length)).join("")

/** Rows of two words and a number, all different. */
const rows = (from: number, count: number): Rows =>
  Array.from({ length: count }, (_, at) => [
    word(from + at, 7),
    word(3 * (from + at), 9),
    `${((from + at) * 37) % 100}.25`
  ])

const columns = [120, 160, 80]

const ruled = (y: number, cells: Rows): ReadonlyArray<Mark> => ruledTable(72, y, columns, cells)

/** A table without rules, with its first row in bold where it is a head. */
const aligned = (y: number, cells: Rows, x = 72): ReadonlyArray<Mark> =>
  cells.flatMap((row, down) =>
    row.map((cell, across) =>
      text(x + across * 150, y + down * 15, cell, { font: cells[0] === head && down === 0 ? "bold" : "regular" })
    )
  )

const prose = (y: number, about: string): ReadonlyArray<Mark> =>
  lines(72, y, [`The text about ${about} stands here and it goes on over most of the width of the page.`])

const written = (cells: Rows): ReadonlyArray<string> => cells.map((row) => `| ${row.join(" | ")} |`)

const table = (cells: Rows): string => {
  const [first = "", ...others] = written(cells)
  return [first, "| --- | --- | --- |", ...others].join("\n")
}

const document = async (
  pages: ReadonlyArray<ReadonlyArray<Mark>>,
  options: Partial<Pdf.PdfOptions> = {}
): Promise<Pdf.PdfSuccess> => {
  const result = await parse({ pages: pages.map((marks) => ({ marks })) }, options)
  for (const [at, { items }] of (result.blocks ?? []).entries()) {
    const page = result.pages?.[at]?.markdown ?? ""
    const shown = items.filter(({ markdownSpan }) => markdownSpan !== null)
    for (const { content, markdownSpan } of shown) {
      assert.strictEqual(result.markdown.slice(...(markdownSpan ?? [0, 0])), content)
    }
    const [start, end] = [shown[0]?.markdownSpan?.[0], shown.at(-1)?.markdownSpan?.[1]]
    assert.strictEqual(page, result.markdown.slice(start, end))
  }
  return result
}

const threePages = [
  [...prose(100, "gauges"), ...ruled(160, [head, ...rows(1, 30)])],
  ruled(110, [head, ...rows(31, 33)]),
  [...ruled(110, [head, ...rows(64, 4)]), ...prose(300, "harbours")]
]

describe("a table over several pages", () => {
  it("is one table with one head, each page with a block of its own rows", async () => {
    const { blocks, markdown, pages } = await document(threePages)
    assert.include(markdown, `\n\n${table([head, ...rows(1, 67)])}\n\nThe text about harbours`)
    assert.strictEqual(pages?.[1]?.markdown, written(rows(31, 33)).join("\n"))
    assert.deepStrictEqual(
      blocks?.map(({ items }) => items.filter(({ type }) => type === "table").map(({ bbox }) => bbox?.[1])),
      [[160 / 792], [110 / 792], [110 / 792]].map(([y = 0]) => [Math.round(y * 1e5) / 1e5])
    )
  })

  it("has the head on each page between page markers", async () => {
    const { markdown } = await document(threePages, { pageMarkers: true })
    assert.include(markdown, `\n\n<!-- page 2 -->\n\n${table([head, ...rows(31, 33)])}\n\n---\n\n`)
    const headless = [aligned(110, [head, ...rows(1, 40)]), aligned(110, rows(41, 6))]
    const marked = await document(headless, { pageMarkers: true })
    assert.include(marked.markdown, `<!-- page 2 -->\n\n${table([head, ...rows(41, 6)])}`)
  })

  it("is known by its columns where the head is not repeated", async () => {
    const plain = await document([aligned(110, [head, ...rows(1, 40)]), aligned(110, rows(41, 6))])
    assert.strictEqual(plain.markdown, table([head, ...rows(1, 46)]))
    const moved = await document([aligned(110, [head, ...rows(1, 40)]), aligned(110, rows(41, 6), 96)])
    assert.strictEqual(moved.markdown, table([head, ...rows(1, 46)]))
    const words = (from: number, count: number) =>
      rows(from, count).map(([first = "", second = ""]) => [first, second, second])
    const unruled = await document([
      ruled(160, [["Gauge", "Harbour", "Port"], ...words(1, 30)]),
      ruled(110, words(31, 5))
    ])
    assert.strictEqual(unruled.markdown, table([["Gauge", "Harbour", "Port"], ...words(1, 35)]))
  })

  it("keeps a column that is empty on a later page", async () => {
    const [first, later] = [rows(1, 30), rows(31, 5).map(([name = "", , level = ""]) => [name, "", level])]
    const { markdown } = await document([ruled(160, [head, ...first]), ruled(110, later)])
    assert.strictEqual(markdown, table([head, ...first, ...later]))
  })

  it("has its head in its rows where that stands at the top of every page", async () => {
    const pages = [0, 1, 2].map((page) => aligned(80, [head, ...rows(1 + 40 * page, 40)]))
    assert.strictEqual((await document(pages)).markdown, table([head, ...rows(1, 120)]))
  })

  it("leaves out of the Markdown what only says that it goes on", async () => {
    const { blocks, markdown } = await document([
      [
        ...lines(72, 100, ["Table 3: Levels of the gauges"]),
        ...ruled(120, [head, ...rows(1, 30)]),
        text(400, 700, "Continued on next page", { size: 8 })
      ],
      [...lines(72, 110, ["Table 3 (continued)"]), ...ruled(120, [head, ...rows(31, 5)])]
    ])
    assert.strictEqual(markdown, `Table 3: Levels of the gauges\n\n${table([head, ...rows(1, 35)])}`)
    assert.deepStrictEqual(
      blocks
        ?.flatMap(({ items }) => items.filter(({ markdownSpan }) => markdownSpan === null))
        .map(({ content }) => content),
      ["Continued on next page", "Table 3 (continued)"]
    )
  })

  it("has the head again below notes, which stay where they are", async () => {
    const note = "1 The note at the foot of the page is in smaller print than the text."
    const { markdown } = await document([
      [...prose(100, "gauges"), ...aligned(160, [head, ...rows(1, 34)]), text(72, 730, note, { size: 7 })],
      [...aligned(110, rows(35, 8)), ...prose(300, "harbours")]
    ])
    assert.include(markdown, `${table([head, ...rows(1, 34)])}\n\n${note}\n\n${table([head, ...rows(35, 8)])}\n\nThe`)
  })

  it("is two tables below a heading, another caption or another head, in other columns, and in the middle of a page", async () => {
    const upper = ruled(160, [head, ...rows(1, 30)])
    const others: ReadonlyArray<ReadonlyArray<Mark>> = [
      [text(72, 110, "Other gauges", { font: "bold", size: 14 }), ...ruled(130, [head, ...rows(31, 5)])],
      [...lines(72, 110, ["Table 4: Levels of other gauges"]), ...ruled(120, [head, ...rows(31, 5)])],
      ruled(110, [["Ship", "Master", "Length"], ...rows(31, 5)]),
      ruledTable(72, 110, [60, 200, 100], rows(31, 5)),
      ruled(500, [head, ...rows(31, 5)])
    ]
    for (const lower of others) {
      const { markdown } = await document([upper, lower])
      assert.strictEqual(markdown.match(/^\| --- /gm)?.length, 2, markdown.slice(-400))
    }
  })

  it.effect("is cut between its rows by each chunker, with its head and the pages and boxes of its rows", () =>
    Effect.gen(function* () {
      const result = yield* Effect.promise(() => document(threePages))
      const { blocks = null, markdown, pages = null } = result
      const parsed = fromData({ documentId: DocumentId.make("root/a.pdf"), path: "a.pdf" }, "", {
        markdown,
        pages,
        blocks,
        metadata: {}
      })
      const opening = table([head])
      const cut = (chunker: Chunker) => Effect.map(chunker.chunk(parsed), ({ chunks }) => chunks)
      const options = { maxTokens: 600, context: false }
      for (const chunker of [BlockChunker.make(options), MarkdownChunker.make(options), PageChunker.make(options)]) {
        const chunks = yield* cut(chunker)
        const within = chunks.filter(({ kinds }) => kinds.includes("table"))
        assert.isAbove(within.length, 3)
        for (const { embedText, start, text: own } of within) {
          assert.include(embedText, opening)
          assert.strictEqual(embedText.match(/^\| --- /gm)?.length, 1)
          assert.isTrue(start === 0 || markdown.charAt(start - 1) === "\n")
          assert.isTrue(own.endsWith(" |") || own.endsWith("page."))
        }
        assert.deepStrictEqual([...new Set(chunks.flatMap((chunk) => chunk.pages))], [1, 2, 3])
      }
      const both = (yield* cut(BlockChunker.make(options))).find((chunk) => chunk.pages.join() === "1,2")
      assert.deepStrictEqual(
        both?.boxes.map(({ page }) => page),
        [1, 2]
      )
      const second = (yield* cut(PageChunker.make({ maxTokens: 4000, context: false })))[1]
      assert.strictEqual(second?.embedText, `${opening}\n${pages?.[1]?.markdown ?? ""}`)
    }).pipe(
      Effect.provideService(
        Tokenizer.Tokenizer,
        Tokenizer.make("chars", (given) => given.length)
      )
    )
  )
})
