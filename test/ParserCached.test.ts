import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import * as ParseCache from "docsluice/ParseCache"
import { fromData } from "docsluice/ParsedDocument"
import * as Parser from "docsluice/Parser"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import { BadRequest } from "docsluice/service/ServiceError"
import * as SourceFile from "docsluice/SourceFile"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Fiber, Layer, Logger, Stream, TestClock } from "effect"
import { CurrentFile } from "../src/internal/client/currentFile.ts"
import * as RunState from "../src/internal/client/runState.ts"
import * as FaultServer from "./faultserver/server.ts"
import { paid } from "./fixtures/paid.ts"
import { over } from "./service/collaborators.ts"

const file = (path: string, text = "some bytes") =>
  SourceFile.fromBytes({ root: "docs", path, bytes: new TextEncoder().encode(text) })

const engine = (options: ScriptedEngine.Options = {}) =>
  Layer.provide(Embedded.layerEngine(), ScriptedEngine.layer(options))

const cached = (
  client: Layer.Layer<Client.Client>,
  parse: ParseOptions = {},
  options: { readonly refresh?: boolean } = {}
) => Layer.provideMerge(Parser.layer(parse, options), client)

/** Parses as one run; returns the origins and the number of requests. */
const parseAll = (files: ReadonlyArray<SourceFile.SourceFile>) =>
  Effect.gen(function* () {
    const run = yield* RunState.make
    const documents = yield* Effect.forEach(files, Parser.parse, { concurrency: files.length }).pipe(
      Effect.provideService(RunState.CurrentRun, run)
    )
    return { origins: documents.map(({ origin }) => origin).toSorted(), requests: run.counters.requests, documents }
  })

const twins = ["a.pdf", "b.pdf", "c.pdf"].map((path) => file(path))

describe("Parser with a cache", () => {
  it.effect("sends the same bytes once when several paths have them at the same time, and not at all later", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(parseAll(twins))
      yield* TestClock.adjust("1 second")
      const first = yield* Fiber.join(fiber)
      assert.deepInclude(first, { origins: ["cache", "cache", "service"], requests: 1 })
      assert.deepStrictEqual(
        first.documents.map(({ source }) => source),
        ["a.pdf", "b.pdf", "c.pdf"]
      )
      const again = yield* parseAll(twins)
      assert.deepInclude(again, { origins: ["cache", "cache", "cache"], requests: 0 })
    }).pipe(
      Effect.provide(cached(engine({ scripts: { "a.pdf": { delay: "1 second" } } }))),
      Effect.provide(ParseCache.layerMemory())
    )
  )

  const names = (path: string, title: string) => ({ sourceURL: path, title })

  it.effect("never uses the answer for another file type, even for the same bytes, at the same time or later", () =>
    Effect.gen(function* () {
      const files = [file("t.csv"), file("u.html"), file("deep/v.htm")]
      const fiber = yield* Effect.fork(parseAll(files))
      yield* TestClock.adjust("1 second")
      const first = yield* Fiber.join(fiber)
      assert.deepInclude(first, { origins: ["cache", "service", "service"], requests: 2 })
      const again = yield* parseAll(files)
      assert.deepInclude(again, { origins: ["cache", "cache", "cache"], requests: 0 })
      for (const { documents } of [first, again]) {
        assert.deepStrictEqual(
          documents.map(({ metadata }) => metadata.contentType),
          ["text/csv", "text/html", "text/html"]
        )
      }
    }).pipe(
      Effect.provide(cached(engine({ scripts: { "u.html": { delay: "1 second" } } }))),
      Effect.provide(ParseCache.layerMemory())
    )
  )

  it.effect("replaces sourceURL, and a title made of it, by each file's own name when files have the same bytes", () =>
    Effect.gen(function* () {
      const { documents } = yield* parseAll(twins)
      const later = yield* parseAll([file("deep/moved.pdf")])
      assert.deepStrictEqual(
        [...documents, ...later.documents].map(({ metadata: { sourceURL, title } }) => ({ sourceURL, title })),
        [names("a.pdf", "a.pdf"), names("b.pdf", "b.pdf"), names("c.pdf", "c.pdf"), names("moved.pdf", "moved.pdf")]
      )
      assert.strictEqual(later.requests, 0)
    }).pipe(Effect.provide(cached(engine())), Effect.provide(ParseCache.layerMemory()))
  )

  it.effect("keeps the name of a cached answer that was redacted", () =>
    Effect.gen(function* () {
      const first = yield* parseAll([file("old.pdf")])
      const later = yield* parseAll([file("Desmond Okafor.pdf")])
      assert.strictEqual(later.requests, 0)
      assert.deepStrictEqual(later.documents[0]?.metadata, first.documents[0]?.metadata)
    }).pipe(Effect.provide(cached(engine(), { redactPII: { mode: "fast" } })), Effect.provide(ParseCache.layerMemory()))
  )

  it.effect("keeps a title that the document has, and one that a service made of the name without its extension", () =>
    Effect.gen(function* () {
      const titled = (title: string) =>
        fromData(file("new.pdf"), "", { metadata: { sourceURL: "old.pdf", title } }, { origin: "cache" }).metadata
      assert.deepStrictEqual(titled("A report"), names("new.pdf", "A report"))
      assert.deepStrictEqual(titled("old"), names("new.pdf", "new"))
      const address = { sourceURL: "https://example.org/old.pdf", title: "old.pdf" }
      assert.deepStrictEqual(
        fromData(file("new.pdf"), "", { metadata: address }, { origin: "cache" }).metadata,
        address
      )
      const nameless = { title: "old.pdf" }
      assert.deepStrictEqual(
        fromData(file("new.pdf"), "", { metadata: nameless }, { origin: "cache" }).metadata,
        nameless
      )
      const fresh = { sourceURL: "old.pdf" }
      assert.deepStrictEqual(fromData(file("new.pdf"), "", { metadata: fresh }).metadata, fresh)
    })
  )

  it.effect("refuses a type that the service does not take, though the bytes are known", () =>
    Effect.gen(function* () {
      yield* parseAll([file("a.html")])
      const error = yield* Effect.flip(parseAll([file("a.psd")]))
      assert.strictEqual(error._tag, "UnsupportedFile")
      assert.include(error.message, "a.psd")
    }).pipe(Effect.provide(cached(engine())), Effect.provide(ParseCache.layerMemory()))
  )

  it.effect("ignores answers cached before a refreshing parser was made, and uses those cached since", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      const before = yield* Effect.provide(parseAll([file("a.pdf")]), cached(engine()))
      yield* TestClock.adjust("1 minute")
      const refreshed = yield* Effect.provide(
        Effect.all([parseAll([file("a.pdf")]), parseAll([file("b.pdf")])]),
        cached(engine(), {}, { refresh: true })
      )
      assert.deepStrictEqual([before.requests, ...refreshed.map(({ requests }) => requests)], [1, 1, 0])
    }).pipe(Effect.provide(ParseCache.layerMemory()))
  )

  it.effect("keeps nothing with zeroDataRetention", () =>
    Effect.gen(function* () {
      const cache = yield* ParseCache.ParseCache
      const parse = Effect.provide(parseAll([file("a.pdf")]), cached(engine(), { zeroDataRetention: true }))
      assert.deepStrictEqual([(yield* parse).requests, (yield* parse).requests], [1, 1])
      assert.strictEqual((yield* cache.stats).entries, 0)
    }).pipe(Effect.provide(ParseCache.layerMemory()))
  )

  it.effect(
    "finds the cached answer of another service under that service's name, and asks its own when it is missing",
    () =>
      Effect.gen(function* () {
        yield* Effect.provide(parseAll([file("a.pdf")]), cached(engine({ version: "one" })))
        const cache = yield* ParseCache.ParseCache
        const other = Effect.gen(function* () {
          const parser = yield* Parser.Parser
          const run = yield* RunState.make
          const known = { identity: "embedded one" }
          const document = yield* parser
            .parse(file("a.pdf"), {})
            .pipe(Effect.provideService(CurrentFile, known), Effect.provideService(RunState.CurrentRun, run))
          return [document.origin, run.counters.requests]
        }).pipe(Effect.provide(cached(engine({ version: "two" }))))
        assert.deepStrictEqual(yield* other, ["cache", 0])
        yield* cache.clear
        assert.deepStrictEqual(yield* other, ["service", 1])
      }).pipe(Effect.provide(ParseCache.layerMemory()))
  )

  it.effect("says so where the cache cannot tell the answer of another service, which is asked for again", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const cache = yield* ParseCache.ParseCache
      const broken = new ParseCache.ParseCacheError({ directory: "d", reason: "Io", problem: "unreadable" })
      const document = yield* Parser.parse(file("a.pdf")).pipe(
        Effect.provideService(CurrentFile, { identity: "embedded one" }),
        Effect.provide(cached(engine({ version: "two" }))),
        Effect.provideService(ParseCache.ParseCache, { ...cache, get: () => Effect.fail(broken) }),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      assert.strictEqual(document.origin, "service")
      assert.lengthOf(lines, 1)
      assert.match(lines[0] ?? "", /unreadable; [0-9a-f]{64} may be parsed, and paid for, again/)
    }).pipe(Effect.provide(ParseCache.layerMemory()))
  )

  it.effect("reports the hash of a failing document to the run", () =>
    Effect.gen(function* () {
      const hashes: Array<string> = []
      const run = yield* RunState.make
      const hashing = { ...run, hashed: (hash: string) => void hashes.push(hash) }
      yield* Effect.flip(Effect.provideService(Parser.parse(file("a.pdf")), RunState.CurrentRun, hashing))
      assert.match(hashes[0] ?? "", /^[0-9a-f]{64}$/)
    }).pipe(
      Effect.provide(cached(engine({ scripts: { "a.pdf": { error: new BadRequest({ status: 400, error: "no" }) } } }))),
      Effect.provide(ParseCache.layerMemory())
    )
  )

  it.effect("bounds the cost of a file by the options", () =>
    Effect.gen(function* () {
      const parser = yield* Parser.Parser
      const { worstCase } = yield* Effect.flatten(parser.terms({}))
      const cost = (path: string, pages: number | null) => worstCase(file(path), pages)
      assert.deepStrictEqual(cost("a.pdf", null), { pages: 9, credits: 9 })
      assert.deepStrictEqual(cost("a.pdf", 4), { pages: 4, credits: 4 })
      assert.deepStrictEqual(cost("a.pdf", 40), { pages: 9, credits: 9 })
      assert.deepStrictEqual(cost("a.docx", null), { pages: 1, credits: 1 })
    }).pipe(
      Effect.provide(cached(paid(engine()), { parsers: [{ type: "pdf", maxPages: 9 }] })),
      Effect.provide(ParseCache.layerMemory())
    )
  )

  it.scopedLive("caches an answer before its slot is released", () =>
    Effect.gen(function* () {
      const server = yield* FaultServer.start()
      const cache = yield* ParseCache.ParseCache
      const atRelease: Array<number> = []
      const gate = Layer.scoped(
        RequestGate.RequestGate,
        Effect.map(RequestGate.make({ concurrency: 1 }), (inner) => {
          const own: RequestGate.RequestGate.Service = {
            ...inner,
            of: () => Effect.succeed(own),
            use: (request, observe, options) =>
              inner.use(
                Effect.tap(request, () =>
                  Effect.map(cache.stats, ({ entries }) => void atRelease.push(entries)).pipe(Effect.orDie)
                ),
                observe,
                options
              )
          }
          return own
        })
      )
      const client = Client.layer({ baseUrl: server.base, apiKey: "none" }).pipe(
        Layer.provide([gate, UndiciHttpClient.layer()]),
        Layer.orDie
      )
      const files = ["a.pdf", "b.pdf", "c.pdf"].map((path) => file(path, path))
      yield* Effect.provide(
        Stream.runDrain(Parser.parseAll({ concurrency: 3 })(Stream.fromIterable(files))),
        cached(client)
      )
      assert.deepStrictEqual(atRelease, [1, 2, 3])
    }).pipe(Effect.provide(ParseCache.layerMemory()))
  )

  it.scopedLive("gives from the cache what the service answered, member by member, however it was written", () =>
    Effect.gen(function* () {
      const body = {
        success: true,
        extra: [1],
        data: {
          markdown: "# Ä\n\n\u{1F600}",
          embeddings: [[0.1]],
          links: ["a", 1],
          pages: [{ pageNumber: 1, markdown: "# Ä" }, { pageNumber: 0 }],
          metadata: { title: "T", statusCode: 200, language: null, custom: { deep: true } }
        }
      }
      const written = [
        JSON.stringify(body),
        JSON.stringify(body, null, 2),
        `\r\n ${JSON.stringify(body)}\n`,
        JSON.stringify({ ...body, data: { ...body.data, html: "x".repeat(50_000) } })
      ]
      let asked = 0
      const http = HttpClient.make((request) =>
        Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(written[asked++ % written.length])))
      )
      const files = written.map((_, index) => file(`${index}.pdf`, `${index}`))
      yield* Effect.gen(function* () {
        for (const one of files) {
          const first = yield* Parser.parse(one)
          const second = yield* Parser.parse(one)
          assert.deepStrictEqual(second, { ...first, origin: "cache" })
          assert.deepStrictEqual(first.pages, [{ pageNumber: 1, markdown: "# Ä" }])
        }
        assert.strictEqual(asked, written.length)
      }).pipe(Effect.provide(cached(over(http))))
    }).pipe(Effect.provide(ParseCache.layerMemory()))
  )

  it.effect("keeps an answer that came just before the caller was interrupted", () =>
    Effect.gen(function* () {
      const cache = yield* ParseCache.ParseCache
      const slow = Layer.succeed(ParseCache.ParseCache, {
        ...cache,
        getOrParse: (request, ask) =>
          cache.getOrParse(request, (keep) =>
            typeof ask === "function" ? ask((answer) => Effect.zipRight(Effect.sleep("1 second"), keep(answer))) : ask
          )
      })
      const fiber = yield* Effect.fork(
        Effect.provide(Parser.parse(file("a.pdf")), Layer.provide(Parser.layer(), [engine(), slow]))
      )
      yield* TestClock.adjust("500 millis")
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(interrupting)
      assert.strictEqual((yield* cache.stats).entries, 1)
    }).pipe(Effect.provide(ParseCache.layerMemory()))
  )
})
