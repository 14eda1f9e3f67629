import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type ChunkSink, type EmbeddingSpace, retrying, stampedSpace } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as PgVector from "docsluice/sinks/PgVector"
import { DocumentId } from "docsluice/SourceFile"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Cause, Effect, Exit, Fiber, Option, Redacted, type Scope } from "effect"
import { Pool } from "pg"
import { columns, decode } from "../../sinks/internal/shared/ChunkRow.ts"
import { nightly } from "../fixtures/seed.ts"
import { chunk, generation } from "../fixtures/sinkChunks.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import { damagedMetadata, damagedRowTest } from "./damagedRow.ts"
import * as Postgres from "./postgres.ts"
import { vectorStoreTests } from "./vectorStore.ts"

const withoutDriver = fileURLToPath(new URL("../fixtures/withoutDriver.ts", import.meta.url))

const reason = Postgres.missing()
const server = reason === null ? await Postgres.start() : null
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

/** The name of a table that nobody has used, and that needs quoting. */
const freshTable = Effect.acquireRelease(
  Effect.sync(() => `Chunks "${(tables += 1)}"`),
  (table) => sql(`DROP TABLE IF EXISTS "${table.replaceAll('"', '""')}"`)
)

const quoted = (table: string) => `"${table.replaceAll('"', '""')}"`

/** Reads the table as a stranger would, with its own connection. */
const readChunks = (table: string) =>
  Effect.flatMap(
    sql(`SELECT row_to_json(t)::text AS row FROM ${quoted(table)} t`),
    Effect.forEach(({ row }) =>
      Effect.gen(function* () {
        const named: Record<string, unknown> = JSON.parse(String(row))
        const members = columns.map(({ member, name, kind }) => {
          const value = named[name]
          return [member, kind === "json" ? JSON.stringify(value) : value] as const
        })
        const found = yield* decode(Object.fromEntries(members))
        const { embedding } = named
        return typeof embedding === "string"
          ? new DocumentChunk({ ...found, embedding: embedding.slice(1, -1).split(",").map(Number) })
          : found
      })
    )
  )

const target = (space: EmbeddingSpace | null): Effect.Effect<SinkConformance.Target, unknown, Scope.Scope> =>
  Effect.map(freshTable, (table) => ({
    layer: PgVector.layer({ url: Redacted.make(url), table }),
    read: readChunks(table),
    destroy: sql(`DROP TABLE ${quoted(table)}`),
    engine: {
      stop: Effect.promise(async () => server?.down()),
      start: Effect.promise(async () => server?.up())
    },
    space
  }))

const open = (options: Partial<PgVector.Options>) => PgVector.make({ url, ...options })

const search = (sink: ChunkSink.Service, text: string, vector?: ReadonlyArray<number>) =>
  Effect.map(sink.search?.({ text, vector, limit: 10 }) ?? Effect.succeed([]), (hits) =>
    hits.map((hit) => hit.chunk.source)
  )

const suites = () => {
  if (nightly) SinkConformance.suite("pgvector without vectors", target(null), { describe, it })
  SinkConformance.suite("pgvector with vectors", target(space), { describe, it })
  vectorStoreTests(Effect.flatMap(freshTable, (table) => open({ table })))
  damagedRowTest(
    Effect.gen(function* () {
      const table = yield* freshTable
      const sink = yield* open({ table })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      const change = `UPDATE ${quoted(table)} SET metadata = $1 WHERE id = 'tea.md:0'`
      return { sink, damage: sql(change, [JSON.stringify(damagedMetadata)]) }
    })
  )
  addressTests()
  connectionTests()
  tableTests()
}

describe.skipIf(reason !== null)(`pgvector${reason === null ? "" : `: ${reason}`}`, () => {
  suites()
})

function addressTests() {
  it.scopedLive("has an id without credentials, and reads schema and table from the address too", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.forEach(
        [
          { url: "postgres://me:p%40ss@db.example.org/rag" },
          { url: "postgresql://db.example.org:6543/rag?sslmode=disable", schema: "s", table: "t" },
          { url: "postgres://me:pass@/rag?host=/var/run/postgresql&schema=a&table=b" }
        ],
        (options) => Effect.map(PgVector.make(options), ({ id }) => id)
      )
      assert.deepEqual(ids, [
        "pgvector:db.example.org:5432/rag/public.chunks",
        "pgvector:db.example.org:6543/rag/s.t",
        "pgvector:/var/run/postgresql:5432/rag/a.b"
      ])
    })
  )

  it.scopedLive(
    "never repeats a credential in what it says of an address, a refusal or a server that is not there",
    () =>
      Effect.gen(function* () {
        const secret = "wr0ng-pass"
        const addresses = [
          `mysql://tester:${secret}@127.0.0.1/postgres`,
          `postgres://tester:${secret}@127.0.0.1:${server?.port}`,
          `postgres://tester:${secret}@127.0.0.1:${server?.port}/postgres`,
          `postgres://tester:${secret}@127.0.0.1:1/postgres`,
          `postgres://tester:${secret}@127.0.0.1:${server?.port}/nowhere`
        ]
        const reasons = yield* Effect.forEach(addresses, (url) =>
          Effect.gen(function* () {
            const exit = yield* Effect.exit(
              Effect.scoped(Effect.flatMap(PgVector.make({ url }), (sink) => sink.prepare(null)))
            )
            if (Exit.isSuccess(exit)) return "succeeded"
            assert.notInclude(Cause.pretty(exit.cause), secret)
            assert.notInclude(JSON.stringify(exit), secret)
            const failure = Cause.failureOption(exit.cause)
            return failure._tag === "Some" ? failure.value.reason : "a defect"
          })
        )
        assert.deepEqual(reasons, ["Rejected", "Rejected", "Rejected", "Unavailable", "Rejected"])
        const missing = yield* open({ url: url.replace(/postgres$/u, "nowhere") })
        assert.strictEqual((yield* Effect.flip(missing.prepare(null))).reason, "Mismatch")
      })
  )
}

const backends = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docsluice'`

it.effect("says which package is missing and how it is installed, and has its id without it", () =>
  Effect.promise(() =>
    promisify(execFile)(process.execPath, ["--conditions=docsluice:source", "--import=tsx", withoutDriver])
  ).pipe(
    Effect.map(({ stdout }) =>
      assert.deepEqual(stdout.split("\n").slice(0, 3), [
        "pgvector:127.0.0.1:5432/rag/public.chunks",
        "Unsupported",
        "pgvector:127.0.0.1:5432/rag/public.chunks: it needs a package that is not installed here; run: npm install pg"
      ])
    )
  )
)

function connectionTests() {
  it.scopedLive(
    "fails as unavailable when its connection is killed in a write, keeps the old generation, and goes on",
    () =>
      Effect.gen(function* () {
        const table = yield* freshTable
        const sink = yield* open({ table })
        const prepared = yield* sink.prepare(null)
        const documentId = DocumentId.make("root/a.md")
        const old = generation("a.md", "old", 3)
        const next = generation("a.md", "next", 2)
        yield* prepared.write(old)
        const holder = yield* Effect.promise(() => admin.connect())
        yield* Effect.promise(() => holder.query(`BEGIN; LOCK TABLE ${quoted(table)}`))
        const replacing = yield* Effect.fork(Effect.either(prepared.replace?.(documentId, next) ?? Effect.void))
        yield* waitUntil(
          `SELECT 1 FROM pg_stat_activity WHERE application_name = 'docsluice' AND wait_event_type = 'Lock'`
        )
        yield* sql(backends)
        const result = yield* Fiber.join(replacing)
        yield* Effect.promise(() => holder.query("ROLLBACK"))
        holder.release()
        assert.strictEqual(result._tag === "Left" ? result.left.reason : "succeeded", "Unavailable")
        assert.sameMembers(
          (yield* readChunks(table)).map(({ id }) => id),
          old.map(({ id }) => id)
        )
        yield* prepared.replace?.(documentId, next) ?? Effect.void
        assert.sameMembers(
          (yield* readChunks(table)).map(({ id }) => id),
          next.map(({ id }) => id)
        )
      })
  )

  it.scopedLive("stores everything through retries while its connections are killed again and again", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      const sink = retrying(yield* open({ table }), { attempts: 20, base: "5 millis" })
      const prepared = yield* sink.prepare(null)
      const killer = yield* Effect.fork(Effect.repeatN(Effect.delay(sql(backends), "20 millis"), 300))
      const documents = Array.from({ length: 60 }, (_, at) => generation(`${at}.md`, "only", 20))
      yield* Effect.forEach(
        documents,
        (chunks, at) => prepared.replace?.(DocumentId.make(`root/${at}.md`), chunks) ?? Effect.void
      )
      yield* Fiber.interrupt(killer)
      assert.sameMembers(
        (yield* readChunks(table)).map(({ id }) => id),
        documents.flat().map(({ id }) => id)
      )
    })
  )

  it.scopedLive("cancels on the server what is interrupted, and gives up a statement that takes too long", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      const sink = yield* open({ table, statementTimeout: "2 seconds" })
      const prepared = yield* sink.prepare(null)
      const holder = yield* Effect.promise(() => admin.connect())
      yield* Effect.promise(() => holder.query(`BEGIN; LOCK TABLE ${quoted(table)}`))
      const late = yield* Effect.flip(prepared.write([chunk("late.md", 0)]))
      assert.strictEqual(late.reason, "Unavailable")
      const patient = yield* open({ table })
      // `prepare` would wait for the lock too.
      yield* Effect.promise(() => holder.query("ROLLBACK"))
      const preparedPatient = yield* patient.prepare(null)
      yield* Effect.promise(() => holder.query(`BEGIN; LOCK TABLE ${quoted(table)}`))
      const fiber = yield* Effect.fork(preparedPatient.write([chunk("interrupted.md", 0)]))
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'docsluice' AND wait_event_type = 'Lock'`
      yield* waitUntil(waiting)
      yield* Fiber.interrupt(fiber)
      assert.lengthOf(yield* sql(waiting), 0)
      yield* Effect.promise(() => holder.query("ROLLBACK"))
      holder.release()
      assert.lengthOf(yield* readChunks(table), 0)
      yield* preparedPatient.write([chunk("after.md", 0)])
      assert.lengthOf(yield* readChunks(table), 1)
    })
  )

  it.scopedLive("opens no more connections than it may, and closes them with its scope", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      const count = Effect.map(
        sql(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'docsluice'`),
        ([row]) => row?.["n"]
      )
      const none = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'docsluice' HAVING count(*) = 0`
      // A server takes a moment to let go of the connections of the tests before.
      yield* waitUntil(none)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sink = yield* open({ table, maxConnections: 1 })
          const prepared = yield* sink.prepare(space)
          yield* prepared.write(library)
          yield* Effect.forEach(library, () => search(sink, "brew", [1, 0, 0, 0]), { concurrency: 5 })
          assert.strictEqual(yield* count, 1)
        })
      )
      yield* waitUntil(none)
    })
  )
}

const waitUntil = (text: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let at = 0; at < 200; at++) {
      if ((yield* sql(text)).length > 0) return
      yield* Effect.sleep("20 millis")
    }
    assert.fail(`it never came to pass: ${text}`)
  })

function tableTests() {
  it.scopedLive("builds its indexes in finish, and finds the same with them", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      const sink = yield* open({ table, vectorIndex: "hnsw", language: "simple" })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      const indexes = Effect.map(sql(`SELECT indexdef FROM pg_indexes WHERE tablename = $1`, [table]), (rows) =>
        rows.map(({ indexdef }) => String(indexdef)).filter((text) => /USING (gin|hnsw)/u.test(text))
      )
      assert.lengthOf(yield* indexes, 0)
      const before = yield* search(sink, "brew coffee", [0, 1, 0, 0])
      yield* prepared.finish
      yield* prepared.finish
      assert.lengthOf(yield* indexes, 2)
      yield* sql("ALTER ROLE tester SET enable_seqscan = off")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const again = yield* open({ table, language: "simple" })
          yield* again.prepare(space)
          assert.deepEqual(yield* search(again, "brew coffee", [0, 1, 0, 0]), before)
        })
      ).pipe(Effect.ensuring(sql("ALTER ROLE tester RESET enable_seqscan")))
      yield* waitUntil(
        `SELECT 1 FROM pg_stat_user_indexes WHERE indexrelname ~ 'docsluice_(terms2|vector)' AND idx_scan > 0
         AND relname = '${table}' HAVING count(*) = 2`
      )
    })
  )

  it.scopedLive("writes to a table of the user's by its own names, and leaves its other columns alone", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      yield* sql(
        `CREATE TABLE ${quoted(table)} (serial bigserial, "Key" varchar(200) UNIQUE, doc text, content text, meta json,
           vec vector(4), page_list jsonb, tok bigint, note text DEFAULT 'mine')`
      )
      const names = {
        id: "Key",
        documentId: "doc",
        text: "content",
        metadata: "meta",
        embedding: "vec",
        pages: "page_list",
        tokens: "tok"
      }
      const sink = yield* open({ table, columns: names })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      yield* sql(`UPDATE ${quoted(table)} SET note = 'changed' WHERE doc = 'root/tea.md'`)
      yield* prepared.replace?.(DocumentId.make("root/tea.md"), library.slice(0, 1)) ?? Effect.void
      assert.deepEqual(
        yield* sql(`SELECT "Key" AS key, content, note, vec::text FROM ${quoted(table)} WHERE note = 'changed'`),
        [{ key: "tea.md:0", content: library[0]?.text, note: "changed", vec: "[1,0,0,0]" }]
      )
      const hits = yield* (
        sink.search?.({ text: "brew", filter: { "metadata.year": 2022 }, limit: 5 }) ?? Effect.succeed([])
      )
      assert.deepEqual(
        hits.map((hit) => hit.chunk.id),
        ["coffee.md:0"]
      )
      assert.deepEqual(hits[0]?.chunk.metadata, library[1]?.metadata)
      assert.strictEqual(hits[0]?.chunk.tokens, 2)
      yield* prepared.finish
      const again = yield* (yield* open({ table, columns: names })).prepare(space)
      assert.deepEqual(again.storeId, prepared.storeId)
      yield* sink.clear ?? Effect.void
      assert.deepEqual(yield* sql(`SELECT count(*)::int AS n FROM ${quoted(table)}`), [{ n: 0 }])
    })
  )

  it.scopedLive("says what is wrong with a table that does not fit, and does not touch it", () =>
    Effect.gen(function* () {
      const table = yield* freshTable
      yield* sql(`CREATE TABLE ${quoted(table)} (id text, doc text, content text, vec vector(3))`)
      yield* sql(`INSERT INTO ${quoted(table)} VALUES ('kept', 'd', 'c', '[1,2,3]')`)
      const problem = (options: Partial<PgVector.Options>, space: EmbeddingSpace | null) =>
        Effect.gen(function* () {
          const sink = yield* open({ table, ...options })
          const error = yield* Effect.flip(sink.prepare(space))
          assert.strictEqual(error.reason, "Mismatch")
          return error.message
        })
      const names = { id: "id", documentId: "doc", text: "content", embedding: "vec" }
      assert.include(yield* problem({}, null), '"document_id" of type text, and has none')
      assert.include(yield* problem({ columns: { id: "id", documentId: "doc" } }, null), "a column for `text`")
      assert.include(yield* problem({ columns: names }, null), "no unique index")
      yield* sql(`CREATE UNIQUE INDEX ON ${quoted(table)} (id)`)
      assert.include(yield* problem({ columns: names }, space), "vector(4) for test, and its type is vector(3)")
      assert.include(yield* problem({ columns: names }, { ...space, dimensions: 3 }), "vectors of an unknown model")
      assert.include(
        yield* problem({ columns: { ...names, tokens: "content" } }, null),
        "integer, and its type is text"
      )
      assert.include(yield* problem({ table: "nowhere", columns: names }, null), "create it")
      const foreign = yield* open({ table })
      assert.strictEqual((yield* Effect.flip(foreign.clear ?? Effect.void)).reason, "Mismatch")
      assert.deepEqual(yield* sql(`SELECT id FROM ${quoted(table)}`), [{ id: "kept" }])
    })
  )

  it.scopedLive("refuses numbers that no column of 32 bits holds, and an index that the server cannot build", () =>
    Effect.gen(function* () {
      const sink = yield* open({ table: yield* freshTable, vectorIndex: "hnsw" })
      const wide = { ...space, dimensions: 2001 }
      const refused = yield* Effect.flip(sink.prepare(wide))
      assert.strictEqual(refused.reason, "Mismatch")
      assert.include(refused.message, "2000 dimensions")
      const prepared = yield* sink.prepare(null)
      const huge = [chunk("huge.md", 0, { end: 2 ** 31 })]
      assert.strictEqual((yield* Effect.flip(prepared.write(huge))).reason, "Rejected")
      const replaced = prepared.replace?.(DocumentId.make("root/huge.md"), huge) ?? Effect.void
      assert.strictEqual((yield* Effect.flip(replaced)).reason, "Rejected")
    })
  )

  it.scopedLive("makes the schema and the extension, or says who has to", () =>
    Effect.gen(function* () {
      const database = `rag_${(tables += 1)}`
      yield* sql(`CREATE DATABASE ${database}`)
      yield* sql(`CREATE ROLE guest_${tables} LOGIN PASSWORD 'guest'`)
      const own = url.replace(/postgres$/u, database)
      const guest = own.replace("tester:s3cret-pass", `guest_${tables}:guest`)
      const denied = yield* (yield* PgVector.make({ url: guest })).prepare(space).pipe(Effect.flip)
      assert.strictEqual(denied.reason, "Mismatch")
      assert.include(denied.message, "CREATE EXTENSION vector")
      const sink = yield* PgVector.make({ url: own, schema: "made" })
      assert.deepEqual(yield* stampedSpace(sink), Option.none())
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      assert.deepEqual(yield* stampedSpace(sink), Option.some(space))
      assert.lengthOf(yield* search(sink, "brew"), 2)
    })
  )
}
