import { assert, describe, it } from "@effect/vitest"
import type { StandardSchemaV1 } from "@standard-schema/spec"
import * as Async from "docsluice/Async"
import * as AutoChunker from "docsluice/AutoChunker"
import * as Extraction from "docsluice/Extraction"
import * as Parser from "docsluice/Parser"
import { Effect, Schema, Stream } from "effect"
import { z } from "zod/v4"
import { listen } from "./fixtures/answering.ts"
import { file, live } from "./service/collaborators.ts"

const Invoice = Schema.Struct({
  number: Schema.String,
  issued: Schema.Date,
  lines: Schema.Array(Schema.Struct({ text: Schema.String, total: Schema.Number }))
})

const conforming = { number: "A-1", issued: "2026-01-31", lines: [{ text: "paper", total: 12.5 }] }

const metadata = { sourceURL: "a.pdf", statusCode: 200 }

const answers = (json: unknown, more: object = {}) =>
  listen(() => ({ success: true, data: { markdown: "# Invoice", json, metadata, ...more } }))

const content = new TextEncoder().encode("%PDF-1.4")

const pdf: Async.AsyncFile = { path: "a.pdf", content }

/** The schema with its JSON Schema, as Zod 4.2 brings it. */
const bringing = <A>(schema: z.ZodType<A>): StandardSchemaV1<unknown, A> => {
  const standard = { ...schema["~standard"], jsonSchema: { input: () => z.toJSONSchema(schema) } }
  return { "~standard": standard }
}

const isKind = Schema.is(Schema.Struct({ kind: Schema.String }))

const rejection = (promise: Promise<unknown>): Effect.Effect<unknown> =>
  Effect.promise(() =>
    promise.then(
      () => assert.fail("resolved"),
      (error: unknown) => error
    )
  )

describe("Parser.extract", () => {
  it.scopedLive("sends the JSON Schema with prompt and check, and decodes the answer", () =>
    Effect.gen(function* () {
      const server = yield* answers(conforming)
      const options = {
        prompt: "the invoice",
        checkPromptInjection: true,
        parseOptions: { formats: [{ type: "links" }] }
      } as const
      const { document, value } = yield* Parser.extract(file("a.pdf"), Invoice, options).pipe(
        Effect.provide(Parser.layer()),
        Effect.provide(live(server.base))
      )
      assert.deepStrictEqual(value, { ...conforming, issued: new Date("2026-01-31") })
      assert.strictEqual(document.markdown, "# Invoice")
      const [asked] = server.options
      assert.deepNestedInclude(asked, {
        "formats[0].type": "markdown",
        "formats[1].type": "links",
        "formats[2].prompt": "the invoice"
      })
      assert.deepNestedInclude(asked, {
        "formats[2].checkPromptInjection": true,
        "formats[2].schema.required[0]": "number"
      })
    })
  )

  it.scopedLive("names every place that does not conform, with the answer and its warnings", () =>
    Effect.gen(function* () {
      const server = yield* answers(
        { number: 7, issued: "2026-01-31", lines: [{ text: "paper" }] },
        { warning: "hard to read" }
      )
      const error = yield* Parser.extract(file("a.pdf"), Invoice).pipe(
        Effect.provide(Parser.layer()),
        Effect.provide(live(server.base)),
        Effect.flip
      )
      assert(error._tag === "ExtractionError")
      assert.deepStrictEqual(
        error.mismatches.map(({ path }) => path),
        ["number", "lines[0].total"]
      )
      assert.deepStrictEqual(error.warnings, ["hard to read"])
      assert.include(error.message, "a.pdf: the extracted data do not conform to the schema: number: ")
    })
  )

  it.scopedLive("fails when nothing was extracted", () =>
    Effect.gen(function* () {
      const server = yield* answers(null, { warning: "no invoice here" })
      const error = yield* Parser.extract(file("a.pdf"), Invoice).pipe(
        Effect.provide(Parser.layer()),
        Effect.provide(live(server.base)),
        Effect.flip
      )
      assert(error._tag === "ExtractionError")
      assert.isNull(error.json)
      assert.include(error.message, "no invoice here")
    })
  )

  it.effect("refuses a schema that JSON Schema cannot express, before anything is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Extraction.fromSchema(Schema.Struct({ id: Schema.BigIntFromSelf })))
      assert.strictEqual(error._tag, "InvalidOptions")
      assert.match(error.message, /^schema: expected a schema that can be written as JSON Schema/)
    })
  )
})

describe("Extraction.fromJsonSchema", () => {
  it.effect("refuses a schema that refers to itself without an end", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Extraction.fromJsonSchema({ $ref: "#" }))
      assert.match(error.message, /it refers to itself without an end/)
    })
  )

  it.effect("takes a value without a property that is named as a member of every object", () =>
    Effect.gen(function* () {
      const { decode } = yield* Extraction.fromJsonSchema({ properties: { constructor: { type: "string" } } })
      assert.deepStrictEqual(yield* decode({}), {})
    })
  )
})

describe("Async.extract", () => {
  it.scopedLive("takes a Zod schema, which brings its JSON Schema or is given beside one", () =>
    Effect.gen(function* () {
      const server = yield* answers(conforming)
      const schema = z.object({ number: z.string(), lines: z.array(z.object({ total: z.number() })) })
      const own = yield* Effect.promise(() => Async.extract(pdf, bringing(schema), { service: server.base }))
      assert.deepStrictEqual(own.value, { number: "A-1", lines: [{ total: 12.5 }] })
      const pair = { schema, jsonSchema: z.toJSONSchema(schema) }
      const { value } = yield* Effect.promise(() => Async.extract(pdf, pair, { service: server.base }))
      assert.deepStrictEqual(value, { number: "A-1", lines: [{ total: 12.5 }] })
      const wrong = z.object({ number: z.number() })
      const error = yield* rejection(
        Async.extract(pdf, { schema: wrong, jsonSchema: z.toJSONSchema(wrong) }, { service: server.base })
      )
      assert(error instanceof Extraction.ExtractionError)
      assert.deepStrictEqual(
        error.mismatches.map(({ path }) => path),
        ["number"]
      )
    })
  )

  it.scopedLive("takes a JSON Schema of draft 7 and of 2020-12, and checks the answer by it", () =>
    Effect.gen(function* () {
      const server = yield* answers(conforming)
      for (const $schema of [undefined, "https://json-schema.org/draft/2020-12/schema"]) {
        const schema = { ...($schema && { $schema }), type: "object", required: ["due"], additionalProperties: false }
        const error = yield* rejection(Async.extract(pdf, schema, { service: server.base }))
        assert(error instanceof Extraction.ExtractionError)
        assert.deepStrictEqual(
          error.mismatches.map(({ path }) => path),
          ["", "number", "issued", "lines"]
        )
        const { value } = yield* Effect.promise(() =>
          Async.extract(pdf, { ...($schema && { $schema }), type: "object" }, { service: server.base })
        )
        assert.deepStrictEqual(value, conforming)
      }
      const invalid = yield* rejection(Async.extract(pdf, { type: "no such type" }, { service: server.base }))
      assert.propertyVal(invalid, "_tag", "InvalidOptions")
    })
  )
})

describe("the formats of a document", () => {
  const members = {
    html: "<p>a</p>",
    rawHtml: "<html></html>",
    links: ["https://a.example"],
    images: [],
    summary: "short"
  }

  it.scopedLive("are handed on, with unknown members, without Markdown when that is not asked for", () =>
    Effect.gen(function* () {
      const server = yield* listen(() => ({
        success: true,
        data: { ...members, json: { a: 1 }, novel: [1], metadata }
      }))
      const parseOptions = { formats: [{ type: "html" }, { type: "links" }] } as const
      const document = yield* Effect.promise(() => Async.parse(pdf, { service: server.base, parseOptions }))
      assert.deepInclude(document, { ...members, json: { a: 1 }, others: { novel: [1] }, markdown: "" })
      assert.deepStrictEqual(document.warnings, [])
    })
  )

  it.scopedLive("are empty, with a warning, where the answer lacks one that was asked for", () =>
    Effect.gen(function* () {
      const server = yield* listen(() => ({ success: true, data: { html: null, metadata } }))
      const parseOptions = { formats: [{ type: "html" }, { type: "images" }] } as const
      const document = yield* Effect.promise(() => Async.parse(pdf, { service: server.base, parseOptions }))
      assert.isNull(document.html)
      assert.deepStrictEqual(document.images, [])
      assert.deepStrictEqual(document.warnings, [
        "the answer has no html, which was asked for",
        "the answer has no images, which was asked for"
      ])
    })
  )

  it.scopedLive("reach the metadata of the chunks of a run", () =>
    Effect.gen(function* () {
      const server = yield* listen(() => ({
        success: true,
        data: { ...members, markdown: "text", json: { kind: "memo" }, metadata }
      }))
      const chunker = AutoChunker.make({
        metadata: ({ json, summary }) => ({ ...(summary && { summary }), ...(isKind(json) && { kind: json.kind }) })
      })
      const parseOptions = { formats: [{ type: "markdown" }, { type: "summary" }, { type: "json" }] } as const
      const chunks = Async.chunks({ files: [pdf], name: "in", service: server.base, parseOptions, chunker })
      const [chunk] = yield* Effect.orDie(Stream.runCollect(Stream.fromAsyncIterable(chunks, (error) => error)))
      assert.deepInclude(chunk?.metadata, { summary: "short", kind: "memo" })
    })
  )
})
