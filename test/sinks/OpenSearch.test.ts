import { assert, describe, it } from "@effect/vitest"
import type { ChunkSink, EmbeddingSpace } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import { bounds, type Filter } from "docsluice/Filter"
import * as OpenSearch from "docsluice/sinks/OpenSearch"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Chunk, Effect, Layer, Redacted, Schema, type Scope, Stream } from "effect"
import * as ChunkRecord from "../../sinks/internal/shared/ChunkRecord.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import { type Flavour, openSearchDouble, type OpenSearchDouble } from "./openSearchDouble.ts"
import { vectorStoreTests } from "./vectorStore.ts"

const isVector = Schema.is(Schema.Array(Schema.Number))

const stored = ({ indexes }: OpenSearchDouble) =>
  Effect.forEach([...(indexes.get("chunks")?.documents.values() ?? [])], ({ source }) =>
    Effect.map(ChunkRecord.decode({ text: source["text"], record: source["docsluice"] }), (found) => {
      const vector = source["embedding"]
      return new DocumentChunk({ ...found, ...(isVector(vector) && { embedding: vector }) })
    })
  )

const target = (
  flavour: Flavour,
  space: EmbeddingSpace | null
): Effect.Effect<SinkConformance.Target, never, Scope.Scope> =>
  Effect.map(openSearchDouble(flavour), (double) => ({
    layer: OpenSearch.layer({ url: double.url }).pipe(Layer.provide(UndiciHttpClient.layer())),
    read: Effect.suspend(() => stored(double)),
    destroy: Effect.sync(() => double.indexes.delete("chunks")),
    engine: { stop: double.stop, start: double.start },
    space
  }))

SinkConformance.suite("opensearch's double, with vectors", target("opensearch", space), { describe, it })
SinkConformance.suite("elasticsearch's double, without vectors", target("elasticsearch", null), { describe, it })

for (const flavour of ["opensearch", "elasticsearch"] as const) {
  SinkConformance.suite(
    `${flavour}'s double, for a tenant`,
    Effect.map(openSearchDouble(flavour), (double) => {
      const layer = (tenant?: string) =>
        OpenSearch.layer({ url: double.url, tenant }).pipe(Layer.provide(UndiciHttpClient.layer()))
      return {
        layer: layer("mine"),
        neighbour: layer("theirs"),
        tenants: { layer: layer(), mine: "mine", theirs: "theirs" },
        destroy: Effect.sync(() => double.indexes.delete("chunks")),
        space
      }
    }),
    { describe, it }
  )
}

const open = (options: OpenSearch.Options) =>
  Effect.flatMap(Layer.build(UndiciHttpClient.layer()), (context) => Effect.provide(OpenSearch.make(options), context))

const search = (sink: ChunkSink.Service, text: string, vector?: ReadonlyArray<number>) =>
  Effect.map(sink.search?.({ text, vector, limit: 10 }) ?? Effect.succeed([]), (hits) =>
    hits.map((hit) => hit.chunk.source)
  )

for (const flavour of ["opensearch", "elasticsearch", "elasticsearch 9.2"] as const) {
  describe(`${flavour}'s own ways`, () => {
    vectorStoreTests(
      Effect.flatMap(openSearchDouble(flavour), ({ url }) => open({ url })),
      /has no \$contains/u
    )

    const filled = Effect.gen(function* () {
      const double = yield* openSearchDouble(flavour)
      const sink = yield* open({ url: double.url })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      return { double, prepared, sink }
    })

    it.scopedLive("searches by words and by vector, each nearest first, in a strict index of its own", () =>
      Effect.gen(function* () {
        const { double, sink } = yield* filled
        assert.deepEqual(yield* search(sink, "brew coffee"), ["coffee.md", "tea.md"])
        assert.strictEqual((yield* search(sink, "", [0, 1, 0, 0]))[0], "coffee.md")
        const [nearest] = yield* sink.search?.({ text: "", vector: [0, 1, 0, 0], limit: 1 }) ?? Effect.succeed([])
        assert.isNumber(nearest?.similarity)
        assert.strictEqual((yield* search(sink, "coffee", [0, 1, 0, 0]))[0], "coffee.md")
        const mappings = double.indexes.get("chunks")?.mappings
        assert.strictEqual(mappings?.dynamic, "strict")
        assert.strictEqual(
          mappings?.properties["embedding"]?.type,
          flavour === "opensearch" ? "knn_vector" : "dense_vector"
        )
      })
    )

    it.scopedLive("filters by names and texts of any length, also where only their ends differ", () =>
      Effect.gen(function* () {
        const { prepared, sink } = yield* filled
        const long = "é".repeat(40_000)
        const ends = ["a", "b"]
        yield* prepared.write(
          ends.map((end, at) => chunk(`${end}.md`, at, { text: "lantern", metadata: { [long + end]: long + end } }))
        )
        const found = (filter: Filter) =>
          Effect.map(sink.search?.({ text: "lantern", filter, limit: 10 }) ?? Effect.succeed([]), (hits) =>
            hits.map((hit) => hit.chunk.source)
          )
        for (const end of ends) {
          assert.deepEqual(yield* found({ [`metadata.${long}${end}`]: long + end }), [`${end}.md`])
          assert.deepEqual(yield* found({ [`metadata.${long}${end}`]: { $exists: true } }), [`${end}.md`])
        }
        assert.deepEqual(yield* found({ [`metadata.${long}`]: { $exists: true } }), [])
      })
    )

    it.scopedLive(
      "looks for function words only where no other word is found, and for a long question within the server's limit",
      () =>
        Effect.gen(function* () {
          const { prepared, sink } = yield* filled
          yield* prepared.write([chunk("the.md", 0, { text: "the and the" }), chunk("mill.md", 0, { text: "a mill" })])
          assert.deepEqual(yield* search(sink, "the mills"), ["mill.md"])
          assert.strictEqual((yield* search(sink, "the"))[0], "the.md")
          const question = Array.from(
            { length: 80 },
            (_, at) => `strange${"abcdefghij"[at % 10]}${"klmnopqr"[at >> 3]}`
          )
          assert.deepEqual(yield* search(sink, ["mills", ...question].join(" ")), ["mill.md"])
        })
    )

    it.scopedLive("takes the deepest filters within the server's limit", () =>
      Effect.gen(function* () {
        const { sink } = yield* filled
        const levels = Array.from({ length: bounds.depth })
        const either = levels.reduce<Filter>((inner) => ({ "metadata.year": 2021, $or: [inner, { source: "x" }] }), {
          "metadata.year": { $ne: 1, $gt: 2 }
        })
        const opposite = levels.reduce<Filter>((inner) => ({ source: "tea.md", $not: inner }), {
          "metadata.year": { $ne: 1 }
        })
        const found = (filter: Filter) =>
          Effect.map(sink.search?.({ text: "brew", filter, limit: 10 }) ?? Effect.succeed([]), (hits) =>
            hits.map((hit) => hit.chunk.source)
          )
        assert.deepEqual(yield* found(either), ["tea.md"])
        assert.deepEqual(yield* found(opposite), ["tea.md"])
      })
    )

    it.scopedLive("refuses an index of another version of its terms, and changes nothing", () =>
      Effect.gen(function* () {
        const { double } = yield* filled
        const index = double.indexes.get("chunks")
        if (index === undefined) return assert.fail("there is no index")
        const properties = Object.fromEntries(
          Object.entries(index.mappings.properties).filter(([field]) => !field.startsWith("terms"))
        )
        index.mappings = { ...index.mappings, properties }
        const error = yield* Effect.flip((yield* open({ url: double.url })).prepare(space))
        assert.strictEqual(error.reason, "Mismatch")
        assert.include(error.message, "of another version")
        return undefined
      })
    )

    it.scopedLive("lists more than a page at one point in time, which it closes", () =>
      Effect.gen(function* () {
        const double = yield* openSearchDouble(flavour)
        const sink = yield* open({ url: double.url })
        const prepared = yield* sink.prepare(null)
        const many = Array.from({ length: 2500 }, (_, at) => chunk("many.md", at))
        for (let at = 0; at < many.length; at += 500) yield* prepared.write(many.slice(at, at + 500))
        const listed = yield* Stream.runCollect(sink.list ?? Stream.empty)
        assert.lengthOf(new Set(Chunk.toReadonlyArray(listed).map(({ id }) => id)), 2500)
        assert.strictEqual(double.points.size, 0)
        // One refresh for the inspection's sake is none: the index was absent.
        assert.lengthOf(
          double.requests.filter((request) => request.endsWith("_refresh")),
          1
        )
      })
    )

    it.scopedLive("repeats no credentials, and tells what passes from what does not", () =>
      Effect.gen(function* () {
        const secret = "ApiKey s3cret"
        const double = yield* openSearchDouble(flavour, secret)
        const wrong = yield* open({ url: double.url, authorization: Redacted.make("ApiKey wr0ng") })
        const refused = yield* Effect.flip(wrong.prepare(null))
        assert.strictEqual(refused.reason, "Rejected")
        assert.notInclude(JSON.stringify(refused) + refused.message, "wr0ng")
        const sink = yield* open({ url: double.url, authorization: Redacted.make(secret) })
        const prepared = yield* sink.prepare(null)
        double.failItem(429)
        const busy = yield* Effect.flip(prepared.write([chunk("a.md", 0), chunk("a.md", 1)]))
        assert.strictEqual(busy.reason, "Unavailable")
        assert.include(busy.message, "1 of 2 chunks: rejected_execution_exception")
        double.failNext(413, "")
        assert.strictEqual((yield* Effect.flip(prepared.write([chunk("a.md", 0)]))).reason, "TooLarge")
        double.failNext(503, '{"error":{"type":"x","reason":"down"},"status":503}')
        assert.strictEqual((yield* Effect.flip(prepared.write([chunk("a.md", 0)]))).reason, "Unavailable")
      })
    )

    it.scopedLive("refuses an index that is not its own, and one that the server made instead of its own", () =>
      Effect.gen(function* () {
        const { double, prepared } = yield* filled
        double.indexes.delete("chunks")
        yield* prepared.write([chunk("late.md", 0)])
        const again = yield* open({ url: double.url })
        const error = yield* Effect.flip(again.prepare(space))
        assert.strictEqual(error.reason, "Mismatch")
        assert.include(error.message, "not one that this sink made")
        assert.strictEqual((yield* Effect.flip(again.clear ?? Effect.void)).reason, "Mismatch")
        assert.isTrue(double.indexes.has("chunks"))
      })
    )
  })
}
