import { afterAll, assert, describe, it } from "@effect/vitest"
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory"
import { PGVectorStore } from "@langchain/community/vectorstores/pgvector"
import { Embeddings } from "@langchain/core/embeddings"
import type { ChunkSink } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import type { Value } from "docsluice/Filter"
import * as LangChain from "docsluice/sinks/LangChain"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Option, type Scope } from "effect"
import { Pool } from "pg"
import * as ChunkRecord from "../../sinks/internal/shared/ChunkRecord.ts"
import * as Servers from "../fixtures/servers.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import { library, space, tea } from "../fixtures/vectorChunks.ts"
import { damagedRecord, damagedRowTest } from "./damagedRow.ts"
import * as Postgres from "./postgres.ts"

/** Counts letters, so that a store can embed by itself. */
class Letters extends Embeddings {
  readonly texts: Array<string> = []
  constructor() {
    super({})
  }
  override embedDocuments(texts: Array<string>): Promise<Array<Array<number>>> {
    this.texts.push(...texts)
    return Promise.resolve(texts.map((text) => [..."tea "].map((letter) => 1 + text.split(letter).length)))
  }
  override embedQuery(text: string): Promise<Array<number>> {
    return Promise.resolve([..."tea "].map((letter) => 1 + text.split(letter).length))
  }
}

const memoryStore = Effect.sync(() => new MemoryVectorStore(new Letters()))

/** It has no `delete` of its own; its rows are there for everybody. */
const withRemoval = (store: MemoryVectorStore) => ({
  store,
  name: "memory",
  remove: (ids: ReadonlyArray<string>) => {
    const gone = new Set(ids)
    store.memoryVectors = store.memoryVectors.filter(({ id }) => !gone.has(id ?? ""))
    return Promise.resolve()
  },
  filter: (wanted: Readonly<Record<string, Value>>) => (document: { readonly metadata: Record<string, unknown> }) =>
    Object.entries(wanted).every(([key, value]) => [document.metadata[key]].flat().includes(value))
})

const memoryTarget = (space: SinkConformance.Target["space"]) =>
  Effect.map(memoryStore, (store) => ({
    layer: LangChain.layer(withRemoval(store)),
    read: Effect.suspend(() =>
      Effect.forEach(store.memoryVectors, ({ content, embedding, metadata }) =>
        Effect.map(
          ChunkRecord.decode({ text: content, record: metadata["docsluice"] }),
          (found) => new DocumentChunk({ ...found, ...(space && { embedding }) })
        )
      )
    ),
    ...(space && { space })
  }))

SinkConformance.suite("langchain's memory store, with our vectors", memoryTarget(space), { describe, it })
SinkConformance.suite("langchain's memory store, embedding by itself", memoryTarget(null), { describe, it })

const search = (sink: ChunkSink.Service, query: Parameters<NonNullable<ChunkSink.Service["search"]>>[0]) =>
  Effect.suspend(() => sink.search?.(query) ?? Effect.die("it cannot search"))

const withVectors = library.filter(({ embedding }) => embedding !== undefined)

describe("langchain", () => {
  damagedRowTest(
    Effect.gen(function* () {
      const store = yield* memoryStore
      const sink = yield* LangChain.make({ ...withRemoval(store), idForm: "chunk", ids: "upsert" })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(withVectors)
      const damage = Effect.sync(() => {
        const row = store.memoryVectors.find(({ id }) => id === tea.id)
        if (row !== undefined) row.metadata["docsluice"] = damagedRecord(tea)
      })
      return { sink, damage }
    })
  )

  it.effect("declares what the options say, and nothing else", () =>
    Effect.gen(function* () {
      const store = yield* memoryStore
      const bare = yield* LangChain.make({ store, name: "memory" })
      assert.strictEqual(bare.id, "langchain:memory")
      assert.deepEqual(bare.capabilities, {
        remove: false,
        replace: false,
        list: false,
        search: true,
        filter: [],
        stamp: false
      })
      const able = yield* LangChain.make(withRemoval(store))
      assert.isTrue(able.capabilities.remove)
      assert.deepEqual(able.capabilities.filter, ["eq", "and"])
      assert.deepEqual((yield* able.prepare(space)).storeId, Option.none())
    })
  )

  it.effect("adds nothing twice to a store that takes no ids, also from another sink over the same object", () =>
    Effect.gen(function* () {
      const store = yield* memoryStore
      for (const batch of [withVectors.slice(0, 2), withVectors]) {
        const sink = yield* LangChain.make({ store, name: "memory" })
        const prepared = yield* sink.prepare(space)
        yield* prepared.write([...batch, ...batch])
      }
      assert.lengthOf(store.memoryVectors, withVectors.length)
    })
  )

  it.effect("finds by our vectors with a filter, and gives back whole chunks", () =>
    Effect.gen(function* () {
      const sink = yield* LangChain.make(withRemoval(yield* memoryStore))
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(withVectors)
      const hits = yield* search(sink, {
        text: "",
        vector: [0.4, 0.3, 0.2, 0.1],
        filter: { "metadata.language": "de" },
        limit: 5
      })
      const { embedding: _, ...zürich } = withVectors[2] ?? chunk("none", 0)
      assert.deepEqual(
        hits.map((hit) => hit.chunk),
        [new DocumentChunk(zürich)]
      )
      const error = yield* Effect.flip(search(sink, { text: "tea", limit: 1 }))
      assert.strictEqual(error.reason, "Unsupported")
      const bare = yield* Effect.flip(prepared.write([chunk("bare.md", 0)]))
      assert.strictEqual(bare.reason, "Rejected")
    })
  )

  it.effect("lets the store embed the text with its context when the run has no embedder", () =>
    Effect.gen(function* () {
      const letters = new Letters()
      const store = new MemoryVectorStore(letters)
      const sink = yield* LangChain.make(withRemoval(store))
      const prepared = yield* sink.prepare(null)
      const one = chunk("a.md", 0, { text: "tea", embedText: "Drinks > tea \0" })
      yield* prepared.write([one])
      assert.deepEqual(letters.texts, ["Drinks > tea \uFFFD"])
      assert.strictEqual(store.memoryVectors[0]?.content, "Drinks > tea \uFFFD")
      const [hit] = yield* search(sink, { text: "tea", limit: 1 })
      assert.deepEqual({ ...hit?.chunk }, { ...one })
    })
  )

  it.effect("says what the store threw, as unavailable", () =>
    Effect.gen(function* () {
      const store = yield* memoryStore
      store.addVectors = () => Promise.reject(new Error("out of order"))
      const sink = yield* LangChain.make({ store, name: "memory" })
      const prepared = yield* sink.prepare(space)
      const error = yield* Effect.flip(prepared.write(withVectors))
      assert.strictEqual(error.reason, "Unavailable")
      assert.include(error.message, "out of order")
    })
  )

  it.effect("refuses a store that inserts twice and cannot remove", () =>
    Effect.gen(function* () {
      const sink = yield* LangChain.make({ store: yield* memoryStore, name: "memory", ids: "insert" })
      assert.strictEqual((yield* Effect.flip(sink.prepare(null))).reason, "Unsupported")
    })
  )
})

const missing = Postgres.missing()
const server = missing === null ? await Servers.postgres() : null
const pool = new Pool({ connectionString: server?.url ?? "" }).on("error", () => {})
afterAll(async () => {
  await pool.end()
  await server?.stop()
})

let tables = 0

const pgStore = Effect.promise(() =>
  PGVectorStore.initialize(new Letters(), { pool, tableName: `langchain_${(tables += 1)}`, dimensions: 4 })
).pipe(Effect.tap((store) => Effect.sync(() => store.client?.release())))

const pgOptions = (store: PGVectorStore) => ({
  store,
  name: `pgvector/test/${store.tableName}`,
  ids: "insert" as const,
  remove: true,
  scores: "distance" as const,
  filter: (wanted: Readonly<Record<string, Value>>) => ({ ...wanted })
})

const readTable = (store: PGVectorStore, vectors: boolean) =>
  Effect.flatMap(
    Effect.promise(() =>
      pool.query<Record<string, unknown>>(`SELECT text, metadata, embedding FROM ${store.tableName}`)
    ),
    ({ rows }) =>
      Effect.forEach(rows, ({ embedding, metadata, text }) =>
        Effect.map(
          ChunkRecord.decode({ text, record: new Map(Object.entries(Object(metadata))).get("docsluice") }),
          (found) =>
            vectors
              ? new DocumentChunk({ ...found, embedding: String(embedding).slice(1, -1).split(",").map(Number) })
              : found
        )
      )
  )

const pgTarget = (vectors: boolean): Effect.Effect<SinkConformance.Target, never, Scope.Scope> =>
  Effect.map(pgStore, (store) => ({
    // Its filters compare numbers as text, and do not look into lists.
    layer: LangChain.layer({ ...pgOptions(store), filter: undefined }),
    read: readTable(store, vectors),
    ...(vectors && { space })
  }))

const suite = missing === null ? describe : describe.skip
const why = missing === null ? "" : ` (not here: ${missing})`

SinkConformance.suite(`langchain's PGVectorStore, with our vectors${why}`, pgTarget(true), { describe: suite, it })
SinkConformance.suite(`langchain's PGVectorStore, embedding by itself${why}`, pgTarget(false), { describe: suite, it })

suite(`langchain on PostgreSQL${why}`, () => {
  it.scopedLive("orders by distance, the nearest with the greatest score, and filters", () =>
    Effect.gen(function* () {
      const sink = yield* LangChain.make(pgOptions(yield* pgStore))
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(withVectors)
      const hits = yield* search(sink, { text: "", vector: [0.1, 0.2, 0.9, 0.3], limit: 2 })
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["zürich.md", "list.md"]
      )
      assert.isAbove(hits[0]?.score ?? 0, hits[1]?.score ?? 0)
      const filtered = yield* search(sink, {
        text: "",
        vector: [0.1, 0.2, 0.9, 0.3],
        filter: { "metadata.year": 2021 },
        limit: 9
      })
      assert.deepEqual(
        filtered.map((hit) => hit.chunk.source),
        ["tea.md"]
      )
    })
  )
})
