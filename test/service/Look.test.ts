import { mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { Engine } from "docsluice/service/Engine"
import * as Server from "docsluice/service/Server"
import * as SourceFile from "docsluice/SourceFile"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Deferred, Effect, Exit, Fiber, Layer, Redacted, Schema, Scope } from "effect"
import { lines, text, write } from "../engine/pdf/writePdf.ts"
import { page as builtPage } from "../fixtures/page.ts"
import { exchange, request, start, type StartOptions } from "./serverFixture.ts"

const pages = (count: number): Buffer<ArrayBuffer> =>
  Buffer.from(
    write({
      pages: Array.from({ length: count }, (_, at) => ({
        marks: [
          text(72, 72, `Gauges of ${1990 + at}`, { size: 20, font: "bold" }),
          ...lines(72, 110, ["All gauges were calibrated in May.", "They were cleaned in June."]),
          text(72, 300, "Nothing else was done that year.")
        ]
      }))
    })
  )

interface Options extends Omit<StartOptions, "services"> {
  readonly look?: Server.LookOptions
}

const started = ({ look = {}, ...options }: Options = {}) =>
  start({ engine: "native", ...options, services: Layer.orDie(Server.layerLook(look)) })

const Received = Schema.Struct({ id: Schema.String, name: Schema.String, bytes: Schema.Number, pages: Schema.Number })
const Refusal = Schema.Struct({
  error: Schema.Struct({ tag: Schema.String, message: Schema.String, remedy: Schema.NullOr(Schema.String) })
})
const ChunkedBody = Schema.Struct({
  chunks: Schema.Array(Schema.Struct({ start: Schema.Number, end: Schema.Number, tokens: Schema.Number })),
  gaps: Schema.Array(Schema.Struct({ start: Schema.Number, end: Schema.Number, what: Schema.String }))
})
const ParsedBody = Schema.Struct({
  answer: Schema.Struct({ data: Schema.Struct({ markdown: Schema.String, metadata: Schema.Unknown }) }),
  pages: Schema.Array(Schema.Struct({ number: Schema.Number, width: Schema.Number, height: Schema.Number })),
  spans: Schema.Array(Schema.Struct({ block: Schema.String, start: Schema.Number, end: Schema.Number })),
  warnings: Schema.Array(Schema.String),
  took: Schema.Number
})
const SettingsBody = Schema.Struct({
  keyed: Schema.Boolean,
  pictures: Schema.Boolean,
  extensions: Schema.Array(Schema.String),
  documents: Schema.Array(Schema.Struct({ ...Received.fields, until: Schema.NullOr(Schema.Number) }))
})

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

const upload = (base: string, name: string, body: Buffer<ArrayBuffer> | string, key?: string) =>
  request(`${base}/_look/documents?name=${encodeURIComponent(name)}`, {
    method: "POST",
    body,
    headers: { ...bearer(key), "content-type": "application/octet-stream" }
  })

const received = (base: string, name: string, body: Buffer<ArrayBuffer> | string, key?: string) =>
  Effect.map(upload(base, name, body, key), (answer) => {
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    return Schema.decodeUnknownSync(Received)(answer.body)
  })

const post = (base: string, path: string, body: unknown, key?: string) =>
  request(`${base}/_look/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...bearer(key), "content-type": "application/json" }
  })

const parse = (base: string, id: string, options: unknown = {}, key?: string) =>
  post(base, `documents/${id}/parse`, { options }, key)

const parsed = (base: string, id: string, options: unknown = {}, key?: string) =>
  Effect.map(parse(base, id, options, key), (answer) => {
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    return Schema.decodeUnknownSync(ParsedBody)(answer.body)
  })

const chunking = { chunker: "auto", maxTokens: 64, overlap: 0, minTokens: 0, tokenizer: "o200k_base" }

const chunks = (base: string, id: string, given: object = {}, key?: string) =>
  post(base, `documents/${id}/chunks`, { ...chunking, ...given }, key)

const picture = (base: string, id: string, page: number | string, width: number | string, key?: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${base}/_look/documents/${id}/pages/${page}?width=${width}`, { headers: bearer(key) })
    return { response, body: Buffer.from(await response.arrayBuffer()) }
  })

const remove = (base: string, id: string, key?: string) =>
  request(`${base}/_look/documents/${id}`, { method: "DELETE", headers: bearer(key) })

const settings = (base: string, key?: string) =>
  Effect.map(request(`${base}/_look/settings`, { headers: bearer(key) }), ({ body }) =>
    Schema.decodeUnknownSync(SettingsBody)(body)
  )

const assertRefused = (
  { body, status }: { readonly status: number; readonly body: unknown },
  expected: number,
  tag: string
) => {
  const { error } = Schema.decodeUnknownSync(Refusal)(body)
  assert.deepEqual([status, error.tag], [expected, tag])
  assert.isNotEmpty(error.message)
  assert.isNotNull(error.remedy)
}

/** A plan whose key is its name. */
const plan = (
  name: string,
  limits: Partial<Omit<ConstructorParameters<typeof Accounts.ApiKey>[0], "name" | "hash">> = {}
) => Effect.map(Accounts.hashKey(Redacted.make(name)), (hash) => new Accounts.ApiKey({ name, hash, ...limits }))

const keyed = (...names: ReadonlyArray<string>): Server.Options => ({ keys: names.map((name) => Redacted.make(name)) })

describe("Look", () => {
  it.scopedLive("answers / and its files with strict headers, compressed, and 304 to whom has them", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.promise(builtPage)
      const base = yield* started({ engine: {}, look: { page: folder } })
      for (const [path, type] of [
        ["/", "text/html; charset=utf-8"],
        ["/_look/app.js", "text/javascript; charset=utf-8"],
        ["/_look/app.css", "text/css; charset=utf-8"]
      ] as const) {
        const first = yield* Effect.promise(() => fetch(`${base}${path}`, { headers: { "accept-encoding": "br" } }))
        assert.strictEqual(first.status, 200)
        assert.strictEqual(first.headers.get("content-type"), type)
        assert.strictEqual(first.headers.get("content-encoding"), "br")
        assert.match(first.headers.get("content-security-policy") ?? "", /^default-src 'none'; script-src 'self';/)
        assert.strictEqual(first.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(first.headers.get("referrer-policy"), "no-referrer")
        assert.isAbove((yield* Effect.promise(() => first.text())).length, 100)
        const etag = first.headers.get("etag") ?? ""
        const again = yield* Effect.promise(() => fetch(`${base}${path}`, { headers: { "if-none-match": etag } }))
        assert.strictEqual(again.status, 304)
      }
      for (const path of ["LICENSES.txt", "..%2fpackage.json", "%2e%2e%2fapp.js", "other.js", "samples"]) {
        assert.strictEqual((yield* request(`${base}/_look/${path}`)).status, 404, path)
      }
      assert.strictEqual((yield* request(`${base}/health`)).status, 200)
    })
  )

  it.scopedLive("answers 503 in plain words while the page is not built, and its calls all the same", () =>
    Effect.gen(function* () {
      const base = yield* started({ engine: {}, look: { page: mkdtempSync(join(tmpdir(), "docsluice-nopage-")) } })
      assert.isFalse((yield* settings(base)).keyed)
      assert.strictEqual((yield* request(`${base}/`)).status, 503)
    })
  )

  it.scopedLive("leaves / to nobody without the service", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      assert.strictEqual((yield* request(`${base}/`)).status, 404)
      assert.strictEqual((yield* request(`${base}/_look/settings`)).status, 404)
    })
  )

  it.scopedLive(
    "takes a PDF, parses it, splits it again and again without a parse, draws its pages, and lets it go",
    () =>
      Effect.gen(function* () {
        const base = yield* started()
        const bytes = pages(3)
        const { id, pages: count, ...file } = yield* received(base, "C:\\me\\..\\gauges.pdf", bytes)
        assert.match(id, /^[0-9a-f]{32}$/)
        assert.deepEqual({ count, ...file }, { count: 3, name: "gauges.pdf", bytes: bytes.length })

        assertRefused(yield* chunks(base, id), 409, "NotParsed")
        const { answer, pages: shown, spans } = yield* parsed(base, id)
        assert.deepEqual(
          shown,
          [1, 2, 3].map((number) => ({ number, width: 612, height: 792 }))
        )
        const { markdown } = answer.data
        const titles = spans.map(({ end, start: from }) => markdown.slice(from, end))
        assert.includeMembers(titles, ["# Gauges of 1990", "Nothing else was done that year."])

        const sizes = yield* Effect.forEach([16, 64, 512], (maxTokens) =>
          Effect.map(chunks(base, id, { maxTokens }), ({ body }) => {
            const found = Schema.decodeUnknownSync(ChunkedBody)(body)
            assert.isTrue(found.chunks.every(({ tokens }) => tokens <= maxTokens))
            return found.chunks.length
          })
        )
        assert.isAbove(sizes[0] ?? 0, sizes[2] ?? 0)

        const { body, response } = yield* picture(base, id, 2, 640)
        assert.strictEqual(response.headers.get("content-type"), "image/png")
        assert.deepEqual([body.readUInt32BE(16), body.readUInt32BE(20)], [640, 828])
        const etag = response.headers.get("etag") ?? ""
        const again = yield* request(`${base}/_look/documents/${id}/pages/2?width=640`, {
          headers: { "if-none-match": etag }
        })
        assert.strictEqual(again.status, 304)
        assert.strictEqual((yield* picture(base, id, 1, 10)).body.readUInt32BE(16), 200)
        assertRefused(yield* request(`${base}/_look/documents/${id}/pages/4?width=640`), 404, "NoSuchPage")
        assertRefused(yield* request(`${base}/_look/documents/${id}/pages/0?width=640`), 404, "NoSuchPage")

        assert.strictEqual((yield* remove(base, id)).status, 204)
        assertRefused(yield* remove(base, id), 404, "DocumentGone")
        assertRefused(yield* parse(base, id), 404, "DocumentGone")
      })
  )

  it.scopedLive("takes a web page, which has no pages, and tells what no chunk holds", () =>
    Effect.gen(function* () {
      const base = yield* started()
      const { id, pages: count } = yield* received(base, "a.html", "<h1>Gauges</h1><p>Calibrated in May.")
      assert.strictEqual(count, 0)
      assert.isEmpty((yield* parsed(base, id)).pages)
      assertRefused(yield* request(`${base}/_look/documents/${id}/pages/1?width=640`), 404, "NoSuchPage")
      assert.strictEqual((yield* chunks(base, id, { chunker: "markdown" })).status, 200)
    })
  )

  it.scopedLive("refuses what it cannot take, with a tag and a remedy", () =>
    Effect.gen(function* () {
      const base = yield* started()
      assertRefused(yield* upload(base, "a.exe", "MZ"), 415, "UnsupportedFile")
      assertRefused(yield* upload(base, "../../etc/passwd", "root"), 415, "UnsupportedFile")
      assertRefused(yield* upload(base, "a.pdf", ""), 400, "EmptyFile")
      assertRefused(yield* request(`${base}/_look/nothing/here`), 404, "NotFound")
      assertRefused(yield* post(base, "search", { query: "gauges", limit: 5 }), 404, "NoStore")
      assertRefused(yield* parse(base, "0".repeat(32)), 404, "DocumentGone")

      const { id } = yield* received(base, "a.html", "<p>Calibrated in May.")
      assertRefused(yield* parse(base, id, { formats: ["nonsense"] }), 400, "BadRequest")
      assertRefused(yield* post(base, `documents/${id}/parse`, "none"), 400, "InvalidRequest")
      yield* parsed(base, id)
      assertRefused(yield* chunks(base, id, { overlap: 64 }), 400, "OptionError")
      assertRefused(yield* chunks(base, id, { maxTokens: 0 }), 400, "OptionError")
      assertRefused(yield* chunks(base, id, { tokenizer: "words" }), 400, "OptionError")

      const damaged = yield* received(base, "damaged.pdf", "%PDF-1.7\nnothing follows")
      assert.strictEqual(damaged.pages, 0)
      assertRefused(yield* parse(base, damaged.id), 500, "DocumentUnparsable")
      const tooLong = yield* exchange(
        base,
        [
          `POST /_look/documents?name=a.pdf HTTP/1.1\r\nhost: ${new URL(base).host}\r\ncontent-type: application/octet-stream\r\ncontent-length: 52428801\r\n\r\n`
        ],
        { until: /FileTooLarge/ }
      )
      assert.match(tooLong, /^HTTP\/1\.1 413 /)
    })
  )

  it.scopedLive("is called by its own page only, and by programs with a body that no form can send", () =>
    Effect.gen(function* () {
      const base = yield* started({ engine: {}, server: { cors: ["https://friend.example"] } })
      const from = (headers: Record<string, string>, method = "POST", path = "/_look/documents?name=a.html") =>
        request(`${base}${path}`, { method, headers, ...(method === "POST" && { body: "<p>x" }) })
      const type = { "content-type": "application/octet-stream" }
      assert.strictEqual((yield* from({ ...type, origin: base })).status, 201)
      assert.strictEqual((yield* from(type)).status, 201)
      assert.strictEqual((yield* from({ origin: base, "content-type": "text/plain" })).status, 201)
      assert.strictEqual((yield* from({ ...type, origin: "https://evil.example" })).status, 403)
      assertRefused(yield* from({ ...type, origin: "https://friend.example" }), 403, "ForeignPage")
      assertRefused(yield* from({ "content-type": "text/plain" }), 403, "ForeignPage")
      assertRefused(yield* from({ "content-type": "multipart/form-data; boundary=x" }), 403, "ForeignPage")
      const raw = (lines: string) =>
        exchange(base, [`${lines}\r\nhost: ${new URL(base).host}\r\nconnection: close\r\n\r\n`])
      assert.match(yield* raw("POST /_look/documents?name=a.html HTTP/1.1\r\ncontent-length: 0"), /^HTTP\/1\.1 403 /)
      assert.match(yield* raw("GET /_look/settings HTTP/1.1\r\nsec-fetch-site: cross-site"), /^HTTP\/1\.1 403 /)
      const rebound = yield* exchange(base, ["GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n"])
      assert.match(rebound, /^HTTP\/1\.1 403 /)
    })
  )

  it.scopedLive("asks for a key for all about documents, which belong to the key that brought them", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.promise(builtPage)
      const base = yield* started({ server: keyed("one", "two"), look: { page: folder } })
      assert.strictEqual((yield* request(`${base}/`)).status, 200)
      assert.isTrue((yield* settings(base)).keyed)
      assertRefused(yield* upload(base, "a.html", "<p>x"), 401, "Unauthorized")
      assertRefused(yield* upload(base, "a.html", "<p>x", "three"), 401, "Unauthorized")
      const { id } = yield* received(base, "a.pdf", pages(1), "one")
      assertRefused(yield* parse(base, id), 401, "Unauthorized")
      for (const refused of [
        yield* parse(base, id, {}, "two"),
        yield* chunks(base, id, {}, "two"),
        yield* remove(base, id, "two")
      ]) {
        assertRefused(refused, 404, "DocumentGone")
      }
      assert.strictEqual((yield* picture(base, id, 1, 300, "two")).response.status, 404)
      assert.strictEqual((yield* picture(base, id, 1, 300)).response.status, 401)
      assert.strictEqual((yield* picture(base, id, 1, 300, "one")).response.status, 200)
      yield* parsed(base, id, {}, "one")
      assert.strictEqual((yield* chunks(base, id, {}, "one")).status, 200)
    })
  )

  it.scopedLive("spends the credits of the plan for parses, and nothing for pictures and chunks", () =>
    Effect.gen(function* () {
      const plans = [yield* plan("poor", { credits: 2 }), yield* plan("barred", { permissions: ["agent"] })]
      const base = yield* started({ server: { plans } })
      const { id } = yield* received(base, "a.pdf", pages(1), "poor")
      yield* parsed(base, id, {}, "poor")
      for (const maxTokens of [16, 32, 64]) {
        assert.strictEqual((yield* chunks(base, id, { maxTokens }, "poor")).status, 200)
      }
      assert.strictEqual((yield* picture(base, id, 1, 300, "poor")).response.status, 200)
      yield* parsed(base, id, {}, "poor")
      assertRefused(yield* parse(base, id, {}, "poor"), 402, "PaymentRequired")
      const other = yield* received(base, "a.html", "<p>x", "barred")
      assertRefused(yield* parse(base, other.id, {}, "barred"), 403, "Forbidden")
    })
  )

  it.scopedLive(
    "retains nothing for a plan that requires it: no picture, no second parse, its answer for a minute",
    () =>
      Effect.gen(function* () {
        const plans = [yield* plan("strict", { zeroDataRetention: "required" }), yield* plan("usual")]
        const base = yield* started({ server: { plans } })
        assert.isTrue((yield* settings(base)).pictures)
        assert.isFalse((yield* settings(base, "strict")).pictures)
        const { id } = yield* received(base, "a.pdf", pages(1), "strict")
        const refused = yield* picture(base, id, 1, 300, "strict")
        assertRefused({ status: refused.response.status, body: JSON.parse(String(refused.body)) }, 403, "NoPictures")
        yield* parsed(base, id, {}, "strict")
        assertRefused(yield* parse(base, id, {}, "strict"), 404, "DocumentGone")
        assert.strictEqual((yield* chunks(base, id, {}, "strict")).status, 200)

        const other = yield* received(base, "a.pdf", pages(1), "usual")
        assert.strictEqual((yield* picture(base, other.id, 1, 300, "usual")).response.status, 200)
        yield* parsed(base, other.id, { zeroDataRetention: true }, "usual")
        assert.strictEqual((yield* picture(base, other.id, 1, 300, "usual")).response.status, 403)
        const alone = yield* started({ engine: {}, server: { plans: plans.slice(0, 1) } })
        assert.isFalse((yield* settings(alone)).pictures)
      })
  )

  it.scopedLive("shows files that were given at the start, and refuses early those that it cannot", () =>
    Effect.gen(function* () {
      const file = (path: string, bytes: Uint8Array) => SourceFile.fromBytes({ root: "r", path, bytes })
      const base = yield* started({ look: { files: [file("a.pdf", pages(2)), file("b.html", Buffer.from("<p>x"))] } })
      const { documents } = yield* settings(base)
      assert.deepEqual(
        documents.map(({ name, pages: count, until }) => [name, count, until]),
        [
          ["a.pdf", 2, null],
          ["b.html", 0, null]
        ]
      )
      yield* parsed(base, documents[0]?.id ?? "")
      const tagOf = (files: ReadonlyArray<SourceFile.SourceFile>) =>
        Effect.map(Effect.flip(Effect.scoped(Layer.build(Server.layerLook({ files })))), ({ _tag }) => _tag)
      const large = { ...file("a.pdf", Buffer.from("x")), size: 52_428_801 }
      assert.strictEqual(yield* tagOf([file("a.exe", Buffer.from("x"))]), "UnsupportedFile")
      assert.strictEqual(yield* tagOf([file("a.pdf", Buffer.alloc(0))]), "FileUnreadable")
      assert.strictEqual(yield* tagOf([large]), "FileTooLarge")
      assert.strictEqual(
        yield* tagOf(Array.from({ length: 11 }, () => ({ ...large, size: 52_428_800 }))),
        "OptionError"
      )
    })
  )

  it.scopedLive(
    "leaves no file behind: not after an upload that broke off, not while documents are held, not at its end",
    () =>
      Effect.gen(function* () {
        const spool = mkdtempSync(join(tmpdir(), "docsluice-look-"))
        const scope = yield* Scope.make()
        const base = yield* Scope.extend(started({ server: { spool } }), scope)
        const head = `POST /_look/documents?name=a.pdf HTTP/1.1\r\nhost: ${new URL(base).host}\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000000\r\n\r\n`
        yield* exchange(base, [head, Buffer.alloc(300_000)], { silence: 300 })
        const { id } = yield* received(base, "a.pdf", pages(2))
        assert.strictEqual((yield* picture(base, id, 1, 300)).response.status, 200)
        assert.isEmpty(readdirSync(spool))
        yield* Scope.close(scope, Exit.void)
        assert.isEmpty(readdirSync(spool))
      })
  )

  it.scopedLive("holds two documents apart on two servers", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* started({ engine: {} }), yield* started({ engine: {} })]
      const { id } = yield* received(one, "a.html", "<p>x")
      assertRefused(yield* remove(two, id), 404, "DocumentGone")
      assert.strictEqual((yield* remove(one, id)).status, 204)
    })
  )

  it.scopedLive("ends while a page is drawn and a document is parsed, with an answer to both", () =>
    Effect.gen(function* () {
      const parses = yield* Deferred.make<void>()
      const slow = Layer.effect(
        Engine,
        Effect.map(Engine, (engine) => ({
          ...engine,
          parseFile: () => Effect.zipRight(Deferred.succeed(parses, undefined), Effect.never)
        }))
      ).pipe(Layer.provide(ScriptedEngine.layer()))
      const scope = yield* Scope.make()
      const base = yield* Scope.extend(started({ engine: slow, server: { grace: "300 millis" } }), scope)
      const { id } = yield* received(base, "a.pdf", pages(40))
      const parsing = yield* Effect.fork(parse(base, id))
      const drawing = yield* Effect.fork(Effect.forEach([1, 2, 3], (page) => picture(base, id, page, 2400)))
      yield* Deferred.await(parses)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(parsing)).status, 503)
      yield* Fiber.await(drawing)
    })
  )

  it.scopedLive("goes on drawing after a browser that went away", () =>
    Effect.gen(function* () {
      const base = yield* started({ engine: {} })
      const { id } = yield* received(base, "a.pdf", pages(30))
      yield* picture(base, id, 1, 2400).pipe(Effect.timeoutOption("5 millis"))
      assert.strictEqual((yield* picture(base, id, 30, 300)).response.status, 200)
    })
  )
})
