import { assert, describe, it } from "@effect/vitest"
import * as PageOcr from "../../../src/engine/ocr/PageOcr.ts"
import * as Picture from "../../../src/engine/ocr/Picture.ts"
import * as Skew from "../../../src/engine/ocr/Skew.ts"
import * as Pdf from "../../../src/engine/pdf/PdfEngine.ts"
import * as PdfModule from "../../../src/engine/PdfModule.ts"
import { lines, type PageSpec, ruledTable, text, write } from "../pdf/writePdf.ts"
import { drawn, faulty, mostAtOnce, pdfOf, scanned, scripted, settings } from "./scans.ts"

const module = await PdfModule.load()
const ocr = PageOcr.make(settings())

const parse = async (
  bytes: Uint8Array,
  options: Partial<Pdf.PdfOptions> = {},
  by: PageOcr.PageOcr | undefined = ocr
): Promise<Pdf.PdfSuccess> => {
  const all = { mode: "auto", pages: true, blocks: true, pageMarkers: false, ...options } as const
  const result = await Pdf.parsePdf(bytes, all, { module, ocr: by })
  if (result.kind === "failure") throw new Error(result.error)
  return result
}

const letter: PageSpec = {
  marks: [
    text(72, 90, "Annual report", { size: 26 }),
    ...lines(72, 130, ["The station was opened in spring, and the", "first readings were taken in May."], {}, 13),
    ...ruledTable(
      72,
      200,
      [120, 120],
      [
        ["Month", "Rain"],
        ["May", "41"],
        ["June", "37"]
      ]
    )
  ]
}

const short: PageSpec = {
  marks: lines(72, 100, ["The quick brown fox jumps over", "the lazy dog near the river."], { size: 14 }, 18)
}

describe("PageOcr", () => {
  it("gives a scan the blocks, boxes and tables of a page with text, with source and confidence", async () => {
    const { blocks, markdown, warning } = await parse(pdfOf([await scanned(letter, 0, 0.02)]))
    assert.strictEqual(
      markdown,
      [
        "# Annual report",
        "The station was opened in spring, and the first readings were taken in May.",
        "| Month | Rain |\n| --- | --- |\n| May | 41 |\n| June | 37 |"
      ].join("\n\n")
    )
    assert.isUndefined(warning)
    const [page] = blocks ?? []
    assert.strictEqual(page?.status, "ok")
    for (const block of page?.items ?? []) {
      assert.strictEqual(block.source, "layout_ocr")
      assert.isNull(block.confidence.layout)
      assert.isTrue((block.confidence.ocr ?? 0) > 0.8 && (block.confidence.ocr ?? 0) <= 1)
    }
    const [x0, y0, x1, y1] = page?.items[0]?.bbox ?? [0, 0, 0, 0]
    assert.closeTo(x0 * 612, 72, 8)
    assert.closeTo(x1 * 612, 232, 12)
    assert.closeTo(y0 * 792, 70, 10)
    assert.closeTo(y1 * 792, 96, 10)
  })

  it("turns a page upright, and gives boxes on the page as shown", async () => {
    const { blocks, markdown } = await parse(pdfOf([await scanned(short, 90)]))
    assert.strictEqual(markdown, "The quick brown fox jumps over the lazy dog near the river.")
    const [page] = blocks ?? []
    assert.closeTo(page?.width ?? 0, 792, 1)
    const [x0, y0, x1, y1] = page?.items[0]?.bbox ?? [0, 0, 0, 0]
    // Lines run down the page from its upper right corner.
    assert.isTrue(x0 > 0.8 && x1 < 0.92 && y0 < 0.15 && y1 > 0.35, [x0, y0, x1, y1].join())
  })

  it("reads the scans of a document in mode auto, all pages in mode ocr, and none in mode fast", async () => {
    const written = write({ pages: [short] })
    const native = await parse(written)
    assert.strictEqual(native.blocks?.[0]?.items[0]?.source, "native_text")
    const read = await parse(written, { mode: "ocr" })
    assert.strictEqual(read.blocks?.[0]?.items[0]?.source, "layout_ocr")
    assert.strictEqual(read.markdown, native.markdown)
    const fast = await Pdf.parsePdf(
      pdfOf([await scanned(short)]),
      { mode: "fast", pages: true, blocks: true, pageMarkers: false },
      { module, ocr }
    )
    assert.deepInclude(fast, { kind: "failure", code: "SCRAPE_PDF_OCR_REQUIRED" })
  })

  it("reads only the scans among the pages of a document, each page in its place", async () => {
    const native = "A page of letters that stands between two scans of one page each."
    const other = {
      marks: lines(72, 300, ["Nobody was seen in the village", "before the end of the winter."], { size: 14 }, 18)
    }
    const { blocks, pages, warning } = await parse(pdfOf([await scanned(short), native, await scanned(other)]))
    assert.deepStrictEqual(
      pages?.map(({ markdown }) => markdown),
      [
        "The quick brown fox jumps over the lazy dog near the river.",
        native,
        "Nobody was seen in the village before the end of the winter."
      ]
    )
    assert.deepStrictEqual(
      blocks?.map(({ items, status }) => [status, items[0]?.source]),
      [
        ["ok", "layout_ocr"],
        ["ok", "native_text"],
        ["ok", "layout_ocr"]
      ]
    )
    assert.isUndefined(warning)
  })

  it("answers pages as partial for which the time ran out", async () => {
    const slow = PageOcr.make(faulty("setInterval(() => {}, 1000)"))
    const bytes = pdfOf([await scanned(short), await scanned(short)])
    const { blocks, markdown, warning } = await parse(bytes, { deadline: Date.now() + 5000 }, slow)
    assert.strictEqual(markdown.trim(), "")
    assert.deepStrictEqual(
      blocks?.map(({ status }) => status),
      ["partial", "partial"]
    )
    assert.strictEqual(
      warning,
      "No readable text layer on page 1-2: the time for OCR ran out; parse it again with a longer timeout."
    )
  })

  it("ends a recogniser that hangs, at the deadline", async () => {
    const hanging = PageOcr.make(faulty("for (;;) {}"))
    const { warning } = await parse(pdfOf([await scanned(short)]), { deadline: Date.now() + 5000 }, hanging)
    assert.strictEqual(
      warning,
      "No readable text layer on page 1: the time for OCR ran out; parse it again with a longer timeout."
    )
  })

  it("gives each page of a document without a deadline its own time, and says so before it begins", async () => {
    const began: Array<number> = []
    const patient: PageOcr.PageOcr = {
      threads: 1,
      withThreads: () => patient,
      document: () => ({
        read: (page, until) => {
          assert.isAtMost(until, Date.now() + 300_000)
          return Promise.resolve(page)
        }
      })
    }
    const bytes = pdfOf([await scanned(short), await scanned(short)])
    const { late } = await parse(bytes, { beginPart: (within) => began.push(within) }, patient)
    assert.isFalse(late)
    assert.deepStrictEqual(began, [60_000, 60_000, 300_000, 300_000, 300_000])
  })

  it("says of a page with a text layer that it keeps its text, when the time for mode ocr runs out", async () => {
    const slow = PageOcr.make(faulty("setInterval(() => {}, 1000)"))
    const { late, markdown, warning } = await parse(
      write({ pages: [short] }),
      { mode: "ocr", deadline: Date.now() + 1500 },
      slow
    )
    assert.isTrue(late)
    assert.include(markdown, "The quick brown fox")
    assert.strictEqual(
      warning,
      "Page 1 has the text of its text layer, which was not recognised: the time for OCR ran out; parse it again with a longer timeout."
    )
  })

  it("answers a page of scribbles as partial, and an empty one as complete", async () => {
    const strokes = Array.from({ length: 24 }, (_, at) => ({
      type: "line" as const,
      x0: 80 + (at % 12) * 40,
      y0: 100 + Math.floor(at / 12) * 60,
      x1: 92 + (at % 12) * 40 + ((at * 7) % 17),
      y1: 118 + Math.floor(at / 12) * 60 - ((at * 5) % 29)
    }))
    const pages = [await scanned({ marks: strokes }), await scanned({ marks: [] })]
    const { blocks, markdown, warning } = await parse(pdfOf(pages))
    assert.strictEqual(markdown.trim(), "")
    assert.deepStrictEqual(
      blocks?.map(({ status }) => status),
      ["partial", "ok"]
    )
    assert.strictEqual(warning, "No readable text layer on page 1: no printed text was recognised.")
  })

  it("says why a recogniser that ended could not read a page", async () => {
    const broken = PageOcr.make(faulty("process.exit(3)"))
    const { blocks, warning } = await parse(pdfOf([await scanned(short)]), {}, broken)
    assert.strictEqual(blocks?.[0]?.status, "partial")
    assert.match(warning ?? "", /page 1: OCR failed \(the thread of tesseract\.js ended/)
  })

  it("finds the turn of a page by its letters", async () => {
    const picture = await drawn(letter)
    for (const turn of [0, 90, 180, 270] as const) {
      const back = turn === 90 ? 270 : turn === 270 ? 90 : turn
      assert.strictEqual(Skew.likelyTurns(Picture.upright(picture, back))[0], turn)
    }
  })

  it("reads a page that lies upside down", async () => {
    const { markdown } = await parse(pdfOf([await scanned(letter, 180)]))
    assert.include(markdown, "The station was opened in spring, and the first readings were taken in May.")
  })

  it("reads the halves of a single page without drawn lines side by side as the page", async () => {
    const before = ["The quick brown fox jumps over", "the lazy dog near the river."]
    const after = ["Nobody was seen in the village", "before the end of the winter."]
    const parts: PageSpec = {
      marks: [...lines(72, 300, before, { size: 14 }, 18), ...lines(72, 440, after, { size: 14 }, 18)]
    }
    const scan = pdfOf([await scanned(parts)])
    const { settings: fake, log } = scripted(200)
    await parse(scan, {}, PageOcr.make({ ...fake, threads: 2 }))
    assert.strictEqual(mostAtOnce(log), 2)
    const halves = await parse(scan, {}, PageOcr.make({ ...settings(), threads: 2 }))
    assert.strictEqual(halves.markdown, `${before.join(" ")}\n\n${after.join(" ")}`)
    const table = scripted(200)
    await parse(pdfOf([await scanned(letter)]), {}, PageOcr.make({ ...table.settings, threads: 2 }))
    assert.strictEqual(mostAtOnce(table.log), 1)
  })

  it("reads two columns one after the other, as a page with text", async () => {
    const left = [
      "The harbour was closed when the",
      "ice came down the river, and no",
      "ship was seen before the spring.",
      "Grain was carried over the hills"
    ]
    const right = [
      "by horses that were bought from",
      "the farmers of the next valley.",
      "In the second winter nobody had",
      "anything left that could be sold."
    ]
    const columns: PageSpec = {
      marks: [
        ...lines(72, 100, [...left, ...left], { size: 12 }, 15),
        ...lines(312, 100, [...right, ...right], { size: 12 }, 15)
      ]
    }
    const native = await parse(write({ pages: [columns] }))
    const { markdown } = await parse(pdfOf([await scanned(columns)]))
    const words = (text: string) => text.split(/\s+/)
    assert.deepStrictEqual(words(markdown), words(native.markdown))
    assert.isBelow(markdown.lastIndexOf("hills"), markdown.indexOf("horses"))
  })

  it("reads pages side by side, each in its place, and no more than it has threads", async () => {
    const { settings: fake, log } = scripted(900)
    const black = { width: 1275, height: 1650, pixels: new Uint8Array(1275 * 1650).fill(20) }
    black.pixels.fill(255, 0, 1275 * 800)
    const white = await scanned(short)
    const { pages } = await parse(pdfOf([black, white, white, white]), {}, PageOcr.make({ ...fake, threads: 2 }))
    assert.deepStrictEqual(
      pages?.map(({ markdown }) => markdown.replace("# ", "")),
      ["dark", "light", "light", "light"]
    )
    assert.strictEqual(mostAtOnce(log), 2)
  })

  it("loses only the page that is late, and leaves no thread", async () => {
    const running = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length
    const before = running()
    const { settings: fake } = scripted(60_000)
    const black = { width: 1275, height: 1650, pixels: new Uint8Array(1275 * 1650).fill(20) }
    black.pixels.fill(255, 0, 1275 * 800)
    const white = await scanned(short)
    const recogniser = PageOcr.make({ ...fake, threads: 2 })
    const { blocks, late } = await parse(
      pdfOf([white, black, white, white]),
      { deadline: Date.now() + 8000 },
      recogniser
    )
    assert.isTrue(late)
    assert.deepStrictEqual(
      blocks?.map(({ status }) => status),
      ["ok", "partial", "ok", "ok"]
    )
    await new Promise((resolve) => setTimeout(resolve, 2500))
    assert.isAtMost(running(), before)
  })
})
