import { assert } from "@effect/vitest"
import { blockTypes, type ParseData } from "docsluice/ParsedDocument"
import { Effect } from "effect"
import { metricsWith, upload } from "../serverFixture.ts"
import type { Case } from "./exchange.ts"
import { dataOf, example, withMarkdown } from "./options.ts"

const blockMembers = ["id", "type", "label", "bbox", "content", "markdownSpan", "readingOrder", "source", "confidence"]

const pageMembers = ["pageNumber", "width", "height", "status", "items"]

/** Members of the shared response schema that no format of parse asks for. */
const shared = {
  rawBase64: "JVBERg==",
  screenshot: "https://example.com/shot.png",
  audio: "https://example.com/a.mp3?signature=1",
  video: "https://example.com/a.mp4?signature=1",
  answer: "yes",
  highlights: ["a"],
  actions: { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] },
  changeTracking: { changeStatus: "new", visibility: "visible", previousScrapeAt: null },
  branding: { logo: "x" },
  product: { name: "x" },
  menu: { items: [] }
} satisfies Partial<ParseData>

/** Rows that a server which parses uploads cannot honestly produce, with the reason; a scripted engine answers them. */
export const scriptedOnly: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(shared).map((name) => [`Shared response: ${name}`, "no format of parse asks for this member"])
  ),
  "Limits: Screenshot lifetime": "a parse makes no screenshots, so none expires; the address is handed on",
  "Limits: Signed URL lifetime": "a parse makes neither audio nor video, so no address expires; it is handed on",
  "data.metadata: url": "an upload has no address, and no redirects",
  "data.metadata: error":
    "a page that answers with an error has no upload; a document that cannot be read is an error answer",
  "General errors: 400 Invalid URL": "a parse takes no URL",
  "General errors: 409 Conflict": "an upload has no state that another request could have changed",
  "General errors: 502 Bad Gateway": "no proxy stands in front of this server's engine",
  "General errors: 504 Gateway Timeout": "no gateway stands in front of this server; a parse that is too slow is a 408"
}

/** An answer of a scripted engine, in whole. */
const scripted = (title: string, rows: ReadonlyArray<string>, data: Partial<ParseData>, ends: Case["ends"]): Case => ({
  title,
  rows,
  server: { engine: { scripts: { "page.html": { data } } } },
  ends
})

/** Uploads for the rows of an answer: its members, pages and blocks, the metadata. */
export const answerCases: ReadonlyArray<Case> = [
  {
    title: "blocks have their page, their place and their piece of the Markdown",
    rows: [...pageMembers, ...blockMembers].map((name) => `data.blocks: ${name}`),
    name: "handbook.pdf",
    bytes: example("handbook.pdf"),
    options: { parsers: [{ type: "pdf", blocks: true }] },
    ends: withMarkdown((markdown, { blocks }) => {
      const all = (blocks ?? []).flatMap((page) => page.items)
      assert.isAbove(all.length, 10)
      for (const [at, page] of (blocks ?? []).entries()) {
        assert.deepInclude(page, { pageNumber: at + 1, status: "ok" })
        assert.isAbove(Math.min(page.width ?? 0, page.height ?? 0), 100)
        for (const [order, block] of page.items.entries()) {
          assert.hasAllKeys(block, blockMembers)
          assert.strictEqual(block.id, `p${page.pageNumber}.b${order}`)
          assert.strictEqual(block.readingOrder, order)
          assert.include([...blockTypes], block.type)
          assert.isTrue(block.label === null || block.label.length > 0)
          assert.isTrue(block.source === null || block.source.length > 0)
          const [x0, y0, x1, y1] = block.bbox ?? [0, 0, 0, 0]
          assert.isTrue(0 <= x0 && x0 < x1 && x1 <= 1 && 0 <= y0 && y0 < y1 && y1 <= 1, block.id)
          if (block.markdownSpan !== null) assert.strictEqual(markdown.slice(...block.markdownSpan), block.content)
          assert.hasAllKeys(block.confidence, ["layout", "ocr"])
        }
      }
      assert.includeMembers(
        all.map((block) => block.type),
        ["title", "section_header", "text", "table"]
      )
    })
  },
  {
    title: "a page that failed has neither size nor blocks, and says so",
    rows: ["data.blocks: status", "data.blocks: width", "data.blocks: height"],
    server: {
      engine: {
        scripts: {
          "a.pdf": { data: { blocks: [{ pageNumber: 1, width: null, height: null, status: "failed", items: [] }] } }
        }
      }
    },
    name: "a.pdf",
    ends: (ending) =>
      assert.deepStrictEqual(dataOf(ending).blocks, [
        { pageNumber: 1, width: null, height: null, status: "failed", items: [] }
      ])
  },
  {
    title: "metadata are what the page states, its name and its type",
    rows: [
      "Parse response: metadata",
      ...[
        "title",
        "description",
        "keywords",
        "language",
        "sourceURL",
        "ogLocaleAlternate",
        "other extracted metadata keys",
        "statusCode",
        "contentType"
      ].map((name) => `data.metadata: ${name}`)
    ],
    ends: (ending) =>
      assert.deepInclude(dataOf(ending).metadata, {
        title: "Stations",
        description: "Six stations",
        keywords: "wind, rain",
        language: "en",
        sourceURL: "page.html",
        ogLocaleAlternate: ["de_DE"],
        author: "Ada",
        statusCode: 200,
        contentType: "text/html"
      })
  },
  {
    title: "metadata of a PDF hold its pages and its type",
    rows: ["data.metadata: numPages", "data.metadata: totalPages", "data.metadata: contentType"],
    name: "handbook.pdf",
    bytes: example("handbook.pdf"),
    ends: (ending) =>
      assert.deepInclude(dataOf(ending).metadata, {
        numPages: 4,
        totalPages: 4,
        contentType: "application/pdf",
        title: "Station Handbook"
      })
  },
  {
    title: "concurrencyLimited comes with the time in the queue",
    rows: [
      "data.metadata: concurrencyLimited",
      "data.metadata: concurrencyQueueDurationMs",
      "Limits: Concurrency limit"
    ],
    server: { server: { concurrency: 1 }, engine: { scripts: { "slow.html": { delay: "1 second" } } } },
    before: ({ base }) =>
      Effect.zipRight(
        Effect.forkScoped(upload(base, { name: "slow.html" })),
        metricsWith(base, 'docsluice_parses_by_origin_total{origin="api"} 1\n')
      ),
    ends: (ending) => {
      const { concurrencyLimited, concurrencyQueueDurationMs = 0 } = dataOf(ending).metadata
      assert.isTrue(concurrencyLimited)
      assert.isAbove(concurrencyQueueDurationMs, 0)
    }
  },
  scripted(
    "address and error of a page, and addresses that expire, are handed on",
    [
      "data.metadata: url",
      "data.metadata: error",
      "Limits: Screenshot lifetime",
      "Limits: Signed URL lifetime",
      ...Object.keys(shared).map((name) => `Shared response: ${name}`)
    ],
    { ...shared, metadata: { url: "https://example.com/b", error: "the page was not found" } },
    (ending) => {
      const data = dataOf(ending)
      assert.deepInclude(data, shared)
      assert.deepInclude(data.metadata, { url: "https://example.com/b", error: "the page was not found" })
    }
  )
]
