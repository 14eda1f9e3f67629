import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Corpus from "docsluice/Corpus"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, Stream } from "effect"
import * as FaultServer from "../../faultserver/server.ts"
import * as Models from "../../fixtures/generationModels.ts"

const documents = 5

const stand = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "generations-"))),
    (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
  ),
  (directory) => {
    const places = Models.placesIn(directory)
    Models.writeDocuments(places.docs, documents)
    return { ...places, to: `libsql:${places.file}` as const }
  }
)

type Stand = Effect.Effect.Success<typeof stand>

const opened = ({ state, to }: Stand, model: Models.Model, more: Partial<Models.Opening> = {}) =>
  Models.open({ to, state, model, documents, ...more })

/** A service whose answers are counted. */
const parsingService = FaultServer.start({
  document: ({ filename }) => ({
    success: true,
    data: {
      markdown: Models.textOf(Number.parseInt(filename, 10)),
      metadata: { numPages: 1, totalPages: 1 }
    }
  })
})

const served = (
  { state, to }: Stand,
  service: Effect.Effect.Success<typeof parsingService>,
  model: Models.Model,
  { chunker, onTexts }: Partial<Models.Opening> = {}
) =>
  Effect.flatMap(Models.embedder(model, documents, onTexts), (embedder) =>
    Corpus.make({ to, state, service: service.base, embedder, chunker })
  ).pipe(Effect.provide(NodeContext.layer))

/** Paths and models of all that a reader finds in the store by words. */
const found = ({ file }: Stand) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file })
      const hits = yield* sink.search?.({ text: "gauge", limit: 50 }) ?? Effect.succeed([])
      const stamp = yield* sink.stamp ?? Effect.succeedNone
      const model = stamp._tag === "Some" ? stamp.value.space?.model : undefined
      return { model, sources: hits.map(({ chunk }) => chunk.source).toSorted() }
    })
  ).pipe(Effect.provide(NodeContext.layer))

const all = ["0.pdf", "1.pdf", "2.pdf", "3.pdf", "4.pdf"]

/** Fills the store with the first model, and a generation with the next one. */
const filled = (at: Stand) =>
  Effect.gen(function* () {
    yield* Effect.scoped(Effect.flatMap(opened(at, "first"), (docs) => docs.ingest({ root: at.docs })))
    return yield* Effect.scoped(
      Effect.flatMap(opened(at, "next"), (docs) => docs.ingest({ root: at.docs }, { beside: true }))
    )
  })

describe("generations of a corpus", () => {
  it.scopedLive(
    "embeds for another model without a request to the service, and searches the first one until the switch",
    () =>
      Effect.gen(function* () {
        const at = yield* stand
        const service = yield* parsingService
        let texts = 0
        yield* Effect.scoped(Effect.flatMap(served(at, service, "first"), (docs) => docs.ingest({ root: at.docs })))
        assert.lengthOf(service.log, documents)
        const next = yield* served(at, service, "next", { onTexts: (count) => void (texts += count) })
        const summary = yield* next.ingest({ root: at.docs }, { beside: true })
        assert.deepInclude(summary, { stored: documents, requests: 0, parsed: 0, fromCache: documents, credits: 0 })
        assert.lengthOf(service.log, documents)
        // One more tells how long its vectors are.
        assert.isAtMost(texts, documents + 1)
        assert.deepStrictEqual(yield* found(at), { model: "first", sources: all })
        const [serving, other] = yield* next.generations
        assert.deepInclude(serving, { number: 1, standing: "serving", chunks: documents })
        assert.deepInclude(other, { number: 2, standing: "whole", chunks: documents, behind: 0 })
        yield* next.switch()
        assert.deepStrictEqual(yield* found(at), { model: "next", sources: all })
        const [hit] = yield* next.search("query: number 1", { mode: "vectors", minScore: 0 })
        assert.strictEqual(hit?.chunk.source, "2.pdf")
        assert.deepInclude(yield* next.ingest({ root: at.docs }), { unchanged: documents, stored: 0 })
      })
  )

  it.scopedLive(
    "leaves both generations as they are when the documents have not changed, whichever is ingested into",
    () =>
      Effect.gen(function* () {
        const at = yield* stand
        yield* filled(at)
        const first = yield* Effect.scoped(
          Effect.flatMap(opened(at, "first"), (docs) => docs.ingest({ root: at.docs }))
        )
        assert.deepInclude(first, { unchanged: documents, stored: 0 })
        const docs = yield* opened(at, "next")
        assert.deepInclude(yield* docs.ingest({ root: at.docs }, { beside: true }), { unchanged: documents, stored: 0 })
        yield* docs.switch()
        yield* docs.rollback()
        assert.deepStrictEqual(yield* found(at), { model: "first", sources: all })
      })
  )

  it.scopedLive("parses nothing for another chunk size", () =>
    Effect.gen(function* () {
      const at = yield* stand
      const service = yield* parsingService
      yield* Effect.scoped(Effect.flatMap(served(at, service, "first"), (docs) => docs.ingest({ root: at.docs })))
      const docs = yield* served(at, service, "first", { chunker: { kind: "markdown", maxTokens: 8, overlap: 0 } })
      const summary = yield* docs.ingest({ root: at.docs }, { beside: true })
      assert.deepInclude(summary, { stored: documents, requests: 0 })
      assert.lengthOf(service.log, documents)
      const [serving, other] = yield* docs.switch()
      assert.strictEqual(other?.chunks, documents)
      assert.isAbove(serving?.chunks ?? 0, documents)
    })
  )

  it.scopedLive("does not switch while a document has changed since, and does once it is filled again", () =>
    Effect.gen(function* () {
      const at = yield* stand
      yield* filled(at)
      fs.writeFileSync(path.join(at.docs, "3.pdf"), `${Models.textOf(3)}\n\nAnd painted.`)
      yield* Effect.scoped(Effect.flatMap(opened(at, "first"), (docs) => docs.ingest({ root: at.docs })))
      const docs = yield* opened(at, "next")
      const refused = yield* Effect.flip(docs.switch())
      assert.match(refused.message, /lacks 1 of the documents .*3\.pdf.*fill it again with `?beside/u)
      assert.deepStrictEqual((yield* found(at)).model, "first")
      yield* docs.ingest({ root: at.docs }, { beside: true })
      yield* docs.switch()
      assert.deepStrictEqual((yield* found(at)).model, "next")
    })
  )

  it.scopedLive("removes a document from all generations: no rollback brings it back", () =>
    Effect.gen(function* () {
      const at = yield* stand
      yield* filled(at)
      const docs = yield* opened(at, "next")
      yield* docs.switch()
      fs.rmSync(path.join(at.docs, "2.pdf"))
      yield* docs.remove("2.pdf")
      const sink = yield* Effect.provide(LibSql.make({ file: at.file }), NodeContext.layer)
      for (const generation of yield* sink.generations?.list ?? Effect.succeed([])) {
        const listed = yield* Stream.runCollect(generation.sink.list ?? Stream.empty)
        assert.deepStrictEqual(
          [...listed].filter(({ documentId }) => documentId.includes("2.pdf")),
          [],
          `generation ${generation.number}`
        )
      }
      // One that mode sync removed from the serving generation is not brought back either.
      fs.rmSync(path.join(at.docs, "4.pdf"))
      assert.deepInclude(yield* docs.ingest({ root: at.docs }, { mode: "sync" }), { removed: 1 })
      yield* docs.rollback()
      assert.deepStrictEqual(yield* found(at), { model: "first", sources: ["0.pdf", "1.pdf", "3.pdf"] })
    })
  )

  it.scopedLive("forgets a dropped generation: a document of it is removed as if it never was", () =>
    Effect.gen(function* () {
      const at = yield* stand
      yield* filled(at)
      const docs = yield* opened(at, "next")
      yield* docs.switch()
      assert.lengthOf(yield* docs.drop(), 1)
      assert.deepInclude(yield* docs.remove("1.pdf"), { chunks: 1 })
      assert.deepStrictEqual((yield* found(at)).sources, ["0.pdf", "2.pdf", "3.pdf", "4.pdf"])
    })
  )

  it.scopedLive("refuses another state's store, unless it is adopted, and changes nothing", () =>
    Effect.gen(function* () {
      const at = yield* stand
      yield* filled(at)
      const other = { ...at, state: `${at.state}-2` }
      const docs = yield* opened(other, "next")
      for (const change of [docs.switch, docs.rollback, docs.drop]) {
        assert.match((yield* Effect.flip(change())).message, /belongs to another state/u)
      }
      assert.match(
        (yield* Effect.flip(docs.ingest({ root: at.docs }, { beside: true }))).message,
        /belongs to another state/u
      )
      const [, whole] = yield* docs.generations
      assert.strictEqual(whole?.standing, "whole")
      yield* docs.switch({ adopt: true })
      assert.strictEqual((yield* found(at)).model, "next")
    })
  )

  it.scopedLive("refuses to fill the former generation with another model, and keeps it for a rollback", () =>
    Effect.gen(function* () {
      const at = yield* stand
      yield* filled(at)
      yield* Effect.scoped(Effect.flatMap(opened(at, "next"), (docs) => docs.switch()))
      const docs = yield* opened(at, "next")
      const refused = yield* Effect.flip(docs.ingest({ root: at.docs }, { beside: true }))
      assert.match(refused.message, /holds vectors of first .*drop it first/u)
      yield* docs.rollback()
      assert.strictEqual((yield* found(at)).model, "first")
    })
  )

  it.scopedLive("switches one tenant of a store alone, for a corpus that searches all tenants too", () =>
    Effect.gen(function* () {
      const at = yield* stand
      const of = (tenant: string) => ({
        ...at,
        state: `${at.state}-${tenant}`,
        to: `${at.to}?tenant=${tenant}` as const
      })
      yield* filled(of("acme"))
      yield* filled(of("brook"))
      const reader = yield* opened({ ...at, state: `${at.state}-reader` }, "next")
      const nearest = (tenant: string) =>
        Effect.map(
          reader.search("query: number 1", { tenant, minScore: 0, mode: "vectors" }),
          ([hit]) => hit?.chunk.source
        )
      const docs = yield* opened(of("acme"), "next")
      yield* docs.switch()
      assert.strictEqual(yield* nearest("acme"), "2.pdf")
      const other = yield* Effect.flip(nearest("brook"))
      assert.include(other.message, "vectors of first")
      assert.include(
        (yield* Effect.flip(reader.generations)).message,
        'search with `tenant: "NAME"`, or give ?tenant=NAME'
      )
    })
  )

  it.scopedLive("finds what is there at any time while a corpus switches and drops", () =>
    Effect.gen(function* () {
      const at = yield* stand
      yield* filled(at)
      const docs = yield* opened(at, "next")
      const sink = yield* Effect.provide(LibSql.make({ file: at.file }), NodeContext.layer)
      const reads = Effect.gen(function* () {
        const hits = yield* sink.search?.({ text: "gauge", limit: 50 }) ?? Effect.succeed([])
        assert.lengthOf(hits, documents)
      })
      yield* Effect.race(
        Effect.forever(Effect.zipRight(reads, Effect.yieldNow())),
        Effect.gen(function* () {
          for (let round = 0; round < 3; round++) {
            yield* docs.switch()
            yield* docs.rollback()
          }
          yield* docs.switch()
          yield* docs.drop()
        })
      )
      yield* reads
    })
  )
})
