/** The page takes what `ingest` takes: texts are read by the server itself, and the service is not asked. */
import { assert, describe, it } from "@effect/vitest"
import * as DocumentChunk from "docsluice/DocumentChunk"
import * as Readers from "docsluice/Readers"
import * as Accounts from "docsluice/service/Accounts"
import { Engine } from "docsluice/service/Engine"
import * as Server from "docsluice/service/Server"
import * as SourceFile from "docsluice/SourceFile"
import { Effect, Layer, Redacted, Schema } from "effect"
import { request, start } from "./serverFixture.ts"

const Received = Schema.Struct({ id: Schema.String, pages: Schema.Number, text: Schema.Boolean, root: Schema.String })
const Parsed = Schema.Struct({
  answer: Schema.Struct({ data: Schema.Struct({ markdown: Schema.String }) }),
  verbatim: Schema.Boolean,
  pages: Schema.Array(Schema.Unknown),
  warnings: Schema.Array(Schema.String)
})
const Chunked = Schema.Struct({ chunks: Schema.NonEmptyArray(Schema.Unknown) })
const Settings = Schema.Struct({ extensions: Schema.Array(Schema.String) })
const Refusal = Schema.Struct({ error: Schema.Struct({ tag: Schema.String, remedy: Schema.String }) })

/** Texts by their names, with a part of the Markdown of each; `verbatim` where that is no Markdown. */
const texts = [
  { name: "notes.md", text: "# Gauges\n\nCalibrated in May.\n", shows: "# Gauges", verbatim: false },
  { name: "a.json", text: '{ "gauges": [{ "name": "North" }] }', shows: '"North"', verbatim: true },
  {
    name: "a.eml",
    text: "From: a@example.com\r\nSubject: Gauges\r\n\r\nOn Monday.",
    shows: "On Monday.",
    verbatim: true
  },
  {
    name: "a.ipynb",
    text: JSON.stringify({ nbformat: 4, nbformat_minor: 5, cells: [{ cell_type: "markdown", source: ["# Gauges"] }] }),
    shows: "# Gauges",
    verbatim: false
  }
] as const

const chunking = { chunker: "auto", maxTokens: 64, overlap: 0, minTokens: 0, tokenizer: "o200k_base" }

const headers = (key: string, type: string) => ({ authorization: `Bearer ${key}`, "content-type": type })

const post = (base: string, key: string, path: string, body: unknown) =>
  request(`${base}/_look/documents/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: headers(key, "application/json")
  })

const received = (base: string, key: string, name: string, body: string | Buffer<ArrayBuffer>) =>
  Effect.map(
    request(`${base}/_look/documents?name=${name}`, {
      method: "POST",
      body,
      headers: headers(key, "application/octet-stream")
    }),
    (answer) => Schema.decodeUnknownSync(Received)(answer.body)
  )

const plan = (name: string, limits: Partial<Omit<ConstructorParameters<typeof Accounts.ApiKey>[0], "name" | "hash">>) =>
  Effect.map(Accounts.hashKey(Redacted.make(name)), (hash) => new Accounts.ApiKey({ name, hash, ...limits }))

/** A server whose engine must not be asked, with a plan of one credit, and one that may not parse. */
const started = Effect.gen(function* () {
  const plans = [yield* plan("poor", { credits: 1 }), yield* plan("barred", { permissions: ["agent"] })]
  const engine = Layer.succeed(Engine, { version: "unasked", parse: () => Effect.dieMessage("the engine is asked") })
  return yield* start({ engine, server: { plans }, services: Layer.orDie(Server.layerLook()) })
})

const refusedAs = (tag: string, status: number, answer: { readonly status: number; readonly body: unknown }) =>
  assert.deepEqual([answer.status, Schema.decodeUnknownSync(Refusal)(answer.body).error.tag], [status, tag])

describe("texts on the page", { timeout: 120_000 }, () => {
  it.scopedLive("gives chunks as JSON lines with the ids of a root, and refuses a root that is no name", () =>
    Effect.gen(function* () {
      const base = yield* started
      const { name, text } = texts[0]
      const file = yield* received(base, "poor", name, text)
      assert.strictEqual(file.root, "uploads")
      yield* post(base, "poor", `${file.id}/parse`, { options: {} })
      const lines = (root: unknown) => post(base, "poor", `${file.id}/lines`, { ...chunking, root })
      const chunksOf = (answer: { readonly body: unknown }) =>
        String(answer.body)
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => Schema.decodeUnknownSync(Schema.parseJson(DocumentChunk.DocumentChunk))(line))
      const [one, other] = [chunksOf(yield* lines("docs")), chunksOf(yield* lines("other"))]
      const [chunk] = one
      assert.deepInclude(
        { ...chunk },
        { documentId: SourceFile.documentId("docs", name), source: name, text: text.trimEnd() }
      )
      assert.notStrictEqual(chunk?.id, other[0]?.id)
      for (const root of ["a/b", "", undefined]) refusedAs("OptionError", 400, yield* lines(root))
    })
  )

  it.scopedLive("are parsed and split without the engine and without credits", () =>
    Effect.gen(function* () {
      const base = yield* started
      const { body } = yield* request(`${base}/_look/settings`)
      assert.deepEqual(Schema.decodeUnknownSync(Settings)(body).extensions, Readers.Readers.defaultValue().readable)
      for (const { name, shows, text, verbatim } of texts) {
        const file = yield* received(base, "poor", name, text)
        assert.deepEqual([file.pages, file.text], [0, true], name)
        const answer = yield* post(base, "poor", `${file.id}/parse`, { options: {} })
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        const parsed = Schema.decodeUnknownSync(Parsed)(answer.body)
        assert.include(parsed.answer.data.markdown, shows, name)
        assert.deepEqual([parsed.pages, parsed.verbatim], [[], verbatim], name)
        const split = yield* post(base, "poor", `${file.id}/chunks`, chunking)
        assert.isTrue(Schema.is(Chunked)(split.body), name)
      }
    })
  )

  it.scopedLive("say which formats they have not, and are refused without redaction, permission, or text", () =>
    Effect.gen(function* () {
      const base = yield* started
      const { id } = yield* received(base, "poor", "notes.md", "# Gauges")
      const links = yield* post(base, "poor", `${id}/parse`, { options: { formats: ["markdown", "links"] } })
      assert.deepEqual(Schema.decodeUnknownSync(Parsed)(links.body).warnings, [
        "the answer has no links, which was asked for"
      ])
      const redacted = { options: { redactPII: true } }
      refusedAs("TextUnreadable", 422, yield* post(base, "poor", `${id}/parse`, redacted))
      const binary = yield* received(base, "poor", "a.md", Buffer.from([0, 1, 2, 0, 255, 0, 7, 0, 0, 9]))
      refusedAs("TextUnreadable", 422, yield* post(base, "poor", `${binary.id}/parse`, { options: {} }))
      const barred = yield* received(base, "barred", "notes.md", "# Gauges")
      refusedAs("Forbidden", 403, yield* post(base, "barred", `${barred.id}/parse`, { options: {} }))
    })
  )
})

describe("files that the page does not take", () => {
  it.scopedLive("are refused with what reads them, where that is known", () =>
    Effect.gen(function* () {
      const base = yield* started
      const archive = yield* request(`${base}/_look/documents?name=a.zip`, {
        method: "POST",
        body: "PK",
        headers: headers("poor", "application/octet-stream")
      })
      refusedAs("UnsupportedFile", 415, archive)
      assert.include(JSON.stringify(archive.body), "docsluice ingest zip:FILE")
    })
  )
})
