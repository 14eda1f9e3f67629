import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Firecrawl } from "@mendable/firecrawl-js"
import { Limits } from "docsluice/service/Client"
import { DocumentUnparsable } from "docsluice/service/ServiceError"
import { Effect, Redacted, Schema } from "effect"
import { start } from "./serverFixture.ts"

/** Errors of the official client. */
const Thrown = Schema.Struct({
  message: Schema.String,
  status: Schema.Number,
  code: Schema.optional(Schema.String)
})

const client = (apiUrl: string, apiKey = "fc-good") => new Firecrawl({ apiKey, apiUrl })

const thrownBy = (parse: () => Promise<unknown>) =>
  Effect.flip(Effect.tryPromise({ try: parse, catch: (error) => Schema.decodeUnknownSync(Thrown)(error) }))

const sample = (name: string): Buffer => readFileSync(new URL(`../../examples/documents/${name}`, import.meta.url))

const data = Buffer.from("%PDF-1.4 a report")

const server = start({
  server: { keys: [Redacted.make("fc-good")] },
  engine: {
    scripts: {
      "corrupt.pdf": {
        error: new DocumentUnparsable({ status: 500, error: "It is corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })
      }
    }
  }
})

describe("the official client against the server", () => {
  it.scopedLive("parses a document with options", () =>
    Effect.gen(function* () {
      const base = yield* server
      const parsed = yield* Effect.promise(() =>
        client(base).parse(
          { data, filename: "report.pdf", contentType: "application/pdf" },
          {
            formats: ["markdown", "html", { type: "json", prompt: "the title", schema: { type: "object" } }],
            onlyMainContent: false,
            timeout: 60_000,
            parsers: [{ type: "pdf", mode: "auto", maxPages: 2, pages: true, blocks: true }]
          }
        )
      )
      assert.isString(parsed.markdown)
      assert.isString(parsed.html)
      assert.strictEqual(parsed.metadata?.sourceURL, "report.pdf")
      assert.strictEqual(parsed.metadata?.["numPages"], 2)
      assert.strictEqual(parsed.metadata?.["creditsUsed"], 6)
    })
  )

  it.scopedLive("parses without options and with a name that is not ASCII", () =>
    Effect.gen(function* () {
      const base = yield* server
      const parsed = yield* Effect.promise(() => client(base).parse({ data, filename: "naïve 数.docx" }))
      assert.strictEqual(parsed.metadata?.sourceURL, "naïve 数.docx")
    })
  )

  it.scopedLive("gets the catalogue's errors", () =>
    Effect.gen(function* () {
      const base = yield* server
      const key = yield* thrownBy(() => client(base, "fc-bad").parse({ data, filename: "report.pdf" }))
      assert.deepInclude(key, { status: 401, message: "Unauthorized: Invalid token" })

      const type = yield* thrownBy(() => client(base).parse({ data, filename: "report.exe" }))
      assert.deepInclude(type, { status: 400, code: "UNSUPPORTED_FILE_TYPE" })
      assert.match(type.message, /^Unsupported file type: "report\.exe"/)

      const options = yield* thrownBy(() => client(base).parse({ data, filename: "report.pdf" }, { timeout: 300_001 }))
      assert.deepInclude(options, {
        status: 400,
        code: "BAD_REQUEST",
        message: "timeout is 300001; expected an integer from 1 to 300000"
      })

      const large = { data: new Uint8Array(Limits.uploadBytes + 1), filename: "large.pdf" }
      const size = yield* thrownBy(() => client(base).parse(large))
      assert.deepInclude(size, { status: 413, message: "Payload Too Large" })

      const corrupt = yield* thrownBy(() => client(base).parse({ data, filename: "corrupt.pdf" }))
      assert.deepInclude(corrupt, { status: 500, code: "SCRAPE_ALL_ENGINES_FAILED", message: "It is corrupt" })
    })
  )

  it.scopedLive("parses a PDF, a Word document and a web page with the engine that really parses", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { keys: [Redacted.make("fc-good")] }, engine: "native" })
      const parse = (filename: string, options: Parameters<Firecrawl["parse"]>[1]) =>
        Effect.promise(() => client(base).parse({ data: sample(filename), filename }, options))
      const pdf = yield* parse("handbook.pdf", {
        parsers: [{ type: "pdf", mode: "auto", maxPages: 3, pages: true, blocks: true }]
      })
      assert.match(pdf.markdown ?? "", /\| Saddle Point \| SP-3 \| 2,307 \|/)
      assert.deepInclude(pdf.metadata, { numPages: 3, totalPages: 4, title: "Station Handbook", creditsUsed: 3 })
      const word = yield* parse("visit-report.docx", { formats: ["markdown"] })
      assert.match(word.markdown ?? "", /# Visit report, Saddle Point/)
      const page = yield* parse("network.html", { formats: ["markdown", "html", "links"], excludeTags: ["table"] })
      assert.match(page.markdown ?? "", /^# The station network/)
      assert.notMatch(page.html ?? "", /<table/)
      assert.include(page.links ?? [], "https://stations.example/handbook.pdf")
    })
  )
})
