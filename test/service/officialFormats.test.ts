import { readFileSync } from "node:fs"
import { assert, describe } from "@effect/vitest"
import { type Document, Firecrawl, type ParseOptions } from "@mendable/firecrawl-js"
import { Context, Effect, Layer, Schema } from "effect"
import { sharing } from "../fixtures/sharing.ts"
import { engineWith, page } from "./rows/exchange.ts"
import { answerOf } from "./rows/options.ts"
import { start } from "./serverFixture.ts"

/** The official client of a server that parses for real and has a scripted model. */
class Official extends Context.Tag("officialFormats/Official")<Official, Firecrawl>() {}

const official = Layer.scoped(
  Official,
  Effect.map(
    Effect.suspend(() => start({ engine: engineWith(answerOf) })),
    (apiUrl) => new Firecrawl({ apiKey: "fc-any", apiUrl })
  )
)

const sample = (filename: string) => ({
  filename,
  data: readFileSync(new URL(`../../examples/documents/${filename}`, import.meta.url))
})

const webPage = { filename: "page.html", data: Buffer.from(page) }

const parse = (file: { readonly filename: string; readonly data: Buffer }, options?: ParseOptions) =>
  Effect.flatMap(Official, (client) => Effect.promise(() => client.parse(file, options)))

const refusal = (options: ParseOptions) =>
  Effect.flatMap(Official, (client) =>
    Effect.flip(
      Effect.tryPromise({
        try: () => client.parse(webPage, options),
        catch: Schema.decodeUnknownSync(
          Schema.Struct({ status: Schema.Number, message: Schema.String, code: Schema.optional(Schema.String) })
        )
      })
    )
  )

const schema = { type: "object", properties: { station: { type: "string" } }, required: ["station"] }

/** Every type but json, as text and as an object. */
const formats = ["markdown", "html", "rawHtml", { type: "links" }, { type: "images" }, "summary"] as const

const everyFormat: ParseOptions["formats"] = [...formats, { type: "json", schema, prompt: "the station" }]

/** One file of each family, with words of its Markdown and its HTML. */
const families: ReadonlyArray<readonly [name: string, markdown: RegExp, html: RegExp]> = [
  ["handbook.pdf", /# Station Handbook/, /<h1>Station Handbook<\/h1>/],
  ["visit-report.docx", /# Visit report, Saddle Point/, /<h1>Visit report, Saddle Point<\/h1>/],
  ["rainfall.xlsx", /\| month \| Larkfield/, /<th>month<\/th>\s*<th>Larkfield<\/th>/],
  ["budget.ods", /\| Sensors \| 4200/, /<td>Sensors<\/td>\s*<td>4200<\/td>/],
  ["introduction.pptx", /Becoming an observer/, /Becoming an observer/],
  ["minutes.epub", /# Minutes of the spring meeting/, /<h1>Minutes of the spring meeting<\/h1>/],
  ["letter.rtf", /Dear neighbour,/, /<p>Dear neighbour,<\/p>/],
  ["stations.csv", /\| Mill Ridge \| MR-2/, /<td>Mill Ridge<\/td>\s*<td>MR-2<\/td>/],
  ["network.html", /# The station network/, /<h1>The station network<\/h1>/]
]

describe("the official client against the server that parses", () => {
  const test = sharing(official)

  for (const [name, markdown, html] of families) {
    test(`gets every format of ${name}`, () =>
      Effect.gen(function* () {
        const parsed = yield* parse(sample(name), { formats: everyFormat })
        assert.match(parsed.markdown ?? "", markdown)
        assert.match(parsed.html ?? "", html)
        assert.match(parsed.rawHtml ?? "", html)
        assert.isArray(parsed.links)
        assert.isArray(parsed.images)
        assert.strictEqual(parsed.summary, "Stations and their weather.")
        assert.deepStrictEqual(parsed.json, { station: "Tarn House" })
        assert.strictEqual(parsed.metadata?.sourceURL, name)
        if (name.endsWith(".html")) assert.include(parsed.links ?? [], "https://stations.example/handbook.pdf")
      }))
  }

  test("gets the answer of every option", () =>
    Effect.gen(function* () {
      const words = (options: ParseOptions) =>
        Effect.map(parse(webPage, options), (parsed: Document) => parsed.markdown ?? "")
      const plain = yield* words({})
      assert.notMatch(plain, /Menu words|Accept all cookies|data:image/)
      assert.match(yield* words({ onlyMainContent: false }), /Menu words/)
      assert.match(yield* words({ onlyMainContent: false, blockAds: false }), /Accept all cookies/)
      assert.notMatch(yield* words({ includeTags: ["table"] }), /Six stations/)
      assert.notMatch(yield* words({ excludeTags: ["table"] }), /Tarn House/)
      const withData = yield* parse(webPage, { formats: ["images"], removeBase64Images: false })
      assert.include(withData.images ?? [], "data:image/png;base64,iVBORw0KGgo=")
      // A parser without a network and without an audit log takes these, and its answer is the same.
      for (const options of [
        { headers: { "X-Station": "1" } },
        { skipTlsVerification: false },
        { proxy: "basic" },
        { proxy: "auto" },
        { timeout: 300_000 },
        { origin: "rows" },
        { integration: "_rows" },
        { auditMetadata: { username: "ada" } },
        { parsers: ["pdf"] }
      ] satisfies ReadonlyArray<ParseOptions>) {
        assert.strictEqual(yield* words(options), plain, JSON.stringify(options))
      }
    }))

  test("gets pages, blocks and markers of a PDF, as far as maxPages goes", () =>
    Effect.gen(function* () {
      for (const mode of ["fast", "auto"] as const) {
        const pdf = { type: "pdf", mode, maxPages: 2, pages: true, blocks: true, pageMarkers: true } as const
        const parsed = yield* parse(sample("handbook.pdf"), { parsers: [pdf] })
        assert.include(parsed.markdown, "\n\n---\n\n<!-- page 2 -->\n\n")
        assert.strictEqual(parsed.pages?.length, 2)
        assert.strictEqual(parsed.blocks?.length, 2)
        assert.deepInclude(parsed.metadata, { numPages: 2, totalPages: 4 })
      }
    }))

  test("is refused what the interface does not know", () =>
    Effect.gen(function* () {
      const question = yield* refusal({ formats: [{ type: "question", question: "where?" }] })
      assert.deepInclude(question, { status: 400, code: "PARSE_UNSUPPORTED_OPTIONS" })
      assert.match(question.message, /^formats\[0\]/)
      const images = yield* refusal({ parsers: [{ type: "image" }] })
      assert.strictEqual(images.status, 400)
      assert.match(images.message, /^parsers\[0\]/)
      const fast = yield* refusal({ fastMode: true })
      assert.deepInclude(fast, { status: 400, code: "BAD_REQUEST" })
      assert.match(fast.message, /^fastMode is not an option/)
      const nothing = yield* refusal({ formats: [{ type: "json", schema: { type: "nothing" } }] })
      assert.strictEqual(nothing.status, 422)
      const moon = yield* refusal({ formats: [{ type: "json", schema, prompt: "the moon" }] })
      assert.strictEqual(moon.status, 422)
    }))
})
