import { afterAll, assert, describe, it } from "@effect/vitest"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as PgVector from "docsluice/sinks/PgVector"
import { Effect } from "effect"
import { Pool } from "pg"
import { chunk } from "../fixtures/sinkChunks.ts"
import { space } from "../fixtures/vectorChunks.ts"
import * as Postgres from "./postgres.ts"

const reason = Postgres.missing()
const server = reason === null ? await Postgres.start() : null
const url = server?.url ?? ""
const admin = new Pool({ connectionString: url, max: 1 }).on("error", () => {})

afterAll(async () => {
  await admin.end()
  await server?.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.map(
    Effect.promise(() => admin.query<Record<string, unknown>>(text, [...values])),
    ({ rows }) => rows
  )

const open = (table: string) => PgVector.make({ url, table })

/** Columns of the table of a store without vectors, in a database of its own without the extension. */
const columnsIn = (database: string, user: string) =>
  Effect.gen(function* () {
    yield* sql(`CREATE DATABASE ${database}`)
    const address = new URL(url)
    address.pathname = `/${database}`
    const pool = new Pool({ connectionString: address.href, max: 1 }).on("error", () => {})
    const ask = (text: string) => Effect.promise(() => pool.query<{ name: string }>(text))
    yield* ask(`GRANT ALL ON SCHEMA public TO ${user}`)
    address.username = user
    const sink = yield* PgVector.make({ url: address.href })
    yield* sink.prepare(null)
    const { rows } = yield* ask("SELECT attname AS name FROM pg_attribute WHERE attrelid = 'chunks'::regclass")
    yield* Effect.promise(() => pool.end())
    return rows.map(({ name }) => name)
  })

describe.skipIf(reason !== null)(`words in pgvector${reason === null ? "" : `: ${reason}`}`, () => {
  it.scopedLive("has weights in a store without vectors, unless its user may not create the extension", () =>
    Effect.gen(function* () {
      const { password } = new URL(url)
      yield* sql(`CREATE ROLE words_owner SUPERUSER LOGIN PASSWORD '${password}'`)
      yield* sql(`CREATE ROLE words_user LOGIN PASSWORD '${password}'`)
      assert.include(yield* columnsIn("words_with", "words_owner"), "weights2")
      const without = yield* columnsIn("words_without", "words_user")
      assert.include(without, "terms2")
      assert.notInclude(without, "weights2")
    })
  )

  it.scopedLive(
    "ranks by BM25 before its index is there, by the server's statistics, and in a table whose terms have positions",
    () =>
      Effect.gen(function* () {
        // Every chunk says tide, every second one harbour, ten lantern, one sextant; the last but one repeats lantern.
        const texts = Array.from({ length: 400 }, (_, at) =>
          [
            `tide number ${at} of the log`,
            ...(at % 2 === 0 ? ["harbour"] : []),
            ...(at % 40 === 7 ? ["lanterns"] : []),
            ...(at === 367 ? ["lantern lantern"] : []),
            ...(at === 11 ? ["sextant"] : [])
          ].join(" ")
        )
        const chunks = texts.map((text, at) =>
          chunk(`log/${at}.md`, 0, { text, embedding: [Math.cos(at), Math.sin(at), 0, 1] })
        )
        const found = (sink: ChunkSink.Service) =>
          Effect.forEach(
            ["tide", "harbour tide", "lantern", "lantern tide", "sextant of the harbour", "zebra"],
            (text) =>
              Effect.map(sink.search?.({ text, limit: 12 }) ?? Effect.succeed([]), (hits) =>
                hits.map(({ chunk: { source } }) => source)
              )
          )
        const table = "words"
        const sink = yield* open(table)
        const prepared = yield* sink.prepare(space)
        yield* prepared.write(chunks)
        const before = yield* found(sink)
        const [, , lantern = [], , sextant = [], zebra] = before
        assert.strictEqual(lantern[0], "log/367.md")
        assert.lengthOf(lantern, 10)
        assert.strictEqual(sextant[0], "log/11.md")
        assert.deepEqual(zebra, [])
        yield* prepared.finish
        assert.notDeepEqual(
          yield* sql("SELECT 1 FROM pg_stats WHERE tablename = $1 AND attname = 'terms2'", [table]),
          []
        )
        assert.deepEqual(yield* found(sink), before)
        const earlier = "earlier"
        const made = yield* Effect.scoped(Effect.flatMap(open(earlier), (one) => one.prepare(space)))
        assert.isDefined(made)
        yield* sql("ALTER TABLE earlier DROP COLUMN weights2")
        const old = yield* open(earlier)
        const again = yield* old.prepare(space)
        yield* again.write(chunks)
        yield* again.finish
        assert.deepEqual(
          yield* sql(`SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'weights2'`, [
            earlier
          ]),
          []
        )
        const byPositions = yield* found(old)
        assert.deepEqual(
          byPositions.map(([first]) => first),
          before.map(([first]) => first)
        )
        assert.sameMembers([...(byPositions[2] ?? [])], [...lantern])
      })
  )

  it.scopedLive("finds a word of most rows that came after the server's statistics were made", () =>
    Effect.gen(function* () {
      const sink = yield* open("grown")
      const prepared = yield* sink.prepare(null)
      const rows = (count: number, word: string) =>
        Array.from({ length: count }, (_, at) => chunk(`${word}/${at}.md`, 0, { text: `${word} number ${at}` }))
      yield* prepared.write(rows(300, "tide"))
      yield* prepared.finish
      yield* sql("ALTER TABLE grown SET (autovacuum_enabled = false)")
      yield* prepared.write(rows(1500, "beacon"))
      for (const word of ["beacon", "tide"]) {
        const hits = yield* sink.search?.({ text: word, limit: 12 }) ?? Effect.succeed([])
        assert.lengthOf(hits, 12)
        assert.isTrue(hits.every(({ chunk: { source }, score }) => source.startsWith(word) && score > 0))
      }
    })
  )
})
