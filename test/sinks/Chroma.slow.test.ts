import { createServer, type Server } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { ChromaClient } from "chromadb"
import { type ChunkSink, stampedSpace } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import type { Filter } from "docsluice/Filter"
import * as Chroma from "docsluice/sinks/Chroma"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { ConfigProvider, Effect, Exit, Option, Redacted, Scope } from "effect"
import { afterAll } from "vitest"
import * as ChunkRecord from "../../sinks/internal/shared/ChunkRecord.ts"
import * as Proxy from "../fixtures/proxy.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import { library, space, tea } from "../fixtures/vectorChunks.ts"
import { chromaEngine, unavailable } from "./chromaServer.ts"
import { damagedRecord, damagedRowTest } from "./damagedRow.ts"
import { filterAgreementTest } from "./filterAgreement.ts"

const scope = Effect.runSync(Scope.make())
const engine = Effect.runSync(Effect.cached(Scope.extend(chromaEngine, scope)))
const server = Effect.map(engine, ({ url }) => url)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

let collections = 0
const freshName = Effect.sync(() => `test-${(collections += 1)}-chunks`)

const clientOf = (url: string) => new ChromaClient({ host: "127.0.0.1", port: Number(new URL(url).port) })

/** Reads the collection as a stranger would, with a client of its own. */
const readRows = (url: string, name: string) =>
  Effect.promise(async () => {
    const client = clientOf(url)
    if (!(await client.listCollections()).some((found) => found.name === name)) return []
    const collection = await client.getCollection({ name })
    return (await collection.get({ include: ["documents", "metadatas", "embeddings"], limit: 5000 })).rows()
  })

const readChunks = (url: string, name: string) =>
  Effect.flatMap(
    readRows(url, name),
    Effect.forEach(({ document, embedding, metadata }) =>
      Effect.map(
        ChunkRecord.decode({ text: document, record: metadata?.["docsluice"] }),
        (found) => new DocumentChunk({ ...found, ...(embedding && { embedding }) })
      )
    )
  )

const deleted = (url: string, name: string) => Effect.promise(() => clientOf(url).deleteCollection({ name }))

const target: Effect.Effect<SinkConformance.Target, unknown> = Effect.gen(function* () {
  const { start, stop, url } = yield* engine
  const collection = yield* freshName
  return {
    engine: { start, stop },
    layer: Chroma.layer({ url, collection }),
    read: readChunks(url, collection),
    destroy: deleted(url, collection),
    space
  }
})

const suite = unavailable === null ? describe : describe.skip
const why = unavailable === null ? "" : ` (not here: ${unavailable})`

SinkConformance.suite(`chroma${why}`, target, { describe: suite, it }, { timeout: 300_000 })

const withVectors = library.filter(({ embedding }) => embedding !== undefined)

const filled = Effect.gen(function* () {
  const url = yield* server
  const collection = yield* freshName
  const sink = yield* Chroma.make({ url, collection })
  const prepared = yield* sink.prepare(space)
  yield* prepared.write(withVectors)
  return { sink, prepared, url, collection }
})

const sources = (sink: ChunkSink.Service, filter: Filter = {}) =>
  Effect.map(
    sink.search?.({ text: "", vector: [0.4, 0.3, 0.2, 0.1], filter, limit: 10 }) ?? Effect.die("it cannot search"),
    (hits) => hits.map((hit) => hit.chunk.source)
  )

suite(`chroma's own ways${why}`, () => {
  filterAgreementTest(
    Effect.gen(function* () {
      return yield* Chroma.make({ url: yield* server, collection: yield* freshName })
    }),
    /has no \$(?:contains|exists|not)|by kind here|by a range of page here|by a date here/u
  )

  it.scopedLive("reaches a server through the proxy of the environment, by a dispatcher", () =>
    Effect.gen(function* () {
      const proxy = yield* Proxy.start({ target: Number(new URL(yield* server).port) })
      const dispatcher = yield* UndiciHttpClient.dispatcher().pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["HTTP_PROXY", proxy.address]])))
      )
      const sink = yield* Chroma.make({ url: "http://chroma.test", collection: yield* freshName, dispatcher })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(withVectors)
      assert.isNotEmpty(yield* sources(sink))
      assert.isNotEmpty(proxy.log)
      assert.isTrue(
        proxy.log.every((line) => line.includes(" http://chroma.test:80/") || line.includes(" http://chroma.test/"))
      )
    })
  )

  damagedRowTest(
    Effect.map(filled, ({ collection, sink, url }) => ({
      sink,
      damage: Effect.promise(async () => {
        const found = await clientOf(url).getCollection({ name: collection })
        await found.update({ ids: ["tea.md:0"], metadatas: [{ docsluice: damagedRecord(tea) }] })
      })
    }))
  )

  it.scopedLive("finds by vector, the nearest first, and gives back whole chunks", () =>
    Effect.gen(function* () {
      const { sink } = yield* filled
      const hits = yield* sink.search?.({ text: "", vector: [0.1, 0.2, 0.9, 0.3], limit: 3 }) ?? Effect.succeed([])
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["zürich.md", "list.md", "coffee.md"]
      )
      assert.isAbove(hits[0]?.score ?? 0, hits[1]?.score ?? 0)
      const { embedding: _, ...zürich } = withVectors[2] ?? chunk("none", 0)
      assert.deepEqual({ ...hits[0]?.chunk }, { ...zürich })
    })
  )

  it.scopedLive("filters by strings, numbers, booleans, items of lists, and several members", () =>
    Effect.gen(function* () {
      const { sink } = yield* filled
      const by = (filter: Filter) => sources(sink, filter)
      assert.deepEqual(yield* by({ "metadata.language": "de" }), ["zürich.md"])
      assert.deepEqual(yield* by({ "metadata.year": 2022 }), ["coffee.md", "zürich.md"])
      assert.deepEqual(yield* by({ "metadata.draft": false }), ["tea.md"])
      assert.deepEqual(yield* by({ "metadata.tags": "drink" }), ["tea.md", "coffee.md"])
      assert.deepEqual(yield* by({ "metadata.tags": "drink", "metadata.year": 2021 }), ["tea.md"])
      assert.deepEqual(yield* by({ 'metadata.key "with" quotes': "it's" }), ["zürich.md"])
      assert.deepEqual(yield* by({ "metadata.absent": "" }), [])
    })
  )

  it.scopedLive("keeps members that have names of its own, or names that Chroma refuses, under other names", () =>
    Effect.gen(function* () {
      const { prepared, sink, url, collection } = yield* filled
      const metadata = { source: "web", "": "empty", $eq: "dollar", "#document": "hash", "chroma:x": "c", none: [] }
      const odd = chunk("odd.md", 0, { metadata, embedding: [0, 0, 0, 1] })
      yield* prepared.write([odd])
      for (const [key, value] of Object.entries(metadata)) {
        if (typeof value === "string")
          assert.deepEqual(yield* sources(sink, { [`metadata.${key}`]: value }), ["odd.md"])
      }
      const row = (yield* readRows(url, collection)).find(({ id }) => id === odd.id)
      assert.strictEqual(row?.metadata?.["source"], "odd.md")
      const read = yield* readChunks(url, collection)
      assert.deepEqual(read.find(({ id }) => id === odd.id)?.metadata, metadata)
    })
  )

  it.scopedLive("forgets members of metadata that a chunk has lost", () =>
    Effect.gen(function* () {
      const { prepared, sink } = yield* filled
      const [tea] = withVectors
      if (tea === undefined) return assert.fail("the library is empty")
      yield* prepared.write([new DocumentChunk({ ...tea, metadata: { language: "en" } })])
      assert.deepEqual(yield* sources(sink, { "metadata.tags": "drink" }), ["coffee.md"])
      return assert.deepEqual(yield* sources(sink, { "metadata.year": 2021 }), [])
    })
  )

  it.scopedLive("refuses a run and a chunk without vectors, and a query without one", () =>
    Effect.gen(function* () {
      const { prepared, sink } = yield* filled
      const query = yield* Effect.flip(sink.search?.({ text: "tea", limit: 1 }) ?? Effect.void)
      assert.strictEqual(query.reason, "Unsupported")
      const bare = yield* Effect.flip(prepared.write([chunk("bare.md", 0)]))
      assert.strictEqual(bare.reason, "Rejected")
      assert.include(bare.message, "bare.md:0")
      const wrong = yield* Effect.flip(prepared.write([chunk("wrong.md", 0, { embedding: [1] })]))
      assert.strictEqual(wrong.reason, "Rejected")
      const run = yield* Effect.flip(sink.prepare(null))
      assert.strictEqual(run.reason, "Unsupported")
      assert.include(run.message, "embedder")
    })
  )

  it.scopedLive(
    "says which space is stamped, makes nothing to say so, and keeps chunks when its members come in another order",
    () =>
      Effect.gen(function* () {
        const url = yield* server
        const collection = yield* freshName
        const options = { url, collection }
        const sink = yield* Chroma.make(options)
        assert.deepEqual(yield* stampedSpace(sink), Option.none())
        const prepared = yield* sink.prepare(space)
        yield* prepared.write(withVectors)
        assert.deepEqual(yield* stampedSpace(sink), Option.some(space))
        const { dimensions, metric, model, normalized } = space
        yield* sink.prepare({ metric, normalized, dimensions, model })
        assert.lengthOf(yield* readChunks(url, collection), withVectors.length)
      })
  )

  it.scopedLive("leaves a collection of somebody else as it is", () =>
    Effect.gen(function* () {
      const url = yield* server
      const name = yield* freshName
      yield* Effect.promise(() => clientOf(url).createCollection({ name, embeddingFunction: null }))
      const sink = yield* Chroma.make({ url, collection: name })
      assert.strictEqual((yield* Effect.flip(sink.prepare(space))).reason, "Mismatch")
    })
  )
})

/** A server that fails every request, and notes when each came. */
const failing = (asked: Array<number>) =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Server; readonly url: string }>((resume) => {
      const server = createServer((_, response) => {
        asked.push(performance.now())
        response.writeHead(500, { "content-type": "application/json" }).end('{"message":"broken"}')
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ server, url: `http://127.0.0.1:${port}` }))
      })
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map(({ url }) => url))

describe("chroma without a server", () => {
  it.scopedLive("is asked again after a pause when it failed ten times in a row", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const url = yield* failing(asked)
      const sink = yield* Chroma.make({ url })
      for (let call = 0; call < 11; call++) {
        assert.strictEqual((yield* Effect.flip(sink.prepare(space))).reason, "Unavailable")
      }
      const [tenth = 0, eleventh = 0] = asked.slice(9)
      assert.lengthOf(asked, 11)
      assert.isAtLeast(eleventh - tenth, 990)
    })
  )

  it.scoped("is unavailable, and says neither its token nor anything else that is secret", () =>
    Effect.gen(function* () {
      const token = Redacted.make("secret-token")
      const sink = yield* Chroma.make({ url: "http://127.0.0.1:1", token })
      assert.strictEqual(sink.id, "chroma:http://127.0.0.1:1/default_tenant/default_database/chunks")
      const error = yield* Effect.flip(sink.prepare(space))
      assert.strictEqual(error.reason, "Unavailable")
      assert.notInclude(JSON.stringify(error), "secret-token")
    })
  )

  for (const url of ["http://user:secret@localhost:8000", "ftp://localhost", "nonsense", "http://localhost/path"]) {
    it.scoped(`refuses the address ${url}, and does not repeat it`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* Chroma.make({ url })).prepare(space))
        assert.strictEqual(error.reason, "Rejected")
        assert.notInclude(error.message, "secret")
      })
    )
  }
})
