import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Sql from "docsluice/source/Sql"
import { bytes } from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import { freePort } from "../fixtures/freePort.ts"
import * as Relay from "../fixtures/relay.ts"
import * as Servers from "../fixtures/servers.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Rows from "./rows.ts"

const withoutDriver = fileURLToPath(new URL("../fixtures/withoutDriver.ts", import.meta.url))

const workplace = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-sql-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A file with a table, and the function that changes it. */
const fileOfRows = Effect.map(workplace, (folder) => {
  const file = join(folder, "site.db")
  const write = Rows.inFile(file)
  write("CREATE TABLE page (slug, changed, body)")
  const run: Rows.Run = (statement) => {
    write(statement)
    return Promise.resolve([])
  }
  return { folder, database: `libsql:${file}`, run }
})

const missing = Postgres.missing()

/** A database with a table. */
const serverOfRows = Effect.gen(function* () {
  const { port, stop, url } = yield* Effect.promise(() => Servers.postgres())
  yield* Effect.addFinalizer(() => Effect.promise(stop))
  const run = yield* Rows.onServer(url)
  yield* Effect.promise(() => run("CREATE TABLE page (slug text PRIMARY KEY, changed int, body text)"))
  return { folder: yield* workplace, database: url, port, run }
})

const query = "SELECT slug AS key, changed AS version, body AS content FROM page"

type Given = Partial<Sql.Options>

/** The paths of a source, each with its text, or the tag of the error. */
const texts = (given: Given) =>
  Sql.make({ name: "pages", query, ...given }).files.pipe(
    Stream.mapEffect(
      (found) =>
        found._tag === "SourceFile"
          ? bytes(found).pipe(
              Effect.match({
                onSuccess: (body) => [found.path, Buffer.from(body).toString()] as const,
                onFailure: ({ _tag }) => [found.path, _tag] as const
              })
            )
          : Effect.succeed([found.path, found._tag === "Unusable" ? found.error._tag : found._tag] as const),
      { concurrency: 8 }
    ),
    Stream.runCollect,
    Effect.map((all) => Object.fromEntries(all)),
    Effect.scoped
  )

const refusal = (given: Given) =>
  Effect.map(Effect.flip(texts(given)), ({ problem, reason }) => `${reason}: ${problem}`)

/** The root of a query in a file, with the database in the environment. */
const inFile = (folder: string, database: string, text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      writeFileSync(join(folder, "pages.sql"), text)
      process.env["DOCSLUICE_SQL_DATABASE"] = database
      return `sql:${join(folder, "pages.sql")}`
    }),
    () => Effect.sync(() => delete process.env["DOCSLUICE_SQL_DATABASE"])
  )

const insert = "INSERT INTO page VALUES"

for (const [kind, made, skip] of [
  ["a file of SQLite", fileOfRows, false],
  ["PostgreSQL", serverOfRows, missing !== null]
] as const) {
  describe.skipIf(skip)(`rows of ${kind}`, () => {
    it.scopedLive("are documents, whatever their keys, with a type where the key names none", () =>
      Effect.gen(function* () {
        const { database, run } = yield* made
        yield* Effect.promise(async () => {
          await run(
            `${insert} ('plain', 1, 'one'), ('guide/a.html', 1, 'two'), ('v1.2', 1, 'three'), ('empty', 1, NULL)`
          )
          await run(`${insert} ('Über uns/a b #1 50%', 1, 'hällo'), ('two\nlines', 1, 'it''s')`)
        })
        const expected = {
          "empty.md": "",
          "guide/a.html": "two",
          "plain.md": "one",
          "two\nlines.md": "it's",
          "v1.2.md": "three",
          "Über uns/a b #1 50%.md": "hällo"
        }
        assert.deepStrictEqual(yield* texts({ database }), expected)
        assert.deepStrictEqual(yield* texts({ database, query: `${query} -- all; of them\n;\n/* end */ ;` }), expected)
        assert.deepStrictEqual(
          yield* texts({ database, query: `WITH p AS (${query} WHERE slug = 'plain') SELECT * FROM p`, type: "txt" }),
          {
            "plain.txt": "one"
          }
        )
        const columns = { key: "slug", version: "changed", content: "body" }
        assert.deepStrictEqual(yield* texts({ database, query: "SELECT * FROM page", columns }), expected)
        assert.deepStrictEqual(yield* texts({ database, patterns: ["guide"] }), { "guide/a.html": "two" })
        assert.deepStrictEqual(
          yield* texts({ database, query: `SELECT 7 AS key, body AS content FROM page WHERE slug = 'plain'` }),
          {
            "7.md": "one"
          }
        )
      })
    )

    it.scopedLive("end the listing by an error that says what to do", () =>
      Effect.gen(function* () {
        const { database, run } = yield* made
        yield* Effect.promise(() => run(`${insert} ('a', 1, 'one'), ('b', 1, 'two')`))
        const said = (query: string, more: Given = {}) => refusal({ database, query, ...more })
        assert.match(yield* said("SELECT 'a' AS key, body AS content FROM page"), /^Invalid: two rows have the key a;/u)
        assert.match(yield* said("SELECT NULL AS key, body AS content FROM page"), /^Invalid: a row has no key/u)
        assert.match(
          yield* said("SELECT slug AS key FROM page"),
          /^Invalid: the query gives no column content, but key;/u
        )
        assert.match(yield* said(query, { columns: { version: "etag" } }), /^Invalid: the query gives no column etag,/u)
        assert.match(yield* said("SELEC 1"), /^Invalid: the query cannot be run; check it \(/u)
        assert.match(yield* said(`${query}; DELETE FROM page`), /^Invalid: /u)
        assert.match(yield* said("DELETE FROM page RETURNING slug AS key, body AS content"), /^Invalid: /u)
        assert.match(yield* said("SELECT slug AS key, body AS content FROM none"), /^(?:Missing|Invalid): .*none/u)
        assert.match(yield* said(" ; -- nothing"), /^Invalid: there is no query/u)
        assert.match(yield* said(`${query} WHERE slug = 'z'`), /^NoMatch: /u)
        assert.lengthOf(Object.keys(yield* texts({ database })), 2, "nothing was deleted")
      })
    )

    it.scopedLive("that change or go after they were listed fail alone", () =>
      Effect.gen(function* () {
        const { database, run } = yield* made
        yield* Effect.promise(() => run(`${insert} ('a', 1, 'one'), ('b', 1, 'two'), ('c', 1, 'three')`))
        const source = Sql.make({ name: "pages", query, database })
        const files = Array.from(yield* Stream.runCollect(source.files))
        yield* Effect.promise(async () => {
          await run("UPDATE page SET changed = 2, body = 'new' WHERE slug = 'a'")
          await run("DELETE FROM page WHERE slug = 'b'")
        })
        const read = files.map((file) =>
          file._tag === "SourceFile"
            ? Effect.match(bytes(file), {
                onSuccess: (body) => Buffer.from(body).toString(),
                onFailure: (error) => (error._tag === "FileUnreadable" ? error.reason : error._tag)
              })
            : Effect.succeed(file._tag)
        )
        assert.deepStrictEqual((yield* Effect.all(read)).toSorted(), ["FileChanged", "NotFound", "three"])
      })
    )

    it.scopedLive("are not read while their versions are the same, and cited by their keys", () =>
      Effect.gen(function* () {
        const { database, folder, run } = yield* made
        yield* Effect.promise(() => run(`${insert} ('a', 1, '# Valve'), ('b', 1, '# Pump'), ('c', 1, '# Gauge')`))
        const docs = yield* Effect.acquireRelease(
          Effect.promise(() => Async.open({ to: `libsql:${join(folder, "store.db")}`, state: join(folder, "state") })),
          (opened) => Effect.promise(() => opened.close())
        )
        const root = yield* inFile(folder, database, `${query};\n`)
        const ingest = Effect.promise(() => docs.ingest(root, { mode: "sync" }))
        assert.deepInclude({ ...(yield* ingest) }, { stored: 3, failed: 0 })
        // Neither version nor size says so, so that nothing is read.
        yield* Effect.promise(() => run("UPDATE page SET body = '# Velva' WHERE slug = 'a'"))
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 3, bytes: 0 })
        yield* Effect.promise(async () => {
          await run("UPDATE page SET body = '# Engine', changed = 2 WHERE slug = 'b'")
          await run("UPDATE page SET slug = 'moved/c' WHERE slug = 'c'")
        })
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 1, stored: 2, removed: 1 })
        const [hit] = yield* Effect.promise(() => docs.search("gauge"))
        assert.strictEqual(hit?.chunk.documentId, "pages/moved/c.md")
      })
    )

    it.scopedLive("without a version are compared by their contents", () =>
      Effect.gen(function* () {
        const { database, folder, run } = yield* made
        yield* Effect.promise(() => run(`${insert} ('a', 1, '# Valve'), ('b', NULL, '# Pump')`))
        const docs = yield* Effect.acquireRelease(
          Effect.promise(() => Async.open({ to: `libsql:${join(folder, "store.db")}`, state: join(folder, "state") })),
          (opened) => Effect.promise(() => opened.close())
        )
        const root = yield* inFile(folder, database, "SELECT slug AS key, body AS content FROM page")
        const ingest = Effect.promise(() => docs.ingest(root, { mode: "sync" }))
        assert.deepInclude({ ...(yield* ingest) }, { stored: 2, failed: 0 })
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 2 })
        yield* Effect.promise(() => run("UPDATE page SET body = '# Engine' WHERE slug = 'a'"))
        assert.deepInclude({ ...(yield* ingest) }, { unchanged: 1, stored: 1 })
      })
    )
  })
}

describe("a query", () => {
  it.scopedLive("over a file never makes that file, and is told where its database is missing or none", () =>
    Effect.gen(function* () {
      const folder = yield* workplace
      const file = join(folder, "none.db")
      assert.match(
        yield* refusal({ database: `libsql:${file}` }),
        /^Missing: there is no file \/.*; check the address of the database$/u
      )
      assert.isFalse(existsSync(file))
      writeFileSync(file, "no database".repeat(500))
      assert.match(yield* refusal({ database: `libsql:${file}` }), /^Damaged: the file is not a database/u)
      assert.match(yield* refusal({}), /^Invalid: no database is named; set DOCSLUICE_SQL_DATABASE/u)
      const secret = yield* refusal({ database: "mysql://user:s3cret@host/db" })
      assert.match(secret, /^Invalid: the address of the database is not of the form/u)
      assert.notInclude(secret, "s3cret")
      const locked = join(folder, "locked.db")
      const writer = Rows.connected(locked)
      writer.exec("CREATE TABLE page (slug, changed, body); INSERT INTO page VALUES ('a', 1, 'one'); BEGIN EXCLUSIVE")
      assert.match(yield* refusal({ database: `libsql:${locked}` }), /^Failed: another process writes to the file;/u)
      writer.exec("COMMIT; PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; DELETE FROM page")
      assert.deepStrictEqual(yield* texts({ database: `libsql:${locked}` }), { "a.md": "one" })
      writer.close()
      const missing = Sql.file({ root: `sql:${join(folder, "none.sql")}`, database: `libsql:${file}` })
      const error = yield* Effect.flip(Effect.scoped(Stream.runDrain(missing.files)))
      assert.strictEqual(error.reason, "Missing")
      assert.strictEqual(missing.scope.root, "none")
      const made = Sql.make({ name: "pages", query, database: "postgres://user:s3cret@host/db?sslmode=require" })
      assert.strictEqual(made.scope.path, "sql:pages@postgres://host:5432/db")
    })
  )
})

describe("a query on PostgreSQL", () => {
  it("needs the package pg, and says so", () =>
    promisify(execFile)(process.execPath, ["--conditions=docsluice:source", "--import=tsx", withoutDriver]).then(
      ({ stdout }) => {
        const said = stdout.split("\n").at(-2) ?? ""
        assert.match(said, /^Invalid sql:pages@postgres:\/\/127\.0\.0\.1:5432\/site: .*run: npm install pg/u)
      }
    ))
})

describe.skipIf(missing !== null)("a database of PostgreSQL", () => {
  it.scopedLive("gives keys, versions and contents of any type, in any encoding", () =>
    Effect.gen(function* () {
      const { database, run } = yield* serverOfRows
      yield* Effect.promise(async () => {
        await run("CREATE TABLE file (id uuid PRIMARY KEY, at timestamptz, data bytea, more jsonb)")
        await run("INSERT INTO file VALUES (md5('a')::uuid, '2026-05-01 12:00+02', '\\x00ff41', '{\"a\": 1}')")
      })
      const select = "SELECT id AS key, at AS version"
      const id = "0cc175b9-c0f1-b6a8-31c3-99e269772661"
      const binary = Sql.make({ name: "files", database, query: `${select}, data AS content FROM file`, type: "txt" })
      const [file] = Array.from(yield* Effect.scoped(Stream.runCollect(binary.files)))
      assert.deepInclude(file, {
        path: `${id}.txt`,
        size: 3,
        fingerprint: { _tag: "Etag", value: "sql:v2026-05-01 10:00:00+00" }
      })
      assert.deepStrictEqual(yield* texts({ database, query: `${select}, data AS content FROM file` }), {
        [`${id}.md`]: "\u0000\uFFFDA"
      })
      assert.deepStrictEqual(yield* texts({ database, query: `${select}, more AS content FROM file` }), {
        [`${id}.md`]: '{"a": 1}'
      })
      const latin = `latin_${process.pid}`
      yield* Effect.acquireRelease(
        Effect.promise(() => run(`CREATE DATABASE ${latin} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)),
        () => Effect.promise(() => run(`DROP DATABASE ${latin} WITH (FORCE)`))
      )
      const other = new URL(database)
      other.pathname = `/${latin}`
      assert.deepStrictEqual(
        yield* texts({ database: other.href, query: "SELECT 'Übersicht' AS key, 'hällo' AS content" }),
        {
          "Übersicht.md": "hällo"
        }
      )
    })
  )

  it.scopedLive(
    "sends no content while it is listed, several by a statement when they are read, and keeps no connection",
    () =>
      Effect.gen(function* () {
        const { database, port, run } = yield* serverOfRows
        const [rows, size] = [1200, 4000]
        yield* Effect.promise(() =>
          run(`INSERT INTO page SELECT generate_series(1, ${rows})::text, 1, ''`).then(() =>
            run(
              `UPDATE page SET body = (SELECT string_agg(md5(i::text || slug), '') FROM generate_series(1, ${size / 32}) i)`
            )
          )
        )
        let received = 0
        let statements = 0
        const relay = yield* Relay.start(port, (part, from) => {
          if (from === "server") received += part.length
          else if (part.includes("ANY($1)")) statements += 1
          return part
        })
        const url = new URL(database)
        url.port = String(relay.port)
        const source = Sql.make({ name: "pages", query, database: url.href })
        const count = yield* Effect.scoped(Stream.runCount(source.files))
        assert.strictEqual(count, rows)
        assert.isBelow(received, rows * 40 + 10_000)
        const left = Effect.promise(() =>
          run(
            "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'docsluice' AND datname = current_database()"
          )
        )
        // The server notices it a moment later.
        yield* Effect.repeat(Effect.zipRight(Effect.sleep("50 millis"), left), {
          until: ([row]) => row?.["n"] === 0
        }).pipe(Effect.timeout("20 seconds"))
        const all = yield* texts({ database: url.href })
        assert.isBelow(statements, rows / 2, "reads that wait share a statement")
        assert.strictEqual(all["7.md"]?.length, size)
        assert.strictEqual(Object.keys(all).length, rows)
      })
  )

  it.scopedLive("that refuses, is elsewhere, or takes too long ends the listing by an error without its password", () =>
    Effect.gen(function* () {
      const { database } = yield* serverOfRows
      const changed = (change: (url: URL) => void) => {
        const url = new URL(database)
        change(url)
        return url.href
      }
      const denied = yield* refusal({ database: changed((url) => (url.password = "wr0ng")) })
      assert.match(denied, /^Denied: the database refuses the user;/u)
      assert.notInclude(denied, "wr0ng")
      assert.match(yield* refusal({ database: changed((url) => (url.pathname = "/nowhere")) }), /^Missing: /u)
      const port = yield* Effect.promise(() => freePort())
      assert.match(yield* refusal({ database: changed((url) => (url.port = String(port))) }), /^Unreachable: /u)
      const slow = "SELECT 'a' AS key, pg_sleep(60)::text AS content FROM page RIGHT JOIN (SELECT 1) one ON true"
      assert.match(yield* refusal({ database, query: slow, timeout: "300 millis" }), /^Timeout: /u)
    })
  )
})
