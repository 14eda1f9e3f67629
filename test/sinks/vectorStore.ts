import { assert, it } from "@effect/vitest"
import type { ChunkSink, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { bounds, type Filter } from "docsluice/Filter"
import { Effect, type Scope } from "effect"
import { chunk } from "../fixtures/sinkChunks.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import { filterAgreementTest } from "./filterAgreement.ts"

type Fresh = Effect.Effect<ChunkSink.Service, unknown, Scope.Scope>

const bare = (chunk: DocumentChunk) => ({ ...chunk, embedding: undefined })

const search = (sink: ChunkSink.Service, query: Parameters<NonNullable<ChunkSink.Service["search"]>>[0]) =>
  Effect.suspend(() => sink.search?.(query) ?? Effect.die("it cannot search"))

const sources = (sink: ChunkSink.Service, query: Partial<Parameters<typeof search>[1]>) =>
  Effect.map(search(sink, { text: "", limit: 10, ...query }), (hits) => hits.map((hit) => hit.chunk.source))

/**
 * Requirements on every vector store in addition to the conformance suite. `filled` holds the library, prepared for its space; `refuses`:
 * see `filterAgreementTest`.
 */
export const vectorStoreTests = (fresh: Fresh, refuses?: RegExp): void => {
  filterAgreementTest(fresh, refuses)

  const filling = Effect.gen(function* () {
    const sink = yield* fresh
    const prepared = yield* sink.prepare(space)
    yield* prepared.write(library)
    return { prepared, sink }
  })
  const filled = Effect.map(filling, ({ sink }) => sink)

  it.scopedLive("finds by text alone, gives back the whole chunk, and orders hits by score", () =>
    Effect.gen(function* () {
      const hits = yield* search(yield* filled, { text: "brew tea", limit: 10 })
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["tea.md", "coffee.md"]
      )
      assert.isAbove(hits[0]?.score ?? 0, hits[1]?.score ?? 0)
      assert.deepEqual(
        hits.map((hit) => bare(hit.chunk)),
        library.slice(0, 2).map(bare)
      )
    })
  )

  it.scopedLive("takes a query for words, never for syntax", () =>
    Effect.gen(function* () {
      const sink = yield* filled
      for (const text of [
        '"',
        "AND OR NOT",
        'tea" OR "coffee',
        "NEAR(",
        "text:",
        "-",
        "*",
        "a'b\0c",
        "& | ! <-> :*",
        "\uD800",
        ""
      ]) {
        yield* search(sink, { text, limit: 3 })
      }
      assert.deepEqual(yield* sources(sink, { text: 'stars* "quotes" -(' }), ["list.md"])
      assert.deepEqual(yield* sources(sink, { text: '!!! "" ()' }), [])
    })
  )

  it.scopedLive("finds by headings, and whatever the script", () =>
    Effect.gen(function* () {
      const { prepared, sink } = yield* filling
      yield* prepared.write([chunk("beijing.md", 0, { text: "北京 是 首都" })])
      assert.deepEqual(yield* sources(sink, { text: "Fahrplan" }), ["zürich.md"])
      assert.deepEqual(yield* sources(sink, { text: "Straßenbahn" }), ["zürich.md"])
      assert.deepEqual(yield* sources(sink, { text: "北京" }), ["beijing.md"])
    })
  )

  it.scopedLive("finds by vector, the nearest first", () =>
    Effect.gen(function* () {
      const sink = yield* filled
      const found = yield* sources(sink, { vector: [0.1, 0.2, 0.9, 0.3] })
      assert.deepEqual(found, ["zürich.md", "list.md", "coffee.md", "tea.md"])
    })
  )

  it.scopedLive("puts what both text and vector find before what one of them finds", () =>
    Effect.gen(function* () {
      const found = yield* sources(yield* filled, { text: "brew", vector: [0.1, 0.9, 0.2, 0.3], limit: 2 })
      assert.deepEqual(found, ["coffee.md", "tea.md"])
      const none = yield* sources(yield* filled, { text: "hail", vector: [0, 1, 0, 0], limit: 2 })
      assert.sameMembers([...none], ["plain.md", "coffee.md"])
    })
  )

  it.scopedLive("filters by strings, numbers, booleans, items of lists, and several members", () =>
    Effect.gen(function* () {
      const sink = yield* filled
      const vector = [0.4, 0.3, 0.2, 0.1]
      const by = (filter: Filter) => sources(sink, { vector, filter })
      assert.deepEqual(yield* by({ "metadata.language": "de" }), ["zürich.md"])
      assert.deepEqual(yield* by({ "metadata.year": 2022 }), ["coffee.md", "zürich.md"])
      assert.deepEqual(yield* by({ "metadata.year": "2022" }), [])
      assert.deepEqual(yield* by({ "metadata.draft": false }), ["tea.md"])
      assert.deepEqual(yield* by({ "metadata.tags": "drink" }), ["tea.md", "coffee.md"])
      assert.deepEqual(yield* by({ "metadata.tags": "drink", "metadata.year": 2021 }), ["tea.md"])
      assert.deepEqual(yield* by({ 'metadata.key "with" quotes': "it's" }), ["zürich.md"])
      assert.deepEqual(yield* by({ "metadata.nul \0 key": "nul \0 value" }), ["list.md"])
      assert.deepEqual(yield* by({ "metadata.absent": "" }), [])
      assert.deepEqual(yield* sources(sink, { text: "brew", filter: { "metadata.year": 2021 } }), ["tea.md"])
    })
  )

  it.scopedLive("takes filters at their bounds: as deep, as many conditions, as many values", () =>
    Effect.gen(function* () {
      const sink = yield* filled
      const deep = Array.from({ length: Math.floor(bounds.depth / 2) }).reduce<Filter>(
        (inner) => ({ "metadata.absent": { $exists: false }, $or: [{ $not: inner }, { source: "x" }] }),
        { "metadata.language": "de" }
      )
      assert.deepEqual(yield* sources(sink, { text: "brew Straßenbahn", filter: deep }), ["zürich.md"])
      const many = Array.from({ length: bounds.conditions - 2 }, (_, at) => ({ [`metadata.key ${at}`]: { $gte: at } }))
      const wide: Filter = { $or: [...many, { "metadata.year": 2021 }] }
      assert.deepEqual(yield* sources(sink, { text: "brew", filter: wide }), ["tea.md"])
      const $in = Array.from({ length: bounds.values }, (_, at) => 3000 + at)
      assert.deepEqual(yield* sources(sink, { text: "brew", filter: { "metadata.year": { $in } } }), [])
      assert.deepEqual(
        yield* sources(sink, { text: "brew", filter: { "metadata.year": { $in: [2021, ...$in.slice(1)] } } }),
        ["tea.md"]
      )
    })
  )

  it.scopedLive("finds nothing that was removed or replaced, and what came after the last search", () =>
    Effect.gen(function* () {
      const { prepared, sink } = yield* filling
      const [tea, coffee] = library
      if (tea === undefined || coffee === undefined) return assert.fail("the library is empty")
      assert.deepEqual(yield* sources(sink, { text: "bitter" }), ["tea.md"])
      const next = [chunk("tea.md", 0, { text: "Black tea is stronger." })]
      yield* prepared.replace?.(tea.documentId, next) ?? prepared.write(next)
      yield* prepared.remove?.([coffee.id]) ?? Effect.void
      assert.deepEqual(yield* sources(sink, { text: "bitter beans" }), [])
      assert.deepEqual(yield* sources(sink, { text: "stronger" }), ["tea.md"])
      return assert.deepEqual(
        yield* sources(sink, { vector: [1, 1, 0, 0], limit: 1 }).pipe(Effect.map(([first]) => first === "coffee.md")),
        false
      )
    })
  )

  for (const metric of ["dot", "euclidean"] as const) {
    it.scopedLive(`measures vectors by ${metric} where the space says so`, () =>
      Effect.gen(function* () {
        const sink = yield* fresh
        const prepared = yield* sink.prepare({ ...space, normalized: false, metric })
        yield* prepared.write([
          chunk("near.md", 0, { embedding: [1, 0.5, 0, 0] }),
          chunk("long.md", 0, { embedding: [9, 9, 0, 0] }),
          chunk("against.md", 0, { embedding: [-1, 0, 0, 0] })
        ])
        const found = yield* sources(sink, { vector: [1, 0, 0, 0] })
        assert.deepEqual(
          found,
          metric === "dot" ? ["long.md", "near.md", "against.md"] : ["near.md", "against.md", "long.md"]
        )
      })
    )
  }

  it.scopedLive(
    "refuses vectors of other lengths and vectors it was not prepared for, by name, and stores the others",
    () =>
      Effect.gen(function* () {
        const sink = yield* fresh
        const prepared = yield* sink.prepare(space)
        const wrong = [
          chunk("good.md", 0, { text: "good tea", embedding: [1, 0, 0, 0] }),
          chunk("bad.md", 0, { embedding: [1, 0, 0] })
        ]
        const error: SinkError = yield* Effect.flip(prepared.write(wrong))
        assert.strictEqual(error.reason, "Rejected")
        assert.include(error.message, "bad.md:0")
        assert.include(error.message, "3 dimensions")
        const beyond = [chunk("bad.md", 0, { embedding: [1e39, 0, 0, 0] })]
        assert.include((yield* Effect.flip(prepared.write(beyond))).message, "32-bit")
        yield* prepared.write(wrong.slice(0, 1))
        assert.deepEqual(yield* sources(sink, { text: "good" }), ["good.md"])
        const query = yield* Effect.flip(search(sink, { text: "", vector: [1], limit: 1 }))
        assert.strictEqual(query.reason, "Mismatch")
        yield* sink.clear ?? Effect.void
        const plain = yield* sink.prepare(null)
        assert.strictEqual((yield* Effect.flip(plain.write(wrong.slice(0, 1)))).reason, "Rejected")
      })
  )

  it.scopedLive("never mixes two models: names both and the remedy, and takes the other one once it was cleared", () =>
    Effect.gen(function* () {
      const sink = yield* filled
      for (const other of [
        { ...space, model: "other" },
        { ...space, metric: "dot" as const },
        { ...space, dimensions: 5 },
        null
      ]) {
        const error = yield* Effect.flip(sink.prepare(other))
        assert.strictEqual(error.reason, "Mismatch")
        assert.include(error.message, "test (4 dimensions, cosine, normalized)")
        assert.include(error.message, other === null ? "without vectors" : other.model)
        assert.include(error.message, "`rebuild`")
      }
      yield* sink.prepare(space)
      assert.lengthOf(yield* sources(sink, { text: "brew" }), 2)
      yield* sink.clear ?? Effect.void
      const prepared = yield* sink.prepare({ ...space, model: "other", dimensions: 5 })
      yield* prepared.write([chunk("new.md", 0, { embedding: [0, 0, 0, 0, 1] })])
      assert.deepEqual(yield* sources(sink, { vector: [0, 0, 0, 0, 1] }), ["new.md"])
    })
  )
}
