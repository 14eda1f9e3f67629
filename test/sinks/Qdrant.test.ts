import { assert, describe, it } from "@effect/vitest"
import { type ChunkSink, type EmbeddingSpace, stampedSpace } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import type { Filter } from "docsluice/Filter"
import * as Qdrant from "docsluice/sinks/Qdrant"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Chunk, Effect, Layer, Option, Redacted, type Scope, Stream, Tracer } from "effect"
import * as ChunkRecord from "../../sinks/internal/shared/ChunkRecord.ts"
import * as Uuid from "../../sinks/internal/shared/Uuid.ts"
import { nightly } from "../fixtures/seed.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import { library, space, tea } from "../fixtures/vectorChunks.ts"
import { damagedRecord, damagedRowTest } from "./damagedRow.ts"
import { filterAgreementTest } from "./filterAgreement.ts"
import { type QdrantDouble, qdrantDouble } from "./qdrantDouble.ts"

const stored = ({ collections }: QdrantDouble, name: string) =>
  Effect.forEach(
    [...(collections.get(name)?.points.values() ?? [])].filter(({ id }) => id !== Uuid.ofStamp),
    ({ payload, vector }) =>
      Effect.map(
        ChunkRecord.decode({ text: payload["text"], record: payload["docsluice"] }),
        (found) => new DocumentChunk({ ...found, ...(vector && { embedding: vector }) })
      )
  )

const target = (space: EmbeddingSpace | null): Effect.Effect<SinkConformance.Target, unknown, Scope.Scope> =>
  Effect.map(qdrantDouble(), (double) => ({
    layer: Qdrant.layer({ url: double.url, collection: "a b/ü" }).pipe(Layer.provide(UndiciHttpClient.layer())),
    read: Effect.suspend(() => stored(double, "a b/ü")),
    destroy: Effect.sync(() => double.collections.delete("a b/ü")),
    engine: { stop: double.stop, start: double.start },
    space
  }))

if (nightly) SinkConformance.suite("qdrant's double, without vectors", target(null), { describe, it })
SinkConformance.suite("qdrant's double, with vectors", target(space), { describe, it })

SinkConformance.suite(
  "qdrant's double, for a tenant",
  Effect.map(qdrantDouble(), (double) => {
    const layer = (tenant?: string) =>
      Qdrant.layer({ url: double.url, tenant }).pipe(Layer.provide(UndiciHttpClient.layer()))
    return {
      layer: layer("mine"),
      neighbour: layer("theirs"),
      tenants: { layer: layer(), mine: "mine", theirs: "theirs" },
      destroy: Effect.sync(() => double.collections.delete("chunks")),
      space
    }
  }),
  { describe, it }
)

const withVectors = library.filter(({ embedding }) => embedding !== undefined)

const open = (options: Qdrant.Options) =>
  Effect.flatMap(Layer.build(UndiciHttpClient.layer()), (context) => Effect.provide(Qdrant.make(options), context))

const search = (sink: ChunkSink.Service, query: Parameters<NonNullable<ChunkSink.Service["search"]>>[0]) =>
  Effect.suspend(() => sink.search?.(query) ?? Effect.die("it cannot search"))

const own = {
  tags: "keyword",
  document_id: "keyword",
  chunk_index: "integer",
  source: "keyword",
  pages: "integer",
  headings: "keyword",
  "metadata.date": "datetime"
} as const

const filled = Effect.gen(function* () {
  const double = yield* qdrantDouble()
  const sink = yield* open({ url: double.url })
  const prepared = yield* sink.prepare(space)
  yield* prepared.write(withVectors)
  return { double, prepared, sink }
})

describe("qdrant", () => {
  filterAgreementTest(
    Effect.flatMap(qdrantDouble({ strict: false }), ({ url }) => open({ url })),
    /has no \$contains|by kind here|by the member/u
  )

  describe("in strict mode", () => {
    filterAgreementTest(
      Effect.flatMap(qdrantDouble(), ({ url }) => open({ url })),
      /has no \$contains|by kind here|by the member|without an index/u
    )
  })

  it.scopedLive("finds by filters and by place in strict mode, also in a collection that had no indexes", () =>
    Effect.gen(function* () {
      const { double, sink } = yield* filled
      const read = [
        search(sink, { text: "", vector: [1, 0, 0, 0], limit: 1, neighbours: 1 }),
        ...[
          { source: "tea.md" },
          { documentId: tea.documentId },
          { heading: "x" },
          { page: 1 },
          { date: { $gte: "2020-01-01" } },
          { date: { $exists: true } },
          { "metadata.language": { $exists: true } },
          { "metadata.year": { $gt: 2021 } },
          { "metadata.absent": "text" }
        ].map((filter) => search(sink, { text: "", vector: [1, 0, 0, 0], filter, limit: 9 }))
      ]
      for (const one of read) yield* one
      double.collections.get("chunks")?.indexes.clear()
      for (const one of read) {
        const error = yield* Effect.flip(one)
        assert.match(String(error), /filter by "[a-z_.]+" without an index of it .*ingest into the collection again/u)
      }
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(withVectors)
      for (const one of read) yield* one
    })
  )

  it.scopedLive("makes each index once, of 64 metadata members at most, and writes where it must not make one", () =>
    Effect.gen(function* () {
      const double = yield* qdrantDouble()
      const sink = yield* open({ url: double.url })
      const prepared = yield* sink.prepare(null)
      const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`member${at}`, at]))
      double.failNext(400, JSON.stringify({ status: { error: "too many payload indexes" } }))
      yield* prepared.write([chunk("many.md", 0, { metadata })])
      const indexes = () => [...(double.collections.get("chunks")?.indexes.keys() ?? [])]
      // `date` is one of the 64, and one was refused.
      assert.lengthOf(
        indexes().filter((key) => key.startsWith("metadata.")),
        63
      )
      double.requests.length = 0
      yield* prepared.write([chunk("many.md", 1, { metadata })])
      const again = yield* open({ url: double.url })
      yield* again.prepare(null)
      assert.notInclude(double.requests, "PUT /collections/chunks/index")
      assert.strictEqual(yield* again.count ?? Effect.die("it cannot count"), 2)
    })
  )

  damagedRowTest(
    Effect.map(filled, ({ double, sink }) => ({
      sink,
      damage: Effect.sync(() => {
        const points = double.collections.get("chunks")?.points
        const point = points?.get(Uuid.ofChunk(tea.id))
        if (point === undefined) return assert.fail("it is not stored")
        const payload = { ...point.payload, docsluice: damagedRecord(tea) }
        return points?.set(point.id, { ...point, payload })
      })
    }))
  )

  it("makes a UUID of a chunk's id, the same for ever", () => {
    const id = Uuid.ofChunk("a.md:0")
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u)
    assert.strictEqual(id, Uuid.ofChunk("a.md:0"))
    assert.notStrictEqual(id, Uuid.ofChunk("a.md:1"))
  })

  it.scopedLive("keeps the chunk's own id in the payload, and an index for filters", () =>
    Effect.gen(function* () {
      const { double } = yield* filled
      const collection = double.collections.get("chunks")
      assert.deepEqual(Object.fromEntries(collection?.indexes ?? []), {
        ...own,
        "metadata.language": "keyword",
        "metadata.year": "float",
        "metadata.draft": "bool",
        "metadata.tags": "keyword",
        'metadata."nul \uFFFD key"': "keyword"
      })
      const tea = collection?.points.get(Uuid.ofChunk("tea.md:0"))
      assert.strictEqual(tea?.payload["id"], "tea.md:0")
      assert.deepEqual(tea?.payload["metadata"], withVectors[0]?.metadata)
    })
  )

  it.scopedLive("keeps tenants and a collection without tenants apart, and indexes the tenants' key", () =>
    Effect.gen(function* () {
      const { double, sink } = yield* filled
      const refused = yield* Effect.flip((yield* open({ url: double.url, tenant: "one" })).prepare(space))
      assert.include(refused.message, "the collection was made without tenants")
      const [one, two] = yield* Effect.forEach(["one", "two"], (tenant) =>
        open({ url: double.url, collection: "shared", tenant })
      )
      if (one === undefined || two === undefined) return assert.fail("there are two")
      const [first, second] = [yield* one.prepare(space), yield* two.prepare(space)]
      assert.notDeepEqual(first.storeId, second.storeId)
      yield* first.write(withVectors)
      assert.include(Object.fromEntries(double.collections.get("shared")?.indexes ?? []), { ...own, tenant: "keyword" })
      const without = yield* Effect.flip((yield* open({ url: double.url, collection: "shared" })).prepare(space))
      assert.strictEqual(without.reason, "Mismatch")
      const invalid = yield* Effect.flip((yield* open({ url: double.url, tenant: "a b" })).prepare(space))
      assert.include(invalid.message, "`tenant` must have")
      return assert.isDefined(sink)
    })
  )

  it.scopedLive("finds by vector, the nearest first, and gives back whole chunks", () =>
    Effect.gen(function* () {
      const { sink } = yield* filled
      const hits = yield* search(sink, { text: "", vector: [0.1, 0.2, 0.9, 0.3], limit: 3 })
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["zürich.md", "list.md", "coffee.md"]
      )
      assert.isAbove(hits[0]?.score ?? 0, hits[1]?.score ?? 0)
      const { embedding: _, ...zürich } = withVectors[2] ?? chunk("none", 0)
      assert.deepEqual({ ...hits[0]?.chunk }, { ...zürich })
    })
  )

  it.scopedLive("gives the nearest the greatest score, also where Qdrant counts distances", () =>
    Effect.gen(function* () {
      const double = yield* qdrantDouble()
      const sink = yield* open({ url: double.url })
      const prepared = yield* sink.prepare({ ...space, metric: "euclidean" })
      yield* prepared.write([
        chunk("far.md", 0, { embedding: [9, 9, 0, 0] }),
        chunk("near.md", 0, { embedding: [1, 0.5, 0, 0] })
      ])
      const hits = yield* search(sink, { text: "", vector: [1, 0, 0, 0], limit: 5 })
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["near.md", "far.md"]
      )
      assert.isAbove(hits[0]?.score ?? 0, hits[1]?.score ?? 0)
    })
  )

  it.scopedLive("filters by strings, numbers, booleans, items of lists, and several members", () =>
    Effect.gen(function* () {
      const { sink } = yield* filled
      const by = (filter: Filter) =>
        Effect.map(search(sink, { text: "", vector: [0.4, 0.3, 0.2, 0.1], filter, limit: 9 }), (hits) =>
          hits.map((hit) => hit.chunk.source)
        )
      assert.deepEqual(yield* by({ "metadata.language": "de" }), ["zürich.md"])
      assert.deepEqual(yield* by({ "metadata.year": 2022 }), ["coffee.md", "zürich.md"])
      assert.deepEqual(yield* by({ "metadata.draft": false }), ["tea.md"])
      assert.deepEqual(yield* by({ "metadata.tags": "drink", "metadata.year": 2021 }), ["tea.md"])
      assert.deepEqual(yield* by({ date: { $exists: false }, heading: "Fahrplan" }), ["zürich.md"])
      const error = yield* Effect.flip(by({ 'metadata.key "with" quotes': "it's" }))
      assert.strictEqual(error.reason, "Unsupported")
      assert.deepEqual(yield* by({ "metadata.absent": "" }), [])
    })
  )

  it.scopedLive(
    "takes an empty collection that fits, and refuses one that does not and one with somebody else's points",
    () =>
      Effect.gen(function* () {
        const double = yield* qdrantDouble()
        const vectors = { size: 4, distance: "Cosine" as const }
        const made = (points: ReadonlyArray<string>) => ({
          vectors,
          sparse: new Map(),
          points: new Map(points.map((id) => [id, { id, vector: [1, 0, 0, 0], sparse: new Map(), payload: {} }])),
          indexes: new Map()
        })
        double.collections.set("fits", made([]))
        double.collections.set("foreign", made([Uuid.ofChunk("theirs")]))
        yield* (yield* open({ url: double.url, collection: "fits" })).prepare(space)
        for (const [collection, asked] of [
          ["foreign", space],
          ["fits2", { ...space, dimensions: 5 }]
        ] as const) {
          double.collections.set("fits2", made([]))
          const error = yield* Effect.flip((yield* open({ url: double.url, collection })).prepare(asked))
          assert.strictEqual(error.reason, "Mismatch")
        }
        assert.strictEqual(double.collections.get("foreign")?.points.size, 1)
      })
  )

  it.scopedLive(
    "says which space is stamped, makes nothing to say so, and keeps chunks when its members come in another order",
    () =>
      Effect.gen(function* () {
        const double = yield* qdrantDouble()
        const stamped = Effect.flatMap(open({ url: double.url }), stampedSpace)
        assert.deepEqual(yield* stamped, Option.none())
        assert.strictEqual(double.collections.size, 0)
        const sink = yield* open({ url: double.url })
        const prepared = yield* sink.prepare(space)
        yield* prepared.write(withVectors)
        assert.deepEqual(yield* stamped, Option.some(space))
        const { dimensions, metric, model, normalized } = space
        yield* sink.prepare({ metric, normalized, dimensions, model })
        assert.lengthOf(yield* stored(double, "chunks"), withVectors.length)
      })
  )

  it.scopedLive("sends its key, and shows it in no error and no span", () =>
    Effect.gen(function* () {
      const double = yield* qdrantDouble({ key: "sesame" })
      const spans: Array<Map<string, unknown>> = []
      const tracer = Tracer.make({
        span: (name, parent, context, links, startTime, kind) => {
          const attributes = new Map<string, unknown>()
          spans.push(attributes)
          return {
            _tag: "Span",
            name,
            spanId: "1",
            traceId: "1",
            parent,
            context,
            links,
            kind,
            sampled: true,
            status: { _tag: "Started", startTime },
            attributes,
            attribute: (key, value) => void attributes.set(key, value),
            addLinks: () => {},
            event: () => {},
            end: () => {}
          }
        },
        context: (f) => f()
      })
      const sink = yield* open({ url: double.url, key: Redacted.make("sesame") })
      const prepared = yield* Effect.withTracer(sink.prepare(space), tracer)
      yield* prepared.write(withVectors)
      double.failNext(400, JSON.stringify({ status: { error: "the key sesame is odd" } }))
      const error = yield* Effect.flip(prepared.write(withVectors))
      assert.include(error.message, "is odd")
      assert.notInclude(JSON.stringify(error), "sesame")
      assert.isAbove(spans.length, 0)
      assert.notInclude(JSON.stringify(spans.map((span) => Object.fromEntries(span))), "sesame")
      const other = yield* Effect.flip((yield* open({ url: double.url, key: Redacted.make("wrong") })).prepare(space))
      assert.strictEqual(other.reason, "Rejected")
      assert.include(other.message, "key")
    })
  )

  for (const [status, reason] of [
    [413, "TooLarge"],
    [429, "Unavailable"],
    [500, "Unavailable"],
    [503, "Unavailable"],
    [400, "Rejected"],
    [404, "Mismatch"],
    [200, "Mismatch"]
  ] as const) {
    it.scopedLive(`takes an answer of status ${status} that is no result for ${reason}`, () =>
      Effect.gen(function* () {
        const { double, prepared } = yield* filled
        double.failNext(status, "<html>")
        const [one] = withVectors
        const error = yield* Effect.flip(prepared.write(one === undefined ? [] : [one]))
        assert.strictEqual(error.reason, reason)
      })
    )
  }

  it.scopedLive("is unavailable, and so is tried again, while the server has not applied a change in time", () =>
    Effect.gen(function* () {
      const double = yield* qdrantDouble()
      const sink = yield* open({ url: double.url })
      const prepared = yield* sink.prepare(null)
      const late = { result: { operation_id: 1, status: "wait_timeout" }, status: "ok", time: 1 }
      double.failNext(200, JSON.stringify(late))
      const error = yield* Effect.flip(prepared.write([chunk("late.md", 0)]))
      assert.strictEqual(error.reason, "Unavailable", error.message)
      yield* prepared.write([chunk("late.md", 0)])
    })
  )

  it.scopedLive("is not asked before the time that it named, by any sink of its address and key", () =>
    Effect.gen(function* () {
      const { double, sink } = yield* filled
      const other = yield* open({ url: double.url })
      double.failNext(503, "busy", { "retry-after": "1" })
      const refused = yield* Effect.flip(sink.count ?? Effect.die("it cannot count"))
      const from = performance.now()
      assert.strictEqual(refused.reason, "Unavailable")
      assert.isTrue(Option.isSome(yield* stampedSpace(other)))
      assert.isAtLeast(performance.now() - from, 990)
      assert.strictEqual(yield* sink.count ?? Effect.die("it cannot count"), withVectors.length)
    })
  )

  it.scopedLive("is unavailable without a request while it wants a wait above two minutes", () =>
    Effect.gen(function* () {
      const { double, prepared } = yield* filled
      double.failNext(429, "busy", { "retry-after": "3600" })
      yield* Effect.flip(prepared.write(withVectors))
      const before = double.requests.length
      const refused = yield* Effect.flip(prepared.write(withVectors))
      assert.strictEqual(refused.reason, "Unavailable")
      assert.include(refused.message, "the last answer was")
      assert.lengthOf(double.requests, before)
    })
  )

  it.scopedLive("lists more points than one page holds, without its own", () =>
    Effect.gen(function* () {
      const double = yield* qdrantDouble()
      const sink = yield* open({ url: double.url })
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(Array.from({ length: 2500 }, (_, index) => chunk("long.md", index)))
      double.requests.length = 0
      const listed = yield* Stream.runCollect(sink.list ?? Stream.empty)
      assert.strictEqual(new Set(Chunk.toReadonlyArray(listed).map(({ id }) => id)).size, 2500)
      assert.lengthOf(
        double.requests.filter((request) => request.includes("/points/scroll")),
        3
      )
    })
  )

  it.scopedLive("is unavailable without a server, and refuses an address with credentials without repeating it", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.flip((yield* open({ url: "http://127.0.0.1:1" })).prepare(space))
      assert.strictEqual(gone.reason, "Unavailable")
      const sink = yield* open({ url: "http://user:secret@localhost:6333" })
      const refused = yield* Effect.flip(sink.prepare(space))
      assert.strictEqual(refused.reason, "Rejected")
      assert.notInclude(refused.message + sink.id, "secret")
    })
  )
})
