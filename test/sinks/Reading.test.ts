import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as LanceDb from "docsluice/sinks/LanceDb"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import { Effect, type Scope } from "effect"
import Libsql from "libsql"
import { Client } from "pg"
import * as Servers from "../fixtures/servers.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import * as Postgres from "./postgres.ts"

const missing = Postgres.missing()
const server = missing === null ? await Servers.postgres() : null
afterAll(() => server?.stop())

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-reading-"))),
  (path) =>
    Effect.sync(() => {
      chmodSync(path, 0o755)
      rmSync(path, { recursive: true, force: true })
    })
)

const sql = (text: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: server?.url ?? "" })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text)
    await client.end()
    return rows
  })

/** Sources of what a sink finds that was not prepared. */
const found = (open: Effect.Effect<ChunkSink.Service, unknown, Scope.Scope>, text = "brew") =>
  Effect.gen(function* () {
    const sink = yield* open
    const hits = yield* sink.search?.({ text, limit: 10 }) ?? Effect.succeed([])
    return hits.map(({ chunk }) => chunk.source).toSorted()
  }).pipe(Effect.scoped)

const fill = (open: Effect.Effect<ChunkSink.Service, unknown, Scope.Scope>, finish = true) =>
  Effect.gen(function* () {
    const sink = yield* open
    const prepared = yield* sink.prepare(space)
    yield* prepared.write(library)
    if (finish) yield* prepared.finish
  }).pipe(Effect.scoped)

describe("a search only reads", () => {
  it.scopedLive("libsql: makes no file, and finds what is stored without prepare", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const open = Effect.provide(LibSql.make({ file: join(directory, "chunks.db") }), NodeContext.layer)
      assert.strictEqual(
        (yield* Effect.flip(
          Effect.scoped(Effect.flatMap(open, (sink) => sink.search?.({ text: "brew", limit: 1 }) ?? Effect.void))
        )).reason,
        "Mismatch"
      )
      assert.deepEqual(readdirSync(directory), [])
      yield* fill(open)
      assert.lengthOf(yield* found(open), 2)
    })
  )

  it.scopedLive("libsql: while another connection writes, and what is not in the full-text index yet", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "chunks.db")
      const open = Effect.provide(LibSql.make({ file }), NodeContext.layer)
      yield* fill(open)
      const db = new Libsql(file)
      db.exec("UPDATE docsluice SET indexed = 0; DROP TABLE chunks_fts")
      db.exec(
        `CREATE VIRTUAL TABLE chunks_fts USING fts5(text, headings, source, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`
      )
      db.exec("BEGIN IMMEDIATE; UPDATE docsluice SET indexed = indexed")
      const sources = yield* found(open)
      db.exec("ROLLBACK")
      db.close()
      assert.lengthOf(sources, 2)
    })
  )

  it.scopedLive("libsql: in a folder and a file that cannot be written", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const inside = join(directory, "store")
      mkdirSync(inside)
      const file = join(inside, "chunks.db")
      yield* fill(Effect.provide(LibSql.make({ file }), NodeContext.layer))
      for (const name of readdirSync(inside)) if (name !== "chunks.db") rmSync(join(inside, name))
      chmodSync(file, 0o444)
      chmodSync(inside, 0o555)
      chmodSync(directory, 0o755)
      const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
      const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
      const words = ["search", "brew", "--to", `libsql:${file}`, "--embedder", "none", "--json"]
      const ended = spawnSync(process.execPath, ["--import", tsx, "--conditions=docsluice:source", main, ...words], {
        cwd: "/",
        encoding: "utf8",
        env: { PATH: process.env["PATH"] },
        ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 })
      })
      assert.strictEqual(ended.status, 0, ended.stderr)
      assert.lengthOf(JSON.parse(ended.stdout), 2)
      assert.deepEqual(readdirSync(inside), ["chunks.db"])
    })
  )

  it.scopedLive("lancedb: without prepare", () =>
    Effect.gen(function* () {
      const directory = join(yield* folder, "lance")
      const open = Effect.provide(LanceDb.make({ directory }), NodeContext.layer)
      yield* fill(open)
      assert.lengthOf(yield* found(open), 2)
    })
  )

  it.scopedLive.skipIf(server === null)(
    "pgvector: as a role that may only SELECT, and on a server that takes no writes",
    () =>
      Effect.gen(function* () {
        const url = server?.url ?? ""
        yield* sql("CREATE EXTENSION IF NOT EXISTS vector")
        yield* fill(PgVector.make({ url, table: "reading" }))
        yield* sql("CREATE ROLE reader LOGIN PASSWORD 'reader'")
        yield* Effect.addFinalizer(() => Effect.zipRight(sql("DROP OWNED BY reader"), sql("DROP ROLE reader")))
        yield* sql("GRANT SELECT ON reading, docsluice_stores TO reader")
        const guest = url.replace("tester:s3cret-pass", "reader:reader")
        assert.lengthOf(yield* found(PgVector.make({ url: guest, table: "reading" })), 2)
        const standby = `${url}?options=${encodeURIComponent("-c default_transaction_read_only=on")}`
        assert.lengthOf(yield* found(PgVector.make({ url: standby, table: "reading" })), 2)
        const writes = yield* Effect.flip(fill(PgVector.make({ url: standby, table: "reading" })))
        assert.include(String(writes), "takes no writes")
        // An emptied table stays the one that rights were given on.
        yield* sql("TRUNCATE reading")
        const before = yield* sql("SELECT 'reading'::regclass::oid AS oid")
        assert.deepEqual(yield* found(PgVector.make({ url, table: "reading" })), [])
        assert.deepEqual(yield* sql("SELECT 'reading'::regclass::oid AS oid"), before)
      })
  )
})
