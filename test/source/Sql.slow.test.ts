import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Sql from "docsluice/source/Sql"
import { bytes } from "docsluice/SourceFile"
import { Effect, Stream } from "effect"
import { start } from "../cli/run.ts"
import * as Relay from "../fixtures/relay.ts"
import { shared } from "../fixtures/shared.ts"
import * as Postgres from "../sinks/postgres.ts"
import * as Drift from "./drift.ts"
import * as Rows from "./rows.ts"

const server = shared(
  Effect.acquireRelease(
    Effect.promise(() => Postgres.start()),
    ({ stop }) => Effect.promise(stop)
  )
)

/** That of the server's user. */
const password = "s3cret-pass"

const query = "SELECT path AS key, version, content FROM page"

const refusal = (database: string) =>
  Effect.map(
    Effect.flip(Effect.scoped(Stream.runDrain(Sql.make({ name: "pages", query, database }).files))),
    ({ problem, reason }) => `${reason}: ${problem}`
  )

/** A port of this machine that hands connections to the function. */
const listening = (accept: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      const listener = createServer((socket) => {
        sockets.add(socket.on("error", () => {}))
        accept(socket)
      })
      listener.listen(0, "127.0.0.1", () => {
        const address = listener.address()
        const close = () => {
          for (const socket of sockets) socket.destroy()
          listener.close()
        }
        resume(Effect.succeed({ port: typeof address === "object" ? (address?.port ?? 0) : 0, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Counts how often a text passes, over the borders of parts. */
const counter = (text: string, found: () => void) => {
  let rest = ""
  return (part: Buffer): void => {
    const parts = (rest + part.toString("latin1")).split(text)
    for (const _ of parts.slice(1)) found()
    rest = (parts.at(-1) ?? "").slice(1 - text.length)
  }
}

/** A table of documents on a server, and a way to it on which contents and listings are counted as they pass. */
const table = Effect.gen(function* () {
  const { port, url } = yield* server
  const run = yield* Rows.onServer(url)
  yield* Effect.promise(() => run("DROP TABLE IF EXISTS page"))
  yield* Effect.promise(() => run("CREATE TABLE page (path text PRIMARY KEY, version int, content text)"))
  const counts = { reads: 0, listings: 0 }
  const way = yield* listening((client) => {
    const upstream = connect(port, "127.0.0.1").on("error", () => client.destroy())
    client
      .on(
        "data",
        counter("DECLARE docsluice_listing", () => (counts.listings += 1))
      )
      .pipe(upstream)
    upstream
      .on(
        "data",
        counter("of the page", () => (counts.reads += 1))
      )
      .pipe(client)
    client.on("close", () => upstream.destroy())
  })
  const counted = new URL(url)
  counted.port = String(way.port)
  return { counts, run, url, counted: counted.href }
})

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-sql-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const drifting = Effect.gen(function* () {
  const { counted, counts, run } = yield* table
  const folder = yield* temporary
  const file = join(folder, "pages.sql")
  writeFileSync(file, `${query};\n`)
  let versions = 0
  const change = (statement: string, ...values: ReadonlyArray<unknown>) =>
    Effect.asVoid(Effect.promise(() => run(statement, ...values)))
  return {
    name: "pages",
    root: `sql:${file}`,
    env: { DOCSLUICE_SQL_DATABASE: counted },
    write: (path, body) =>
      change(
        "INSERT INTO page VALUES ($1, $2, $3) ON CONFLICT (path) DO UPDATE SET version = $2, content = $3",
        path,
        (versions += 1),
        Buffer.from(body).toString()
      ),
    remove: (path) => change("DELETE FROM page WHERE path = $1", path),
    move: (from, to) => change("UPDATE page SET path = $2 WHERE path = $1", from, to),
    reads: () => counts.reads,
    listings: () => counts.listings
  } satisfies Drift.Place
})

describe.skipIf(Postgres.missing() !== null)("rows of PostgreSQL", () => {
  it.scopedLive("keep a store in step through runs, some of which are killed", () =>
    Effect.gen(function* () {
      const report = yield* Drift.check(drifting, { mostListings: 2 })
      assert.isAtLeast(report.kills, 1, JSON.stringify(report))
    })
  )

  it.scopedLive("are ingested from two queries side by side, and the password of the database is written nowhere", () =>
    Effect.gen(function* () {
      const { run, url } = yield* table
      yield* Effect.promise(() => run("INSERT INTO page VALUES ('a', 1, 'one'), ('b', 1, 'two')"))
      const folder = yield* temporary
      writeFileSync(join(folder, "first.sql"), `${query} WHERE path = 'a'`)
      writeFileSync(join(folder, "second.sql"), `${query} WHERE path = 'b'`)
      const ingest = (root: string) =>
        Effect.promise(
          () =>
            start(
              folder,
              ["ingest", root, "--to", "jsonl:chunks.jsonl", "--state", "state", "--mode", "sync", "--json"],
              {
                DOCSLUICE_SQL_DATABASE: url
              }
            ).ended
        )
      for (const root of ["sql:first.sql", "sql:second.sql", "sql:first.sql"]) {
        const { status, stderr, stdout } = yield* ingest(root)
        assert.strictEqual(status, 0, stderr)
        assert.notInclude(stdout + stderr, password)
      }
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      assert.isAbove(files.length, 3)
      for (const { name, parentPath } of files) {
        assert.isFalse(readFileSync(join(parentPath, name)).includes(password), name)
      }
      assert.lengthOf(readFileSync(join(folder, "chunks.jsonl"), "utf8").trim().split("\n"), 2)
    })
  )

  it.scopedLive("are left at once on Ctrl-C while their query runs", () =>
    Effect.gen(function* () {
      const { run, url } = yield* table
      const folder = yield* temporary
      writeFileSync(join(folder, "slow.sql"), "SELECT 'a' AS key, 1 AS version, pg_sleep(120)::text AS content")
      const child = start(folder, ["ingest", "sql:slow.sql", "--to", "jsonl:chunks.jsonl"], {
        DOCSLUICE_SQL_DATABASE: url
      })
      const running = Effect.promise(() =>
        run("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active'")
      )
      yield* Effect.repeat(Effect.zipRight(Effect.sleep("50 millis"), running), { until: (rows) => rows.length > 0 })
      const before = performance.now()
      child.child.kill("SIGINT")
      assert.strictEqual((yield* Effect.promise(() => child.ended)).status, 130)
      assert.isBelow(performance.now() - before, 15_000)
    })
  )

  it.scopedLive(
    "are read on when the server restarts between two reads, and a listing that breaks off is an error",
    () =>
      Effect.gen(function* () {
        const { run, url } = yield* table
        yield* Effect.promise(() =>
          run("INSERT INTO page SELECT lpad(i::text, 5, '0'), 1, 'text ' || i FROM generate_series(1, 3000) i")
        )
        const { down, up } = yield* server
        const source = Sql.make({ name: "pages", query, database: url })
        const found = Array.from(yield* Stream.runCollect(Stream.take(source.files, 3)))
        yield* Effect.promise(() => down())
        yield* Effect.fork(
          Effect.delay(
            Effect.promise(() => up()),
            "1 second"
          )
        )
        const read = yield* Effect.forEach(
          found,
          (file) =>
            file._tag === "SourceFile"
              ? Effect.map(bytes(file), (body) => Buffer.from(body).toString())
              : Effect.succeed(""),
          { concurrency: 3 }
        )
        assert.deepStrictEqual(read, ["text 1", "text 2", "text 3"])
        let seen = 0
        const broken = yield* source.files.pipe(
          Stream.rechunk(1),
          Stream.tap(() =>
            Effect.suspend(() => ((seen += 1) === 500 ? Effect.promise(() => down().then(() => up())) : Effect.void))
          ),
          Stream.runDrain,
          Effect.scoped,
          Effect.flip
        )
        assert.deepInclude(broken, { reason: "Unreachable" })
        assert.isBelow(seen, 3000)
      })
  )

  it.scopedLive("of a server that accepts a connection and says nothing are given up", () =>
    Effect.gen(function* () {
      const { port } = yield* listening(() => {})
      assert.match(yield* refusal(`postgres://user:s3cret@127.0.0.1:${port}/db`), /^Unreachable: (?!.*s3cret)/u)
    })
  )

  it.scopedLive("of a server that falls silent while it lists are given up after the time of a statement", () =>
    Effect.gen(function* () {
      const { run, url } = yield* table
      yield* Effect.promise(() => run("INSERT INTO page VALUES ('a', 1, 'one')"))
      const { port } = yield* server
      const relay = yield* Relay.start(port)
      relay.freezeAfter("DECLARE")
      const way = new URL(url)
      way.port = String(relay.port)
      const files = Sql.make({ name: "pages", query, database: way.href, timeout: "1 second" }).files
      const error = yield* Effect.flip(Effect.scoped(Stream.runDrain(files)))
      assert.strictEqual(error.reason, "Timeout")
    })
  )
})
