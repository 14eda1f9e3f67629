import { type Error as PlatformError, FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as lancedb from "@lancedb/lancedb"
import { type ChunkSink, type EmbeddingSpace, stampedSpace } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as LanceDb from "docsluice/sinks/LanceDb"
import { DocumentId } from "docsluice/SourceFile"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Option, Predicate, Random, Schema, type Scope } from "effect"
import * as ChunkRecord from "../../sinks/internal/shared/ChunkRecord.ts"
import { killedWriter, writeUntilKilled } from "../fixtures/killedProcess.ts"
import { chunk, generation } from "../fixtures/sinkChunks.ts"
import { library, space, tea } from "../fixtures/vectorChunks.ts"
import { damagedRecord, damagedRowTest } from "./damagedRow.ts"
import { vectorStoreTests } from "./vectorStore.ts"

const openTable = (directory: string, table = "chunks") =>
  Effect.acquireRelease(
    Effect.promise(async () => (await lancedb.connect(directory)).openTable(table)),
    (table) => Effect.sync(() => table.close())
  )

const Rows = Schema.Array(
  Schema.Struct({ text: Schema.String, chunk: Schema.String, vector: Schema.optional(Schema.Unknown) })
)

/** Reads the table as a stranger would, with its own connection. */
const readChunks = (directory: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const table = yield* openTable(directory)
      const rows: unknown = yield* Effect.promise(() => table.query().toArray())
      return yield* Effect.forEach(yield* Schema.decodeUnknown(Rows)(rows), (row) =>
        Effect.map(ChunkRecord.decode({ text: row.text, record: row.chunk }), (found) =>
          Predicate.isIterable(row.vector)
            ? new DocumentChunk({ ...found, embedding: Array.from(row.vector, Number) })
            : found
        )
      )
    })
  )

const freshFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fs.makeTempDirectoryScoped(), "folder", "lance")
}).pipe(Effect.provide(NodeContext.layer))

const target = (
  space: EmbeddingSpace | null,
  atomicReplace: boolean
): Effect.Effect<SinkConformance.Target, PlatformError.PlatformError, Scope.Scope> =>
  Effect.map(freshFolder, (directory) => ({
    layer: LanceDb.layer({ directory, atomicReplace }).pipe(Layer.provide(NodeContext.layer)),
    kill: killedWriter("lancedb", directory, space),
    read: readChunks(directory),
    destroy: Effect.flatMap(FileSystem.FileSystem, (fs) => fs.remove(directory, { recursive: true })).pipe(
      Effect.provide(NodeContext.layer)
    ),
    space
  }))

SinkConformance.suite(
  "lancedb with tenants",
  Effect.map(freshFolder, (directory): SinkConformance.Target => {
    // So that the vectors of two tenants with 512 rows are searched by an index.
    const options = { directory, vectorIndexFrom: 500 }
    const layer = (tenant?: string) => LanceDb.layer({ ...options, tenant }).pipe(Layer.provide(NodeContext.layer))
    return {
      layer: layer("mine"),
      neighbour: layer("theirs"),
      tenants: { layer: layer(), mine: "mine", theirs: "theirs" },
      space
    }
  }),
  { describe, it }
)

SinkConformance.suite("lancedb without vectors, in batches", target(null, false), { describe, it })
SinkConformance.suite("lancedb with vectors, a commit a document", target(space, true), { describe, it })

const open = (directory: string, options: Partial<LanceDb.Options> = {}) =>
  LanceDb.make({ directory, atomicReplace: true, ...options }).pipe(Effect.provide(NodeContext.layer))

describe("lancedb", () => {
  vectorStoreTests(Effect.flatMap(freshFolder, (directory) => open(directory)))
  damagedRowTest(
    Effect.gen(function* () {
      const directory = yield* freshFolder
      const sink = yield* open(directory)
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      const damage = Effect.flatMap(openTable(directory), (table) =>
        Effect.promise(() => table.update({ where: "id = 'tea.md:0'", values: { chunk: damagedRecord(tea) } }))
      )
      // An open table stays at its version.
      return { sink, damage: Effect.zipRight(damage, sink.prepare(space)) }
    })
  )

  it.scopedLive("indexes the vectors of a large table in finish, and finds nearly all that an exact search finds", () =>
    Effect.gen(function* () {
      const directory = yield* freshFolder
      const wide = { ...space, dimensions: 32 }
      let state = 7
      const random = () => {
        state = (state * 48_271) % 2_147_483_647
        return state / 2_147_483_647 - 0.5
      }
      const vector = () => Array.from({ length: 32 }, random)
      const rows = Array.from({ length: 3000 }, (_, at) => chunk("many.md", at, { embedding: vector() }))
      const queries = Array.from({ length: 20 }, vector)
      const found = (sink: ChunkSink.Service) =>
        Effect.forEach(queries, (near) =>
          Effect.map(sink.search?.({ text: "", vector: near, limit: 10 }) ?? Effect.succeed([]), (hits) =>
            hits.map((hit) => hit.chunk.id)
          )
        )
      const indices = Effect.flatMap(openTable(directory), (table) =>
        Effect.map(
          Effect.promise(() => table.listIndices()),
          (all) => all.filter(({ columns }) => columns.includes("vector")).map(({ indexType }) => indexType)
        )
      )
      const small = yield* open(directory, { vectorIndexFrom: 3001 })
      const preparedSmall = yield* small.prepare(wide)
      yield* preparedSmall.write(rows)
      yield* preparedSmall.finish
      assert.deepEqual(yield* indices, [])
      const exact = yield* found(small)
      const large = yield* open(directory, { vectorIndexFrom: 3000 })
      const preparedLarge = yield* large.prepare(wide)
      yield* preparedLarge.write(rows.slice(0, 1))
      yield* preparedLarge.finish
      assert.lengthOf(yield* indices, 1)
      const near = yield* found(large)
      const shared = exact.map((ids, at) => ids.filter((id) => near[at]?.includes(id)).length)
      const recall = shared.reduce((sum, count) => sum + count, 0) / 200
      assert.isAtLeast(recall, 0.95)
      const late = chunk("late.md", 0, { embedding: queries[0] })
      yield* preparedLarge.write([late])
      assert.strictEqual((yield* found(large))[0]?.[0], late.id)
    })
  )

  it.scopedLive("replaces a document in one version of the table", () =>
    Effect.gen(function* () {
      const directory = yield* freshFolder
      const sink = yield* open(directory)
      const prepared = yield* sink.prepare(null)
      yield* prepared.write([...generation("a.md", "old", 4), ...generation("b.md", "old", 2)])
      const table = yield* openTable(directory)
      const before = yield* Effect.promise(() => table.version())
      const next = generation("a.md", "new", 3)
      yield* prepared.replace?.(DocumentId.make("root/a.md"), next) ?? Effect.void
      yield* Effect.promise(() => table.checkoutLatest())
      assert.strictEqual(yield* Effect.promise(() => table.version()), before + 1)
      const stored = yield* readChunks(directory)
      assert.sameDeepMembers([...stored], [...next, ...generation("b.md", "old", 2)])
    })
  )

  it.scopedLive("says which space is stamped, and makes nothing to say so", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* freshFolder
      const stamped = Effect.flatMap(open(directory), stampedSpace)
      assert.deepEqual(yield* stamped, Option.none())
      assert.isFalse(yield* fs.exists(directory))
      const sink = yield* open(directory)
      yield* sink.prepare(space)
      assert.deepEqual(yield* stamped, Option.some(space))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves a table of somebody else as it is", () =>
    Effect.gen(function* () {
      const directory = yield* freshFolder
      yield* Effect.promise(async () => {
        const table = await (await lancedb.connect(directory)).createTable("chunks", [{ id: "theirs" }])
        table.close()
      })
      const sink = yield* open(directory)
      assert.strictEqual((yield* Effect.flip(sink.prepare(null))).reason, "Mismatch")
      const table = yield* openTable(directory)
      assert.strictEqual(yield* Effect.promise(() => table.countRows()), 1)
    })
  )

  it.scopedLive("keeps only the newest version when so configured, and the index finds every chunk", () =>
    Effect.gen(function* () {
      const directory = yield* freshFolder
      const sink = yield* open(directory, { keepVersions: 0 })
      const prepared = yield* sink.prepare(null)
      for (let at = 0; at < 5; at++) yield* prepared.write([chunk("a.md", at, { text: `word${at} common` })])
      const table = yield* openTable(directory)
      assert.isAbove((yield* Effect.promise(() => table.listVersions())).length, 5)
      yield* prepared.finish
      yield* Effect.promise(() => table.checkoutLatest())
      assert.isAtMost((yield* Effect.promise(() => table.listVersions())).length, 2)
      const indices = yield* Effect.promise(() => table.listIndices())
      assert.sameMembers(
        indices.flatMap(({ columns }) => columns),
        ["terms2"]
      )
      yield* prepared.write([chunk("b.md", 0, { text: "later common" })])
      const hits = yield* sink.search?.({ text: "common", limit: 10 }) ?? Effect.succeed([])
      assert.lengthOf(hits, 6)
    })
  )

  it.scopedLive("takes writes of two sinks at the same time", () =>
    Effect.gen(function* () {
      const directory = yield* freshFolder
      const one = yield* (yield* open(directory)).prepare(null)
      const two = yield* (yield* open(directory)).prepare(null)
      yield* Effect.forEach(
        Array.from({ length: 10 }, (_, at) => at),
        (at) => (at % 2 === 0 ? one : two).write(generation(`${at}.md`, "g", 3)),
        { concurrency: 10, discard: true }
      )
      assert.lengthOf(yield* readChunks(directory), 30)
    })
  )

  it.scopedLive("holds exactly one generation of each document after 3 processes were killed while they wrote", () =>
    Effect.gen(function* () {
      const directory = yield* freshFolder
      const held = new Map<number, number>()
      let next = 0
      for (let kill = 0; kill < 3; kill++) {
        const killAfter = yield* Random.nextIntBetween(0, 200)
        const options = { kind: "lancedb", target: directory, from: next, to: 1e6, killAfter } as const
        const { acknowledged } = yield* writeUntilKilled(options)
        for (const [document, round] of acknowledged) held.set(document, round)
        next = Math.max(next, ...held.values()) + 1
        const found = new Map<string, Set<number>>()
        for (const { documentId, id } of yield* readChunks(directory)) {
          const rounds = found.get(documentId) ?? new Set()
          found.set(documentId, rounds.add(Number(/:g(\d+):/u.exec(id)?.[1])))
        }
        for (const [document, round] of held) {
          const rounds = [...(found.get(`root/${document}.md`) ?? [])]
          assert.lengthOf(rounds, 1, `document ${document} holds ${rounds.join()}`)
          assert.isAtLeast(rounds[0] ?? -1, round)
        }
      }
    })
  )
})
