import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { LiteParse, ParseSession } from "@llamaindex/liteparse-wasm"
import * as PdfReader from "../../../src/engine/pdf/PdfReader.ts"
import { parse } from "./parse.ts"
import { type Mark, text } from "./writePdf.ts"

/** Pages that the engine walks through before it comes to those that are asked for, in all calls. */
const walked = (pages: number): number => {
  let sum = 0
  for (let read = 0; read < pages; read += PdfReader.batchSize(pages)) sum += read
  return sum
}

const sentence = "A sentence that is long enough for the engine to be sure of its text, on page"

const pagesOf = (count: number): ReadonlyArray<{ readonly marks: ReadonlyArray<Mark> }> =>
  Array.from({ length: count }, (_, at) => ({ marks: [text(72, 300, `${sentence} ${at + 1}`)] }))

const expected = (count: number): Array<Array<number | string>> =>
  Array.from({ length: count }, (_, at) => [at + 1, `${sentence} ${at + 1}`])

/** Strokes too short to be rules: parts that make a page heavy for the engine only. */
const strokes = (count: number): ReadonlyArray<Mark> =>
  Array.from({ length: count }, (_, at): Mark => {
    const x0 = 20 + (at % 250) * 2
    const y0 = 20 + Math.floor(at / 250) * 2
    return { type: "line", x0, y0, x1: x0 + 1, y1: y0 }
  })

describe("PdfReader", () => {
  const counted = () => ({
    opened: vi.spyOn(LiteParse.prototype, "openBatchSession"),
    batches: vi.spyOn(ParseSession.prototype, "nextBatch"),
    ranges: vi.spyOn(LiteParse.prototype, "parse"),
    judged: vi.spyOn(LiteParse.prototype, "isComplex")
  })
  const calls = () => ({
    opened: spies.opened.mock.calls.length,
    batches: spies.batches.mock.calls.length,
    ranges: spies.ranges.mock.calls.length,
    judged: spies.judged.mock.calls.length
  })
  let spies: ReturnType<typeof counted>
  beforeEach(() => {
    spies = counted()
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it("walks through the page tree in time that grows with the pages, not with their square", () => {
    for (const pages of [250, 500, 1000]) assert.isAtMost(walked(pages), pages * 8)
  })

  it("reads a sixteenth of the pages in a call, at least 8 and at most 64", () => {
    assert.deepStrictEqual([0, 1, 128, 129, 619, 1024, 100_000].map(PdfReader.batchSize), [8, 8, 8, 9, 39, 64, 64])
  })

  it("opens a short document once", async () => {
    await parse({ pages: pagesOf(5) })
    assert.deepStrictEqual(calls(), { opened: 1, batches: 1, ranges: 0, judged: 0 })
  })

  it("opens a long document once and reads all its batches in that session, in at most 16 calls", async () => {
    const result = await parse({ pages: pagesOf(210) }, { maxPages: 200 })
    assert.deepStrictEqual(
      result.pages?.map(({ markdown, pageNumber }) => [pageNumber, markdown]),
      expected(200)
    )
    assert.deepInclude(result.metadata, { numPages: 200, totalPages: 210 })
    assert.deepStrictEqual(calls(), { opened: 1, batches: 16, ranges: 0, judged: 0 })
  })

  it("reads fewer pages in a call after pages that are too heavy for a batch, and more again after light ones", async () => {
    const pages = pagesOf(40).map(({ marks }, at) => ({ marks: at < 8 ? [...marks, ...strokes(15_000)] : marks }))
    const result = await parse({ pages })
    assert.deepStrictEqual(
      result.pages?.map(({ markdown, pageNumber }) => [pageNumber, markdown]),
      expected(40)
    )
    assert.deepStrictEqual(calls(), { opened: 1, batches: 1, ranges: 5, judged: 0 })
  })

  it("stays in its session after one heavy page among light ones", async () => {
    const pages = pagesOf(20).map(({ marks }, at) => ({ marks: at === 2 ? [...marks, ...strokes(20_000)] : marks }))
    await parse({ pages })
    assert.deepStrictEqual(calls(), { opened: 1, batches: 3, ranges: 0, judged: 0 })
  })

  it("asks for the engine's verdict about pages in doubt only", async () => {
    const sound = pagesOf(1)
    const empty = { marks: [{ type: "image", x: 0, y: 0, width: 612, height: 792 } as const] }
    const result = await parse({ pages: [...sound, empty, ...sound] })
    assert.deepStrictEqual(
      result.blocks?.map(({ status }) => status),
      ["ok", "partial", "ok"]
    )
    assert.deepStrictEqual(calls(), { opened: 1, batches: 1, ranges: 0, judged: 1 })
  })
})
