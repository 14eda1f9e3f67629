import { assert, describe, it } from "@effect/vitest"
import * as DocumentChunk from "docsluice/DocumentChunk"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import * as cellRange from "../../src/internal/base/cellRange.ts"
import { members } from "../../src/internal/chunking/cite/Places.ts"
import { markdownDocument } from "./markdownDocument.ts"

const table = (rows: number, head = "| a | b |") =>
  [head, "| --- | --- |", ...Array.from({ length: rows }, (_, at) => `| r${at} | ${at} |`)].join("\n")

const chunksOf = (document: Partial<ParsedDocument> & { readonly source: string }, maxTokens = 512) =>
  MarkdownChunker.make({ maxTokens })
    .chunk({ ...markdownDocument(document.markdown ?? ""), ...document })
    .pipe(
      Effect.map(({ chunks }) => chunks),
      Effect.provide(Tokenizer.layer("o200k_base"))
    )

const placeOf = (chunk: DocumentChunk.DocumentChunk | undefined) =>
  Object.fromEntries(
    members.flatMap((name) => (chunk?.metadata[name] === undefined ? [] : [[name, chunk.metadata[name]]]))
  )

const sheetName = FastCheck.string({ minLength: 1, maxLength: 31 })

describe("a cell range", () => {
  it("reads back as it was written, whatever the sheet's name", () => {
    FastCheck.assert(
      FastCheck.property(
        sheetName,
        FastCheck.tuple(FastCheck.integer({ min: 1, max: 16_384 }), FastCheck.integer({ min: 1, max: 1_048_576 })),
        FastCheck.tuple(FastCheck.integer({ min: 1, max: 16_384 }), FastCheck.integer({ min: 1, max: 1_048_576 })),
        (sheet, [left, top], [right, bottom]) => {
          const range = {
            sheet,
            left: Math.min(left, right),
            right: Math.max(left, right),
            top: Math.min(top, bottom),
            bottom: Math.max(top, bottom)
          }
          assert.deepStrictEqual(cellRange.parse(cellRange.format(range)), range)
        }
      )
    )
    for (const text of ["", "A1:B2", "Costs!A1", "Costs!B2:A1", "Costs!A0:B2", "'Costs!A1:B2"]) {
      assert.isUndefined(cellRange.parse(text), text)
    }
  })
})

describe("the place of a chunk", () => {
  it.effect(
    "in a workbook has the cells of its rows only where the table has the rows and columns of the sheet's range",
    () =>
      Effect.gen(function* () {
        const of = (sheets: ReadonlyArray<string>, markdown = `## Costs\n\n${table(5)}`) =>
          Effect.map(chunksOf({ source: "a.xlsx", markdown, metadata: { sheets } }), ([chunk]) => placeOf(chunk))
        const named = { headings: ["Costs"], sheet: "Costs", sheets: ["Costs"] }
        assert.deepStrictEqual(yield* of(["Costs!B3:C8"]), {
          ...named,
          cellRanges: ["Costs!B3:C8"],
          cellRange: "B3:C8"
        })
        // A head without text is none of the file's rows.
        const bare = `## Costs\n\n${table(6, "|  |  |")}`
        assert.deepInclude(yield* of(["Costs!B3:C8"], bare), { cellRange: "B3:C8" })
        for (const wrong of [
          [],
          ["Costs!B3:C9"],
          ["Costs!B3:C7"],
          ["Costs!B3:D8"],
          ["Other!B3:C8"],
          ["Costs!B3:C8", "Costs!B3:C8"],
          ["nonsense"]
        ]) {
          assert.deepStrictEqual(yield* of(wrong), named)
        }
        const twice = `## Costs\n\n${table(5)}\n\ntext\n\n${table(5)}`
        assert.deepStrictEqual(yield* of(["Costs!B3:C8"], twice), named)
        assert.deepInclude(yield* of(["Costs!B3:C8", "Costs!E3:F8"], twice), {
          cellRanges: ["Costs!B3:C8", "Costs!E3:F8"]
        })
        assert.deepStrictEqual(yield* of([], table(5)), {})
      })
  )

  it.effect(
    "in a workbook has the cells below a chart, whichever of its rows it has, and those of other tables as before",
    () =>
      Effect.gen(function* () {
        const of = (charts: ReadonlyArray<string>, sheets = ["Costs!B3:C8", "Sums!A1:B6"]) =>
          Effect.map(
            chunksOf(
              {
                source: "a.xlsx",
                markdown: `## Costs\n\n${table(5)}\n\n**T**\n\n${table(5)}\n\n## Sums\n\n${table(5)}`,
                metadata: { sheets, charts }
              },
              24
            ),
            (chunks) => [...new Set(chunks.map((chunk) => placeOf(chunk)["cellRange"]))]
          )
        const own = [3, 4, 5, 6, 7, 8]
          .map((row) => `B${row}:C${row}`)
          .concat([1, 2, 3, 4, 5, 6].map((row) => `A${row}:B${row}`))
        const shown = yield* of(["Costs!H4:O18"])
        assert.deepStrictEqual(
          shown.filter((range) => range !== "H4:O18"),
          own
        )
        assert.include(shown, "H4:O18")
        assert.deepStrictEqual(
          (yield* of(["Costs"])).filter((range) => range !== undefined),
          own
        )
        // More charts than tables: none is known.
        assert.notInclude(yield* of(["Costs!H4:O18", "Costs!H4:O18", "Costs!H4:O18"]), "H4:O18")
      })
  )

  it.effect("in a workbook of any size leaves out no row and tells none twice", () =>
    Effect.gen(function* () {
      const chunks = yield* chunksOf(
        { source: "a.xls", markdown: table(200), metadata: { sheets: ["'My sheet'!C11:D211"] } },
        100
      )
      assert.isAbove(chunks.length, 5)
      let next = 11
      for (const { metadata } of chunks) {
        const [, from, to] = /^C(\d+):D(\d+)$/u.exec(String(metadata["cellRange"])) ?? []
        assert.strictEqual(Number(from), next)
        next = Number(to) + 1
      }
      assert.strictEqual(next, 212)
    })
  )

  it.effect("is not invented where the answer lacks it, or the file has another type", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(placeOf((yield* chunksOf({ source: "a.pptx", markdown: "## Title" }))[0]), {
        headings: ["Title"]
      })
      assert.deepStrictEqual(
        placeOf((yield* chunksOf({ source: "a.md", markdown: table(3), metadata: { sheets: ["A!A1:B4"] } }))[0]),
        {}
      )
      const book = yield* chunksOf({
        source: "a.epub",
        markdown: "# The  Book\n\ntext",
        metadata: { title: "the book" }
      })
      assert.deepStrictEqual(placeOf(book[0]), { headings: ["The Book"] })
      const rows = yield* chunksOf({ source: "a.csv", markdown: `${table(2)}\n\ntext\n\n${table(2)}` })
      assert.deepStrictEqual(placeOf(rows[0]), {})
    })
  )

  it("is text that names sheet, slide, chapter, rows, pages or heading", () => {
    const cite = (
      source: string,
      metadata: DocumentChunk.DocumentChunk["metadata"],
      pages: ReadonlyArray<number> = [],
      heading = ""
    ) =>
      DocumentChunk.citation({
        source,
        metadata,
        pages,
        headingPath: heading === "" ? [] : [{ depth: 1, text: heading }]
      })
    assert.strictEqual(cite("r.xlsx", { sheet: "Costs", cellRange: "A2:F41" }), "r.xlsx, sheet Costs, A2:F41")
    assert.strictEqual(cite("r.xlsx", { sheets: ["A", "B"], cellRanges: ["B!A1:B2"] }), "r.xlsx, sheets A, B!A1:B2")
    assert.strictEqual(cite("d.pptx", { slide: 4, lastSlide: 4 }, [4]), "d.pptx, slide 4")
    assert.strictEqual(cite("d.pptx", { slide: 4, lastSlide: 6 }, [4, 6]), "d.pptx, slides 4–6")
    assert.strictEqual(cite("b.epub", { chapter: "Setting\nout" }), "b.epub, chapter “Setting out”")
    assert.strictEqual(cite("d.csv", { firstRow: 120, lastRow: 164 }), "d.csv, rows 120–164")
    assert.strictEqual(cite("d.csv", { firstRow: 7, lastRow: 7 }), "d.csv, row 7")
    assert.strictEqual(cite("c.pdf", {}, [3, 4], "Terms"), "c.pdf, p. 3–4")
    assert.strictEqual(cite("c.pdf", {}, [3, 5, 6]), "c.pdf, p. 3, 5–6")
    assert.strictEqual(cite("h.docx", {}, [], "Leave"), "h.docx, “Leave”")
    assert.strictEqual(cite("h.docx", { sheet: 4, slide: "x" }), "h.docx")
  })
})
