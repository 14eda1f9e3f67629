import { assert, describe, it } from "@effect/vitest"
import * as PdfReader from "../../../src/engine/pdf/PdfReader.ts"
import { parse } from "./parse.ts"
import { text } from "./writePdf.ts"

/** Pages that the engine walks through before it comes to those that are asked for, in all calls. */
const walked = (pages: number, heaviest: number): number => {
  let sum = 0
  for (let read = 0; read < pages; read += PdfReader.batchSize(read, heaviest)) sum += read
  return sum
}

describe("PdfReader", () => {
  it("walks through the page tree in time that grows with the pages, not with their square", () => {
    for (const pages of [500, 1000, 2000, 4000]) assert.isBelow(walked(pages, 20), pages * 18)
  })

  it("reads few pages in a call where pages are heavy, at least 8", () => {
    assert.strictEqual(PdfReader.batchSize(0, 0), 8)
    assert.strictEqual(PdfReader.batchSize(4000, 20), 250)
    assert.strictEqual(PdfReader.batchSize(1_000_000, 20), 256)
    assert.strictEqual(PdfReader.batchSize(4000, 2000), 100)
    assert.strictEqual(PdfReader.batchSize(4000, 1_000_000), 8)
  })

  it("reads each page once and in order, in batches of any size", async () => {
    const pages = Array.from({ length: 400 }, (_, at) => ({ marks: [text(72, 300, `Word${at + 1}`)] }))
    const result = await parse({ pages }, { maxPages: 390 })
    assert.deepStrictEqual(
      result.pages?.map(({ markdown, pageNumber }) => [pageNumber, markdown]),
      Array.from({ length: 390 }, (_, at) => [at + 1, `Word${at + 1}`])
    )
    assert.deepInclude(result.metadata, { numPages: 390, totalPages: 400 })
  })
})
