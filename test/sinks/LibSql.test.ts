import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type EmbeddingSpace, SinkError, stampedSpace } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as LibSql from "docsluice/sinks/LibSql"
import { DocumentId } from "docsluice/SourceFile"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Option, Random, type Scope } from "effect"
import Libsql from "libsql"
import { attempt } from "../../sinks/internal/libsql/Database.ts"
import { columns, decode } from "../../sinks/internal/shared/ChunkRow.ts"
import { killedWriter, writeUntilKilled } from "../fixtures/killedProcess.ts"
import { nightly } from "../fixtures/seed.ts"
import { chunk, generation } from "../fixtures/sinkChunks.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import { damagedMetadata, damagedRowTest } from "./damagedRow.ts"
import { vectorStoreTests } from "./vectorStore.ts"

const rowsOf = (file: string, sql: string): ReadonlyArray<unknown> => {
  const db = new Libsql(file)
  const rows = db.prepare(sql).all([])
  db.close()
  return rows
}

/** Reads the table as a stranger would, with its own connection. */
const readChunks = (file: string) =>
  Effect.flatMap(
    Effect.sync(() => rowsOf(file, "SELECT * FROM chunks")),
    Effect.forEach((row) =>
      Effect.gen(function* () {
        const named: Record<string, unknown> = typeof row === "object" ? { ...row } : {}
        const { embedding } = named
        const found = yield* decode(Object.fromEntries(columns.map(({ member, name }) => [member, named[name]])))
        return embedding instanceof ArrayBuffer
          ? new DocumentChunk({ ...found, embedding: [...new Float32Array(embedding)] })
          : found
      })
    )
  )

const freshFile = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fs.makeTempDirectoryScoped(), "folder", "chunks.db")
}).pipe(Effect.provide(NodeContext.layer))

const target = (space: EmbeddingSpace | null): Effect.Effect<SinkConformance.Target, unknown, Scope.Scope> =>
  Effect.map(freshFile, (file) => ({
    layer: LibSql.layer({ file }).pipe(Layer.provide(NodeContext.layer)),
    kill: killedWriter("libsql", file, space),
    read: readChunks(file),
    destroy: Effect.flatMap(FileSystem.FileSystem, (fs) =>
      Effect.forEach(["", "-wal", "-shm"], (end) => fs.remove(file + end, { force: true }), { discard: true })
    ).pipe(Effect.provide(NodeContext.layer)),
    space
  }))

if (nightly) SinkConformance.suite("libsql without vectors", target(null), { describe, it })
SinkConformance.suite("libsql with vectors", target(space), { describe, it })

/** One tenant of a file that has another one. */
const tenantsTarget = Effect.map(freshFile, (file): SinkConformance.Target => {
  const layer = (tenant?: string) => LibSql.layer({ file, tenant }).pipe(Layer.provide(NodeContext.layer))
  return {
    layer: layer("mine"),
    read: readChunks(file),
    neighbour: layer("theirs"),
    tenants: { layer: layer(), mine: "mine", theirs: "theirs" },
    space
  }
})

SinkConformance.suite("libsql with tenants", tenantsTarget, { describe, it })

const open = (file: string, tenant?: string) => LibSql.make({ file, tenant }).pipe(Effect.provide(NodeContext.layer))

describe("libsql", () => {
  it.effect("tells an error that is not of the database as what it is, and no fault of the file", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(
        attempt("libsql:x.db", () => {
          throw new TypeError("Cannot assign to read only property '6' of string 'учители'")
        })
      )
      assert.match(message, /^libsql:x\.db: it failed unexpectedly \(Cannot assign to read only property/u)
    })
  )

  vectorStoreTests(Effect.flatMap(freshFile, open))

  it.scoped(
    "keeps tenants with vectors of different lengths in one file, and the file goes with the last of them",
    () =>
      Effect.gen(function* () {
        const file = yield* freshFile
        const [acme, brook] = [yield* open(file, "acme"), yield* open(file, "brook")]
        const long = yield* acme.prepare(space)
        yield* long.write(library)
        const short: EmbeddingSpace = { ...space, dimensions: 2 }
        const other = yield* brook.prepare(short)
        yield* other.write([new DocumentChunk({ ...chunk("b.md", 0), embedding: [1, 0] })])
        const reader = yield* open(file)
        const found = (tenant: string, vector: ReadonlyArray<number>) =>
          reader.search?.({ text: "", vector, limit: 20, tenant }) ?? Effect.succeed([])
        assert.lengthOf(yield* found("brook", [1, 0]), 1)
        const near = yield* found("acme", [...(library[0]?.embedding ?? [])])
        assert.lengthOf(near, library.filter(({ embedding }) => embedding !== undefined).length)
        assert.strictEqual((yield* Effect.flip(found("brook", [1, 0, 0, 0]))).reason, "Mismatch")
        yield* acme.clear ?? Effect.void
        assert.deepStrictEqual(rowsOf(file, "SELECT tenant FROM docsluice_tenants"), [{ tenant: "brook" }])
        yield* brook.clear ?? Effect.void
        assert.deepStrictEqual(rowsOf(file, "SELECT name FROM sqlite_master WHERE name LIKE '%chunks%'"), [])
      })
  )

  it.scoped("gives no tenant to a file that was made without, keeps its schema, and names the remedy for each", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      const sink = yield* open(file)
      const prepared = yield* sink.prepare(null)
      yield* prepared.write([chunk("a.md", 0)])
      assert.notInclude(JSON.stringify(rowsOf(file, "SELECT sql FROM sqlite_master")), "tenant")
      const refused = yield* Effect.flip((yield* open(file, "acme")).prepare(null))
      assert.strictEqual(refused.reason, "Mismatch")
      assert.include(refused.problem, "made without tenants")
      const shared = yield* freshFile
      yield* (yield* open(shared, "acme")).prepare(null)
      const none = yield* open(shared)
      const foreign = yield* Effect.flip(none.prepare(null))
      assert.strictEqual(foreign.reason, "Mismatch")
      const unchosen = yield* Effect.flip(none.search?.({ text: "a", limit: 1 }) ?? Effect.dieMessage("it searches"))
      assert.strictEqual(unchosen.reason, "Rejected")
      assert.include(unchosen.problem, 'search with `tenant: "NAME"`, or give ?tenant=NAME')
      const name = yield* Effect.flip((yield* open(shared, "a'b")).prepare(null))
      assert.strictEqual(name.reason, "Rejected")
    })
  )

  it.scoped("counts how rare a word is among a tenant's own chunks", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      const [acme, brook] = [yield* open(file, "acme"), yield* open(file, "brook")]
      const own = yield* acme.prepare(null)
      const text = (at: number, words: string) => new DocumentChunk({ ...chunk("a.md", at), text: words })
      yield* own.write([text(0, "the gauge"), text(1, "the mast")])
      const relevance = Effect.map(
        acme.search?.({ text: "gauge of brass", limit: 1 }) ?? Effect.succeed([]),
        (hits) => hits[0]?.relevance
      )
      const before = yield* relevance
      const other = yield* brook.prepare(null)
      yield* other.write(Array.from({ length: 300 }, (_, at) => text(at, "gauge")))
      yield* other.finish
      assert.strictEqual(yield* relevance, before)
    })
  )

  const filled = Effect.gen(function* () {
    const file = yield* freshFile
    const sink = yield* open(file)
    const prepared = yield* sink.prepare(space)
    yield* prepared.write(library)
    return { file, sink }
  })

  const changed = (file: string, metadata: string) =>
    Effect.sync(() => {
      const db = new Libsql(file)
      db.prepare("UPDATE chunks SET metadata = ? WHERE id = 'tea.md:0'").run([metadata])
      db.close()
    })

  damagedRowTest(
    Effect.map(filled, ({ file, sink }) => ({ sink, damage: changed(file, JSON.stringify(damagedMetadata)) }))
  )

  it.scopedLive("filters a table in which the metadata of a row are no JSON", () =>
    Effect.gen(function* () {
      const { file, sink } = yield* filled
      yield* changed(file, '{"language":')
      const hits = yield* (
        sink.search?.({ text: "brew", filter: { "metadata.language": "en" }, limit: 5 }) ?? Effect.succeed([])
      )
      assert.deepEqual(
        hits.map((hit) => hit.chunk.source),
        ["coffee.md"]
      )
    })
  )

  it.scopedLive("says which space is stamped, and makes no file to say so", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      const stamped = Effect.flatMap(open(file), stampedSpace)
      assert.deepEqual(yield* stamped, Option.none())
      const fs = yield* FileSystem.FileSystem
      assert.isFalse(yield* fs.exists(file))
      yield* (yield* open(file)).prepare(space)
      assert.deepEqual(yield* stamped, Option.some(space))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("refuses a file that is no database and somebody else's tables, and leaves them as they are", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = yield* fs.makeTempDirectoryScoped()
      const text = path.join(folder, "notes.txt")
      yield* fs.writeFileString(text, "not a database, ".repeat(100))
      const foreign = path.join(folder, "foreign.db")
      const db = new Libsql(foreign)
      db.exec("CREATE TABLE chunks (mine TEXT); INSERT INTO chunks VALUES ('kept')")
      db.close()
      for (const file of [text, foreign]) {
        const sink = yield* open(file)
        const error = yield* Effect.flip(sink.prepare(null))
        assert.strictEqual(error.reason, "Mismatch", error.message)
      }
      const cleared = yield* Effect.flip((yield* open(text)).clear ?? Effect.void)
      assert.instanceOf(cleared, SinkError)
      assert.strictEqual((yield* Effect.flip((yield* open(foreign)).clear ?? Effect.void)).reason, "Mismatch")
      assert.strictEqual(yield* fs.readFileString(text), "not a database, ".repeat(100))
      assert.deepEqual(rowsOf(foreign, "SELECT mine FROM chunks"), [{ mine: "kept" }])
      const inFolder = yield* Effect.flip((yield* open(folder)).prepare(null))
      assert.strictEqual(inFolder.reason, "Rejected", inFolder.message)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("fails as unavailable while another connection writes, and works afterwards", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      const sink = yield* open(file)
      const prepared = yield* sink.prepare(null)
      const other = new Libsql(file)
      other.exec("BEGIN IMMEDIATE")
      const error = yield* Effect.flip(prepared.write([chunk("a.md", 0)]))
      assert.strictEqual(error.reason, "Unavailable")
      other.exec("ROLLBACK")
      other.close()
      yield* prepared.write([chunk("a.md", 0)])
      assert.lengthOf(yield* readChunks(file), 1)
    })
  )

  it.scopedLive("is not read as a file that nobody changes while another process holds it without a log", () =>
    Effect.gen(function* () {
      const file = (yield* freshFile).replace("/folder/", "/")
      const other = new Libsql(file)
      other.exec("CREATE TABLE mine (text TEXT); BEGIN EXCLUSIVE")
      const error = yield* Effect.flip(Effect.flatMap(open(file), stampedSpace))
      assert.strictEqual(error.reason, "Unavailable", error.message)
      other.exec("ROLLBACK")
      other.close()
    })
  )

  it.scopedLive("finds what was written before a kill that came before the full-text index", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      const sink = yield* open(file)
      const prepared = yield* sink.prepare(space)
      yield* prepared.write(library)
      const again = yield* open(file)
      yield* again.prepare(space)
      assert.deepEqual(rowsOf(file, "SELECT indexed FROM docsluice"), [{ indexed: 0 }])
      assert.lengthOf(yield* again.search?.({ text: "brew", limit: 5 }) ?? Effect.succeed([]), 2)
      assert.deepEqual(rowsOf(file, "SELECT indexed FROM docsluice"), [{ indexed: library.length }])
    })
  )

  it.scopedLive("leaves no log once it is closed, and follows a link to its file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const file = yield* freshFile
      const folder = path.dirname(file)
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const sink = yield* open(file)
          const prepared = yield* sink.prepare(null)
          yield* prepared.write([chunk("a.md", 0)])
          return sink.id
        })
      )
      const wal = `${file}-wal`
      // It may vanish at any moment: the engine lets go of it when its statements are collected.
      const left = Effect.map(fs.stat(wal), ({ size }) => Number(size)).pipe(Effect.orElseSucceed(() => 0))
      assert.strictEqual(yield* left, 0)
      const link = path.join(path.dirname(folder), "link")
      yield* fs.symlink(folder, link)
      assert.strictEqual((yield* open(path.join(link, "chunks.db"))).id, id)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("holds one whole generation of each document after processes were killed while they wrote", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      const held = new Map<number, number>()
      let next = 0
      for (let kill = 0; kill < 3; kill++) {
        const killAfter = yield* Random.nextIntBetween(0, 60)
        const { acknowledged } = yield* writeUntilKilled({
          kind: "libsql",
          target: file,
          from: next,
          to: 1e6,
          killAfter
        })
        for (const [document, round] of acknowledged) held.set(document, round)
        next = Math.max(next, ...held.values()) + 1
        const stored = yield* readChunks(file)
        for (const [document, round] of held) {
          const documentId = DocumentId.make(`root/${document}.md`)
          const ids = stored.filter((one) => one.documentId === documentId).map(({ id }) => id)
          const found = Number(/:g(\d+):/u.exec(ids[0] ?? "")?.[1])
          assert.isAtLeast(found, round, `document ${document}`)
          const whole = generation(`${document}.md`, `g${found}`, 1 + ((found + document) % 5))
          assert.sameMembers(
            ids,
            whole.map(({ id }) => id),
            `document ${document}`
          )
        }
      }
      const sink = yield* open(file)
      yield* sink.prepare(null)
      const hits = yield* sink.search?.({ text: "generation g of 0.md", limit: 100 }) ?? Effect.succeed([])
      assert.isAbove(hits.length, 0)
    })
  )
})
