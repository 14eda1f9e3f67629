import { join } from "node:path"
import { FileSystem, type Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as ChunkSink from "docsluice/ChunkSink"
import * as LanceDb from "docsluice/sinks/LanceDb"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import { Effect, type Scope } from "effect"
import Libsql from "libsql"
import { Client } from "pg"
import * as Servers from "../fixtures/servers.ts"
import { chunk } from "../fixtures/sinkChunks.ts"
import * as Postgres from "./postgres.ts"

const missing = Postgres.missing()
const server = missing === null ? await Servers.postgres() : null
afterAll(() => server?.stop())

const texts = [
  chunk("library.md", 0, { text: "The library lends books, and it is closed on Mondays." }),
  chunk("capital.md", 0, { text: "中华人民共和国的首都是北京。" }),
  chunk("haus.md", 0, { text: "Das Haus steht an der Straße und ist alt." })
]

const search = (sink: ChunkSink.ChunkSink.Service, text: string, more: Partial<ChunkSink.Query> = {}) =>
  sink.search?.({ text, limit: 5, ...more }) ?? Effect.succeed([])

const sources = (sink: ChunkSink.ChunkSink.Service, text: string) =>
  Effect.map(search(sink, text), (hits) => hits.map(({ chunk: one }) => one.source))

type Open = Effect.Effect<ChunkSink.ChunkSink.Service, unknown, FileSystem.FileSystem | Path.Path | Scope.Scope>

const filled = (open: Open) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* open
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(texts)
      yield* prepared.finish
    })
  )

/** Opens the store as an ingest does, and writes nothing. */
const ingested = (open: Open) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* open
      const prepared = yield* sink.prepare(null)
      yield* prepared.finish
    })
  )

/** What is found by the words of an earlier version, and by what only terms find. */
const found = (open: Open) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* open
      return {
        own: yield* sources(sink, "library"),
        inflected: yield* sources(sink, "libraries"),
        inside: yield* sources(sink, "首都")
      }
    })
  )

const asBefore = { own: ["library.md"], inflected: [], inside: [] }
const byTerms = { own: ["library.md"], inflected: ["library.md"], inside: ["capital.md"] }

const temporary = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** The full-text index as an earlier version made it: of texts, with SQLite's own words. */
const ofTexts = (file: string) => {
  const db = new Libsql(file)
  db.exec("DROP TABLE chunks_fts; DROP TRIGGER IF EXISTS chunks_removed")
  db.exec(
    `CREATE VIRTUAL TABLE chunks_fts USING fts5(text, headings, source, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`
  )
  db.exec("INSERT INTO chunks_fts (rowid, text, headings, source) SELECT row, text, '', source FROM chunks")
  db.close()
}

/** The full-text index as the version before made it: of the first terms. Gives the columns that it has later. */
const ofFirstTerms = (file: string) => {
  const db = new Libsql(file)
  db.exec("DROP TABLE chunks_fts")
  db.exec(
    `CREATE VIRTUAL TABLE chunks_fts USING fts5(terms1, headings, source, content='', contentless_delete=1, tokenize="ascii")`
  )
  db.exec("UPDATE docsluice SET indexed = 0")
  db.close()
  return () => {
    const later = new Libsql(file)
    const rows = later.prepare("SELECT name FROM pragma_table_info('chunks_fts') ORDER BY cid").pluck(true).all()
    later.close()
    return rows
  }
}

const query = (text: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: server?.url ?? "" })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text)
    await client.end()
    return rows
  })

describe("a store of an earlier version", () => {
  it.scopedLive("libsql: is searched as before until the next ingest, which brings it up without parsing", () =>
    Effect.gen(function* () {
      const file = join(yield* temporary, "chunks.db")
      const open = LibSql.make({ file })
      yield* filled(open)
      ofTexts(file)
      assert.deepEqual(yield* found(open), asBefore)
      yield* ingested(open)
      assert.deepEqual(yield* found(open), byTerms)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("libsql: is found whole when the ingest was killed before or while the new index was made", () =>
    Effect.gen(function* () {
      const file = join(yield* temporary, "chunks.db")
      const open = LibSql.make({ file })
      yield* filled(open)
      ofTexts(file)
      yield* ingested(open)
      const killed = (indexed: number) => {
        const db = new Libsql(file)
        db.exec(`DELETE FROM chunks_fts WHERE rowid > ${indexed}; UPDATE docsluice SET indexed = ${indexed}`)
        db.close()
      }
      for (const indexed of [2, 1, 0]) {
        killed(indexed)
        assert.deepEqual(yield* found(open), byTerms)
      }
      yield* ingested(open)
      assert.deepEqual(yield* found(open), byTerms)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("libsql: an index of the first terms is written and searched with these until it is made anew", () =>
    Effect.gen(function* () {
      const file = join(yield* temporary, "chunks.db")
      const open = LibSql.make({ file })
      yield* filled(open)
      const columns = ofFirstTerms(file)
      const child = (of: Open) => Effect.scoped(Effect.flatMap(of, (sink) => sources(sink, "child")))
      const write = Effect.scoped(
        Effect.gen(function* () {
          const prepared = yield* (yield* open).prepare(null)
          yield* prepared.write([chunk("school.md", 0, { text: "The children are in the yard of the school." })])
          yield* prepared.finish
        })
      )
      assert.deepEqual(yield* found(open), byTerms)
      yield* write
      assert.deepEqual(columns(), ["terms1", "headings", "source"])
      assert.deepEqual(yield* found(open), byTerms)
      assert.deepEqual(yield* child(open), [])
      yield* Effect.scoped(Effect.flatMap(open, (sink) => sink.clear ?? Effect.void))
      yield* write
      assert.deepEqual(columns(), ["terms2", "headings", "source"])
      assert.deepEqual(yield* child(open), ["school.md"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("lancedb: is searched as before until the next ingest, which brings it up without parsing", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "lance")
      const open = LanceDb.make({ directory })
      yield* filled(open)
      const { connect } = yield* Effect.promise(() => import("@lancedb/lancedb"))
      const connection = yield* Effect.promise(() => connect(directory))
      const table = yield* Effect.promise(() => connection.openTable("chunks"))
      yield* Effect.promise(() => table.dropIndex("terms2_idx"))
      yield* Effect.promise(() => table.dropColumns(["terms2"]))
      assert.deepEqual(yield* found(open), asBefore)
      yield* ingested(open)
      assert.deepEqual(yield* found(open), byTerms)
      // A row that an earlier version wrote next to it.
      yield* Effect.promise(() => table.checkoutLatest())
      yield* Effect.promise(() => table.update({ where: "source = 'library.md'", valuesSql: { terms2: "NULL" } }))
      assert.deepEqual((yield* found(open)).own, ["library.md"])
      yield* ingested(open)
      assert.deepEqual(yield* found(open), byTerms)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive.skipIf(server === null)(
    `pgvector: is searched as before until the next ingest, which brings it up without parsing${missing === null ? "" : ` [${missing}]`}`,
    () =>
      Effect.gen(function* () {
        const open = PgVector.make({ url: server?.url ?? "", table: "earlier" })
        yield* filled(open)
        yield* query("ALTER TABLE earlier DROP COLUMN terms2, DROP COLUMN IF EXISTS weights2")
        assert.deepEqual(yield* found(open), { ...asBefore, inflected: ["library.md"] })
        yield* ingested(open)
        assert.deepEqual(yield* found(open), byTerms)
        // The ingest was killed after a part of the rows, or an earlier version wrote again.
        yield* query("UPDATE earlier SET terms2 = NULL WHERE source = 'library.md'")
        assert.deepEqual(yield* found(open), byTerms)
        yield* ingested(open)
        assert.deepEqual(yield* query("SELECT 1 FROM earlier WHERE terms2 IS NULL"), [])
        assert.deepEqual(yield* found(open), byTerms)
      }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("hits", () => {
  const space = { model: "test", dimensions: 2, normalized: true, metric: "cosine" } as const

  it.scopedLive("are relevant where they separate the digits of a number otherwise", () =>
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const prepared = yield* sink.prepare(null)
      const other = (at: number) => chunk(`${"wind".repeat(at + 1)}.md`, 0, { text: "All of it is about wind." })
      yield* prepared.write([
        ...Array.from({ length: 8 }, (_, at) => other(at)),
        chunk("sum.md", 0, { text: "The revenue was 1,234.5 in all." })
      ])
      yield* prepared.finish
      assert.deepEqual(yield* sources(sink, "1234.5"), ["sum.md"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("have spans of the matched words, inflected ones too, and none of function words", () =>
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(texts)
      const shown = (text: string) =>
        Effect.map(search(sink, text), ([hit]) =>
          (hit?.highlights ?? []).map(({ end, start }) => hit?.chunk.text.slice(start, end))
        )
      assert.deepEqual(yield* shown("When are the libraries lending a book?"), ["library", "lends", "books"])
      assert.deepEqual(yield* shown("首都"), ["首都"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("hold the similarity of their vectors also where words found them, and null without vectors", () =>
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const prepared = yield* sink.prepare(space)
      yield* prepared.write([
        chunk("same.md", 0, { text: "library", embedding: [1, 0] }),
        chunk("opposed.md", 0, { text: "library", embedding: [-1, 0] }),
        chunk("without.md", 0, { text: "library" })
      ])
      const hits = yield* search(sink, "library", { vector: [1, 0] })
      const similarities = Object.fromEntries(hits.map(({ chunk: one, similarity }) => [one.source, similarity]))
      assert.closeTo(similarities["same.md"] ?? 0, 1, 1e-6)
      assert.strictEqual(similarities["opposed.md"], 0)
      assert.isNull(similarities["without.md"])
      const words = yield* search(sink, "library")
      assert.isTrue(words.every(({ similarity }) => similarity === null))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("are refused by the default where nothing fits, and kept where something does", () =>
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(texts)
      const minScore = ChunkSink.defaultMinScore
      assert.isEmpty(yield* search(sink, "Which spices are in the books of medieval cooks?", { minScore }))
      assert.lengthOf(yield* search(sink, "When is the library closed?", { minScore }), 1)
      assert.lengthOf(yield* search(sink, "libraries", { minScore }), 1)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("are put in order by a reranker: a function, a promise or an effect", () =>
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(Array.from({ length: 30 }, (_, at) => chunk("a.md", at, { text: `library number ${at}` })))
      const score = (hits: ReadonlyArray<ChunkSink.Hit>) => hits.map((hit) => hit.chunk.index)
      const rerankers: ReadonlyArray<ChunkSink.Rerank> = [
        (_, hits) => score(hits),
        (_, hits) => Promise.resolve(score(hits)),
        (_, hits) => Effect.succeed(score(hits))
      ]
      for (const rerank of rerankers) {
        const hits = yield* search(sink, "library", { rerank, limit: 2 })
        assert.deepEqual(
          hits.map((hit) => [hit.chunk.index, hit.score]),
          [
            [29, 29],
            [28, 28]
          ]
        )
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("fail as rejected with a reranker that fails, or gives no score for each", () =>
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(texts)
      const rerankers: ReadonlyArray<ChunkSink.Rerank> = [
        () => [],
        () => [Number.NaN],
        () => Promise.reject(new Error("down")),
        () => Effect.fail("down"),
        () => {
          throw new Error("down")
        }
      ]
      for (const rerank of rerankers) {
        const error = yield* Effect.flip(search(sink, "library", { rerank }))
        assert.strictEqual(error.reason, "Rejected")
        assert.match(error.message, /reranker/)
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("bring the larger chunk that holds them, and neighbours of their own kind", () =>
    Effect.gen(function* () {
      const sink = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const prepared = yield* sink.prepare(null)
      const parent = chunk("a.md", 0, { text: "one two three" })
      const children = ["one", "two", "three"].map((text, at) =>
        chunk("a.md", at + 1, { text: `child ${text}`, parentId: parent.id })
      )
      yield* prepared.write([parent, ...children])
      const [hit] = yield* search(sink, "child two", { neighbours: 2, parent: true })
      assert.strictEqual(hit?.chunk.id, children[1]?.id)
      assert.deepEqual(
        [hit?.before, hit?.after, hit?.parent].map((chunks) => chunks?.map(({ text }) => text)),
        [["child one"], ["child three"], ["one two three"]]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("refuse a query with a member that is not of its type, by name, before anything is opened", () =>
    Effect.gen(function* () {
      let opened = 0
      const open = Effect.sync(() => (opened += 1))
      const sink = yield* ChunkSink.make({
        id: "asked:",
        name: "asked",
        open: () => open,
        read: () => open,
        inspect: Effect.succeed({ _tag: "Unstamped", chunks: [chunk("a.md", 0)] }),
        write: () => Effect.void,
        search: () => Effect.succeed([{ score: 1, chunk: chunk("a.md", 0) }])
      })
      const find = sink.search ?? (() => Effect.die("it cannot search"))
      const good = { text: "a", vector: [1, 0], limit: 1 }
      for (const [member, value, named = member] of [
        ["text", undefined],
        ["text", null],
        ["text", 5],
        ["vector", null],
        ["vector", "1,0"],
        ["vector", new Float32Array(2)],
        ["vector", [1, Number.NaN], "vector[1]"],
        ["vector", ["1", 0], "vector[0]"],
        ["limit", undefined],
        ["limit", "3"],
        ["limit", -1],
        ["limit", 1.5],
        ["limit", Number.NaN],
        ["limit", Number.POSITIVE_INFINITY],
        ["neighbours", 0.5],
        ["neighbours", -1],
        ["minScore", "0.5"],
        ["minScore", Number.NaN]
      ] as const) {
        const error = yield* Effect.flip(find(Object.assign({ ...good }, { [member]: value })))
        assert.deepInclude(error, { sink: "asked:", reason: "Rejected" })
        assert.include(error.message, `the query's \`${named}\` is`)
      }
      assert.strictEqual(opened, 0)
      assert.deepEqual(yield* find({ ...good, limit: 0 }), [])
      assert.lengthOf(yield* find({ ...good, text: "" }), 1)
      const stored = yield* LibSql.make({ file: join(yield* temporary, "chunks.db") })
      const preparedStored = yield* stored.prepare(null)
      yield* preparedStored.write(texts)
      assert.deepEqual(yield* search(stored, ""), [])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
