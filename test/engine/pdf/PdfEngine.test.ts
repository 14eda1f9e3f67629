import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type * as Pdf from "../../../src/engine/pdf/PdfEngine.ts"
import { blockTypes } from "../../../src/internal/base/parseResponse.ts"
import { runs } from "../../fixtures/seed.ts"
import { parse, parseBytes, parseFailing } from "./parse.ts"
import {
  type DocumentSpec,
  lines,
  type Mark,
  type PageSpec,
  ruledTable,
  text,
  write,
  writeEncrypted
} from "./writePdf.ts"

const words = [
  "alpha",
  "beta",
  "gamma",
  "delta",
  "# not",
  "1. item",
  "- dash",
  "a|b",
  "*star*",
  "_low_",
  "<tag>",
  "&amp;"
]

const arbitraryPage: fc.Arbitrary<PageSpec> = fc.record({
  marks: fc
    .array(
      fc.record({
        x: fc.integer({ min: -20, max: 600 }),
        y: fc.integer({ min: -20, max: 800 }),
        size: fc.constantFrom(6, 10, 10, 10, 14, 24),
        font: fc.constantFrom("regular" as const, "bold" as const, "mono" as const),
        rotate: fc.constantFrom(0 as const, 0 as const, 0 as const, 90 as const, 180 as const, 270 as const),
        content: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 })
      }),
      { maxLength: 25 }
    )
    .map((marks): ReadonlyArray<Mark> =>
      marks.map(({ x, y, content, ...style }) => text(x, y, content.join(" "), style))
    )
})

/** A page that is filled by a table, the head of which may repeat. */
const arbitraryTable: fc.Arbitrary<PageSpec> = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(fc.constantFrom(...words), fc.nat(99)), { minLength: 30, maxLength: 30 }))
  .map(([headed, rows]) => ({
    marks: ruledTable(
      72,
      110,
      [200, 200],
      [...(headed ? [["name", "count"]] : []), ...rows.map(([word, count]) => [word, `${count}.5`])]
    )
  }))

const arbitraryDocument: fc.Arbitrary<DocumentSpec> = fc.record({
  pages: fc.array(fc.oneof({ weight: 3, arbitrary: arbitraryPage }, { weight: 1, arbitrary: arbitraryTable }), {
    minLength: 1,
    maxLength: 11
  })
})

const checkBlocks = (result: Pdf.PdfSuccess): void => {
  let end = 0
  for (const page of result.blocks ?? []) {
    page.items.forEach((block, at) => {
      assert.strictEqual(block.id, `p${page.pageNumber}.b${at}`)
      assert.strictEqual(block.readingOrder, at)
      assert.include(blockTypes, block.type)
      if (block.bbox !== null) {
        const [x0, y0, x1, y1] = block.bbox
        assert.isTrue(0 <= x0 && x0 <= x1 && x1 <= 1 && 0 <= y0 && y0 <= y1 && y1 <= 1, block.bbox.join())
      }
      if (block.markdownSpan === null) {
        assert.isTrue(block.content === "" || block.type.startsWith("page_"), block.type)
        return
      }
      const [from, to] = block.markdownSpan
      assert.isTrue(from >= end && to > from)
      assert.strictEqual(result.markdown.slice(from, to), block.content)
      end = to
    })
  }
}

describe("PdfEngine.parsePdf", () => {
  it("keeps the laws of spans, ids, boxes, pages and markers on any document", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, fc.boolean(), async (spec, pageMarkers) => {
        const result = await parse(spec, { pageMarkers })
        checkBlocks(result)
        const pages = result.pages ?? []
        assert.deepStrictEqual(
          pages.map((page) => page.pageNumber),
          spec.pages.map((_, at) => at + 1)
        )
        const joined = pages.map((page, at) => {
          if (at === 0) return page.markdown
          const goesOn = /^\|.*(?:\n(?!\| ---)|$)/.test(page.markdown)
          const blank = goesOn ? "\n" : "\n\n"
          return (pageMarkers ? `\n\n---\n\n<!-- page ${page.pageNumber} -->\n\n` : blank) + page.markdown
        })
        assert.strictEqual(joined.join(""), result.markdown)
      }),
      { numRuns: runs(30) }
    )
  })

  it("loses no word of any page", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 2, max: 30 }), { minLength: 1, maxLength: 4 }), async (counts) => {
        let next = 0
        const pages = counts.map((count) => ({
          marks: Array.from({ length: count }, (_, at) => text(60 + (at % 3) * 170, 120 + at * 17, `word${next++}end`))
        }))
        const result = await parse({ pages })
        const found = result.markdown.match(/word\d+end/g) ?? []
        assert.sameMembers(
          found,
          Array.from({ length: next }, (_, at) => `word${at}end`)
        )
      }),
      { numRuns: runs(20) }
    )
  })

  const threePages: DocumentSpec = {
    pages: [1, 2, 3].map((page) => ({
      marks: lines(72, 200, [`This is the text of page ${page}.`, "It goes on here."])
    }))
  }

  it("answers with the same Markdown whether pages and blocks are asked for or not", async () => {
    const asked = await parse(threePages)
    const plain = await parse(threePages, { pages: false, blocks: false })
    assert.strictEqual(plain.markdown, asked.markdown)
    assert.isUndefined(plain.pages)
    assert.isUndefined(plain.blocks)
  })

  it("marks the pages by the form of the interface, none before page 1", async () => {
    const { markdown } = await parse(threePages, { pageMarkers: true })
    assert.strictEqual(
      markdown,
      [1, 2, 3]
        .map((page) => `This is the text of page ${page}. It goes on here.`)
        .reduce((all, page, at) => `${all}\n\n---\n\n<!-- page ${at + 1} -->\n\n${page}`)
    )
  })

  it("reads no more pages than maxPages and tells the true count", async () => {
    const result = await parse(threePages, { maxPages: 2 })
    assert.strictEqual(result.metadata.numPages, 2)
    assert.strictEqual(result.metadata.totalPages, 3)
    assert.strictEqual(result.blocks?.length, 2)
    assert.notInclude(result.markdown, "page 3")
    assert.isUndefined(result.warning)
  })

  it("gives the page size in points, of the page as shown", async () => {
    const { blocks } = await parse({ pages: [{ width: 300, height: 200, marks: [text(20, 50, "small page")] }] })
    assert.deepInclude(blocks?.[0], { width: 300, height: 200, status: "ok" })
    const bbox = blocks?.[0]?.items[0]?.bbox
    assert.closeTo(bbox?.[0] ?? 0, 20 / 300, 0.01)
    assert.closeTo(bbox?.[3] ?? 0, 50 / 200, 0.03)
  })

  it("reads a page whose text is turned, with boxes on the page as shown", async () => {
    const marks = ["first line of it", "second line of it"].map((line, at) =>
      text(100 + at * 14, 500, line, { rotate: 90 })
    )
    const { markdown, blocks } = await parse({ pages: [{ marks }] })
    assert.strictEqual(markdown, "first line of it second line of it")
    const [x0, y0, x1, y1] = blocks?.[0]?.items[0]?.bbox ?? [0, 0, 0, 0]
    assert.isTrue(x0 * 612 > 85 && x1 * 612 < 125 && y1 * 792 < 510 && y0 * 792 > 400, [x0, y0, x1, y1].join())
  })

  it("cuts what stands before the header", async () => {
    const bytes = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n%PD% junk\n"), write(threePages)])
    const result = await parseBytes(bytes)
    assert.strictEqual(result.kind, "success")
  })

  const scan: PageSpec = { marks: [{ type: "image", x: 0, y: 0, width: 612, height: 792 }] }
  const written: PageSpec = { marks: lines(72, 100, ["A page with text.", "And more of it."]) }

  it("answers a page without a text layer as partial, with a warning that says which", async () => {
    const result = await parse({ pages: [written, scan, scan] })
    assert.deepStrictEqual(
      result.blocks?.map((page) => page.status),
      ["ok", "partial", "partial"]
    )
    assert.strictEqual(result.pages?.[1]?.markdown, "")
    assert.strictEqual(
      result.warning,
      "No readable text layer on page 2-3: OCR needs packages; run: npm install tesseract.js@7 @tesseract.js-data/eng, then parse it again."
    )
  })

  it("takes an empty page for complete", async () => {
    const result = await parse({ pages: [written, { marks: [] }] }, { mode: "fast" })
    assert.deepStrictEqual(
      result.blocks?.map((page) => page.status),
      ["ok", "ok"]
    )
    assert.isUndefined(result.warning)
  })

  it("fails in mode fast when no page has a text layer, and only then", async () => {
    const failed = await parseFailing(write({ pages: [scan, scan] }), { mode: "fast" })
    assert.strictEqual(failed.code, "SCRAPE_PDF_OCR_REQUIRED")
    const mixed = await parseBytes(write({ pages: [scan, written] }), { mode: "fast" })
    assert.strictEqual(mixed.kind, "success")
  })

  it("fails before the first page when the deadline has passed", async () => {
    const failed = await parseFailing(write(threePages), { deadline: 1 })
    assert.strictEqual(failed.code, "SCRAPE_TIMEOUT")
    assert.isFalse(failed.fatal)
  })

  it("answers with the pages read when the deadline passes between batches", async () => {
    const many = {
      pages: Array.from({ length: 400 }, () => ({
        marks: lines(
          72,
          90,
          Array.from({ length: 50 }, () => "word ".repeat(15))
        )
      }))
    }
    const bytes = write(many)
    const within = async (ms: number): ReturnType<typeof parseBytes> => {
      const answer = await parseBytes(bytes, { deadline: Date.now() + ms })
      // a slow machine has not read the first batch by then
      return answer.kind === "failure" && answer.code === "SCRAPE_TIMEOUT" ? within(ms * 2) : answer
    }
    const result = await within(100)
    if (result.kind === "failure") throw new Error(result.error)
    const { numPages, totalPages } = result.metadata
    assert.isTrue(numPages > 0 && numPages < 400)
    assert.strictEqual(totalPages, 400)
    assert.strictEqual(result.pages?.length, numPages)
    assert.strictEqual(result.blocks?.length, 400)
    assert.deepInclude(result.blocks?.[399], { pageNumber: 400, status: "failed", width: null, height: null })
    assert.include(result.warning, `${numPages + 1}-400`)
  })

  it("fails with a typed error on what is no PDF, empty, cut or encrypted", async () => {
    const whole = write(threePages)
    const cases = {
      "no bytes": new Uint8Array(0),
      damaged: Buffer.from("this is no PDF at all"),
      header: whole.subarray(0, 12),
      password: writeEncrypted(threePages, "secret")
    }
    const failures = await Promise.all(Object.values(cases).map((bytes) => parseFailing(bytes)))
    failures.forEach((failed, at) => {
      assert.strictEqual(failed.code, "SCRAPE_ALL_ENGINES_FAILED", Object.keys(cases)[at])
      assert.isFalse(failed.fatal, Object.keys(cases)[at])
    })
    assert.include((await parseFailing(cases.password)).error, "password")
    assert.include((await parseFailing(cases["no bytes"])).error, "empty")
  })

  it("opens an encrypted document that needs no password, and leaves its unreadable properties out", async () => {
    const result = await parseBytes(writeEncrypted({ ...threePages, info: { Title: "Hidden" } }, ""))
    if (result.kind === "failure") throw new Error(result.error)
    assert.strictEqual(result.metadata.totalPages, 3)
    assert.isUndefined(result.metadata.title)
  })

  it("never throws on a document with flipped bytes", async () => {
    const whole = write({
      pages: [
        {
          marks: [
            ...ruledTable(
              72,
              100,
              [100, 100],
              [
                ["a", "b"],
                ["c", "d"]
              ]
            ),
            ...written.marks
          ]
        }
      ]
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 })), {
          maxLength: 20
        }),
        async (flips) => {
          const bytes = Uint8Array.from(whole)
          for (const [at, value] of flips) bytes[at] = value
          const result = await parseBytes(bytes)
          if (result.kind === "success") checkBlocks(result)
          else assert.isFalse(result.fatal, result.error)
        }
      ),
      { numRuns: runs(75) }
    )
  })

  it("does not look for the pages that a damaged count names", async () => {
    const whole = Buffer.from(write(threePages)).toString("latin1")
    const result = await parseBytes(Buffer.from(whole.replace("/Count 3 ", "/Count 900000 "), "latin1"))
    if (result.kind === "failure") throw new Error(result.error)
    assert.deepInclude(result.metadata, { numPages: 3, totalPages: 3 })
    assert.strictEqual(result.blocks?.length, 3)
    assert.include(result.warning, "nothing follows page 3")
  })

  it("survives a structured clone", async () => {
    const result = await parse(threePages)
    assert.deepStrictEqual(structuredClone(result), result)
  })
})
