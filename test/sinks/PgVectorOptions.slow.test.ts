import { afterAll, assert, describe, it } from "@effect/vitest"
import type { ChunkSink } from "docsluice/ChunkSink"
import type { Filter } from "docsluice/Filter"
import * as PgVector from "docsluice/sinks/PgVector"
import { DocumentId } from "docsluice/SourceFile"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Chunk, Effect, Redacted, Stream } from "effect"
import { Pool } from "pg"
import * as Relay from "../fixtures/relay.ts"
import * as Servers from "../fixtures/servers.ts"
import { chunk, generation } from "../fixtures/sinkChunks.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import * as Postgres from "./postgres.ts"

const reason = Postgres.missing()
const server = reason === null ? await Servers.postgres() : null
const url = server?.url ?? ""
const admin = new Pool({ connectionString: url, max: 2 }).on("error", () => {})

afterAll(async () => {
  await admin.end()
  await server?.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.map(
    Effect.promise(() => admin.query<Record<string, unknown>>(text, [...values])),
    ({ rows }) => rows
  )

let tables = 0

/** The name of a table that nobody has used. */
const freshTable = Effect.acquireRelease(
  Effect.sync(() => `options ${(tables += 1)}`),
  (table) => sql(`DROP TABLE IF EXISTS ${quoted(table)}`)
)

const quoted = (table: string) => `"${table}"`

const open = (options: Partial<PgVector.Options>) => PgVector.make({ url, ...options })

const search = (sink: ChunkSink.Service, text: string, vector?: ReadonlyArray<number>) =>
  Effect.map(sink.search?.({ text, vector, limit: 10 }) ?? Effect.succeed([]), (hits) =>
    hits.map((hit) => hit.chunk.source)
  )

describe.skipIf(reason !== null)(`options of pgvector${reason === null ? "" : `: ${reason}`}`, () => {
  it.scopedLive("builds the vectors' index again for another metric or other settings, and leaves it otherwise", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      const index = (options: Partial<PgVector.Options>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const sink = yield* open({ table, ...options })
            const prepared = yield* sink.prepare(space)
            yield* prepared.write(library)
            yield* prepared.finish
            assert.strictEqual((yield* search(sink, "", [0, 1, 0, 0]))[0], "coffee.md")
            const rows = yield* sql(
              `SELECT c.oid::text AS oid, indexdef FROM pg_indexes JOIN pg_class c ON c.relname = indexname WHERE tablename = $1 AND indexdef ~ 'hnsw'`,
              [table]
            )
            return rows.map(({ indexdef, oid }) => ({ oid, made: /USING .*/u.exec(String(indexdef))?.[0] }))
          })
        )
      assert.deepEqual(yield* index({}), [])
      const [first] = yield* index({ vectorIndex: "hnsw" })
      assert.strictEqual(first?.made, "USING hnsw (embedding vector_cosine_ops)")
      assert.deepEqual(yield* index({ vectorIndex: "hnsw", hnsw: { m: 16, efSearch: 200 } }), [first])
      const [second] = yield* index({ vectorIndex: "hnsw", hnsw: { m: 8, efConstruction: 40 } })
      assert.strictEqual(second?.made, "USING hnsw (embedding vector_cosine_ops) WITH (m='8', ef_construction='40')")
      assert.deepEqual(yield* index({ vectorIndex: "hnsw" }), [second])
      const [third] = yield* index({ url: `${url}?vectorIndex=hnsw&metric=euclidean` })
      assert.strictEqual(third?.made, "USING hnsw (embedding vector_l2_ops)")
      assert.deepEqual(yield* index({ metric: "euclidean" }), [third])
    })
  )

  it.scopedLive("keeps vectors as halfvec, whose type a later option may not change without a rebuild", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      const sink = yield* open({ url: `${url}?vectorType=halfvec&vectorIndex=hnsw&dimensions=4`, table })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      yield* prepared.replace?.(DocumentId.make("root/tea.md"), library.slice(0, 1)) ?? Effect.void
      yield* prepared.finish
      assert.deepEqual(
        yield* sql(
          `SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'embedding'`,
          [quoted(table)]
        ),
        [{ type: "halfvec(4)" }]
      )
      const asItIs = yield* open({ table })
      yield* asItIs.prepare(space)
      assert.strictEqual((yield* search(asItIs, "", [0, 1, 0, 0]))[0], "coffee.md")
      const other = yield* open({ table, vectorType: "vector" })
      const error = yield* Effect.flip(other.prepare(space))
      assert.strictEqual(error.reason, "Mismatch")
      assert.include(error.message, "have the type halfvec")
      yield* other.clear ?? Effect.void
      const preparedOther = yield* other.prepare(space)
      yield* preparedOther.write(library)
      assert.strictEqual((yield* search(other, "", [0, 1, 0, 0]))[0], "coffee.md")
    })
  )

  it.scopedLive("refuses options out of bounds, by option and in the address, and vectors of another length", () =>
    Effect.gen(function* () {
      for (const [options, part] of [
        [{ hnsw: { m: 1 } }, "`m` must be a whole number from 2 to 100"],
        [{ hnsw: { m: 40, efConstruction: 64 } }, "twice `m`"],
        [{ url: `${url}?efSearch=lots` }, "`efSearch`"],
        [{ url: `${url}?vectorType=bit` }, "`vectorType` must be one of vector, halfvec"]
      ] as const) {
        const error = yield* Effect.flip(open(options))
        assert.strictEqual(error.reason, "Rejected")
        assert.include(error.message, part)
      }
      const sink = yield* open({ table: yield* freshTable, dimensions: 5 })
      assert.include((yield* Effect.flip(sink.prepare(space))).message, "`dimensions` says 5, and test has 4")
      const wide = yield* open({ table: yield* freshTable, vectorIndex: "hnsw", vectorType: "halfvec" })
      const preparedWide = yield* wide.prepare({ ...space, dimensions: 4000 })
      yield* preparedWide.finish
    })
  )

  SinkConformance.suite(
    "pgvector for a tenant next to another",
    Effect.gen(function* () {
      const table = yield* freshTable
      return {
        layer: PgVector.layer({ url: Redacted.make(url), table, tenant: "mine" }),
        destroy: sql(
          `WITH gone AS (DELETE FROM docsluice_stores WHERE table_name = $1) DELETE FROM ${quoted(table)} WHERE tenant = 'mine'`,
          [`${table}#mine`]
        ),
        neighbour: PgVector.layer({ url: Redacted.make(url), table, tenant: "neighbour" }),
        tenants: {
          layer: PgVector.layer({ url: Redacted.make(url), table }),
          mine: "mine",
          theirs: "neighbour"
        },
        space
      }
    }),
    { describe, it }
  )

  it.scopedLive(
    "finds as many chunks of a tenant, and of a filter, as are asked for, through an index of all tenants",
    () =>
      Effect.gen(function* () {
        const table = yield* freshTable
        // The planner would compare all rows of a table as small as this one.
        const planned = `${url}?options=${encodeURIComponent("-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off")}`
        const at = (angle: number) => [Math.cos(angle), Math.sin(angle), 0, 0]
        const made = (name: string, count: number, first: number) =>
          Array.from({ length: count }, (_, index) =>
            chunk(name, index, { text: "lantern", embedding: at(first + index / 1000), metadata: { name } })
          )
        const mine = made("mine.md", 12, 1)
        for (const [tenant, chunks] of [
          ["theirs", [...made("theirs.md", 400, 0), ...made("few.md", 12, 1)]],
          ["mine", mine]
        ] as const) {
          const sink = yield* open({ table, tenant, vectorIndex: "hnsw" })
          const prepared = yield* sink.prepare(space)
          yield* prepared.write(chunks)
          yield* prepared.finish
        }
        const nearest = (tenant: string, filter?: Filter) =>
          Effect.gen(function* () {
            const sink = yield* open({ url: planned, table, tenant })
            const hits = yield* sink.search?.({ text: "", vector: at(0), filter, limit: 10 }) ?? Effect.succeed([])
            return hits.map((hit) => hit.chunk.id)
          })
        const filtered: Filter = { "metadata.name": "few.md" }
        // The index is approximate: it may miss a near one, and give the eleventh instead of the tenth.
        for (const [name, hits] of [
          ["mine.md", yield* nearest("mine")],
          ["few.md", yield* nearest("theirs", filtered)]
        ] as const) {
          assert.lengthOf(hits, 10)
          assert.includeMembers(
            made(name, 12, 1).map(({ id }) => id),
            hits
          )
        }
      })
  )

  it.scopedLive("keeps tenants apart in one table, each with a stamp of its own", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      const [one, two] = yield* Effect.forEach(["one", "two"], (tenant) => open({ table, tenant }))
      const [tea] = library
      if (one === undefined || two === undefined || tea === undefined) return assert.fail("there are two")
      const [first, second] = [yield* one.prepare(null), yield* two.prepare(space)]
      assert.notDeepEqual(first.storeId, second.storeId)
      yield* first.write([{ ...tea, embedding: undefined }])
      yield* second.write(library)
      yield* second.replace?.(DocumentId.make("root/tea.md"), []) ?? Effect.void
      const ids = (sink: ChunkSink.Service) =>
        Effect.map(Stream.runCollect(sink.list ?? Stream.empty), (all) =>
          Chunk.toReadonlyArray(all).map(({ id }) => id)
        )
      assert.deepEqual((yield* ids(one)).map(String), ["tea.md:0"])
      assert.notInclude((yield* ids(two)).map(String), "tea.md:0")
      assert.deepEqual(yield* search(one, "brew coffee tea"), ["tea.md"])
      assert.notInclude(yield* search(two, "brew coffee tea", [1, 0, 0, 0]), "tea.md")
      yield* two.clear ?? Effect.void
      assert.strictEqual(yield* one.count ?? Effect.succeed(0), 1)
      const without = yield* Effect.flip((yield* open({ table })).prepare(null))
      assert.include(without.message, 'search with `tenant: "NAME"`, or give ?tenant=NAME')
      const alone = yield* freshTable
      yield* (yield* open({ table: alone })).prepare(null)
      const within = yield* Effect.flip((yield* open({ table: alone, tenant: "one" })).prepare(null))
      assert.include(within.message, "no column `tenant`")
      for (const tenant of ["", "a'b", "ü", "x".repeat(65)]) {
        assert.include((yield* Effect.flip(open({ table, tenant }))).message, "`tenant`")
      }
      return undefined
    })
  )

  it.scopedLive(
    "frees what a process has locked that was stopped inside a transaction, after ten seconds",
    () =>
      Effect.gen(function* () {
        const table = yield* freshTable
        const sink = yield* open({ table })
        const prepared = yield* sink.prepare(null)
        yield* prepared.write(generation("a.md", "old", 3))
        const relay = yield* Relay.start(Number(new URL(url).port))
        const through = new URL(url)
        through.port = String(relay.port)
        const stopped = yield* open({ table, url: through.href })
        const stoppedStore = yield* stopped.prepare(null)
        const id = DocumentId.make("root/a.md")
        const replaced = (by: ChunkSink.Prepared, name: string, count: number) =>
          by.replace?.(id, generation("a.md", name, count)) ?? Effect.void
        relay.freezeAfter("DELETE FROM")
        const late = yield* Effect.fork(Effect.either(replaced(stoppedStore, "stopped", 1001)))
        while (!relay.isFrozen()) yield* Effect.sleep("10 millis")
        const idle = sql(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
        )
        while ((yield* idle).length === 0) yield* Effect.sleep("10 millis")
        const began = Date.now()
        yield* replaced(prepared, "new", 1)
        assert.isBelow(Date.now() - began, 25_000)
        relay.thaw()
        const end = yield* late
        assert.strictEqual(end._tag === "Left" ? end.left.reason : "written", "Unavailable")
        assert.deepEqual(yield* sql(`SELECT id FROM ${quoted(table)}`), [{ id: "a.md:new:0" }])
      }),
    60_000
  )
})
