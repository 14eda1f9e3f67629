import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Ledger from "docsluice/Ledger"
import { tagOf } from "docsluice/Outcome"
import * as State from "docsluice/State"
import { type Duration, Effect, Layer, Option, Redacted } from "effect"
import { Client } from "pg"
import { ofRun } from "../src/internal/state/ledger/runLedger.ts"
import { keyOfDocument } from "../src/internal/state/postgres/key.ts"
import { a, collect, expected, generation, ids, key, request, seeing, found } from "./fixtures/ledger.ts"
import * as Relay from "./fixtures/relay.ts"
import { address, server, sql } from "./ledger/places.ts"
import * as Postgres from "./sinks/postgres.ts"

const postgres = server()
const withoutDriver = fileURLToPath(new URL("fixtures/withoutDriver.ts", import.meta.url))

const open = (url: string) => Effect.map(Ledger.makePostgres({ url, patience: "5 seconds" }), ofRun)

/** The error of a state at this address. */
const refused = (url: string) => Effect.flip(Effect.scoped(open(url)))

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const bare = (url: string): string => url.replace(/\?.*$/u, "")
const schemaOf = (url: string): string => new URL(url).searchParams.get("schema") ?? ""

/** The address with another user, password, port or database. */
const at = (url: string, change: (url: URL) => void): string => {
  const changed = new URL(url)
  change(changed)
  return changed.href
}

describe.skipIf(Postgres.missing() !== null)("a state on PostgreSQL", () => {
  it.scopedLive("is refused with a remedy, and without its password, where it cannot be", () =>
    Effect.gen(function* () {
      const { url } = yield* postgres
      const wrong = at(url, (other) => (other.password = "secret-and-wrong"))
      const none = at(url, (other) => (other.pathname = "/nowhere"))
      const closed = at(url, (other) => (other.port = "1"))
      const cases = [
        [wrong, "Denied", "check the password"],
        [none, "Missing", "create the database"],
        [closed, "Unreachable", "check host, port"],
        ["postgres://", "Missing", "postgres://host:port/DATABASE"],
        ["postgres://[/x", "Missing", "postgres://user:password@host:port/database"],
        [`${url}?schema=`, "Missing", "?schema="],
        [`${url}?schema=${"x".repeat(64)}`, "Missing", "63 bytes"]
      ] as const
      for (const [given, reason, said] of cases) {
        const error = yield* refused(given)
        assert.deepStrictEqual([error._tag, error.reason], ["LedgerError", reason], given)
        assert.include(error.message, said)
        assert.notInclude(`${error.message} ${error.directory} ${JSON.stringify(error)}`, "s3cret")
        assert.notInclude(`${error.message} ${JSON.stringify(error)}`, "secret-and-wrong")
      }
    })
  )

  it.scopedLive("is refused to a user who may not create tables, and to one who may not write them", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const poor = at(url, (other) => {
        other.username = "poor"
        other.password = "poor"
      })
      yield* sql(bare(url), "CREATE ROLE poor LOGIN PASSWORD 'poor'")
      const created = yield* refused(poor)
      assert.strictEqual(created.reason, "Denied")
      assert.include(created.message, "may create and write the tables")
      yield* Effect.scoped(open(url))
      yield* sql(bare(url), `GRANT USAGE ON SCHEMA "${schemaOf(url)}" TO poor`)
      yield* sql(bare(url), `GRANT SELECT ON ALL TABLES IN SCHEMA "${schemaOf(url)}" TO poor`)
      assert.strictEqual((yield* refused(poor)).reason, "Denied")
      // Reading is enough to look.
      assert.deepInclude(yield* Effect.scoped(Effect.flatMap(Ledger.openReadOnly(poor), ({ stats }) => stats)), {
        documents: 0
      })
      yield* sql(bare(url), "DROP OWNED BY poor")
      yield* sql(bare(url), "DROP ROLE poor")
    })
  )

  it.scoped("is left alone when a later version wrote it", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      yield* Effect.scoped(open(url))
      yield* sql(bare(url), `UPDATE "${schemaOf(url)}".state SET version = 99`)
      for (const opened of [open(url), ...[url, Redacted.make(url)].map((one) => Ledger.openReadOnly(one))]) {
        const error = yield* Effect.flip(Effect.scoped(opened))
        assert.strictEqual(error.reason, "Newer")
        assert.include(error.message, "schema 99")
      }
      for (const layer of [State.layerPostgres({ url }), State.layerOf(Redacted.make(url))]) {
        const all = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
        assert.deepStrictEqual([all._tag, "reason" in all && all.reason], ["LedgerError", "Newer"])
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("of schema 1 is opened by this version with all that it holds", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const dump = readFileSync(new URL("fixtures/state-postgres-1.sql", import.meta.url), "utf8")
      yield* sql(bare(url), `CREATE SCHEMA "${schemaOf(url)}"`)
      yield* sql(`${bare(url)}?options=-c%20search_path%3D${schemaOf(url)}`, dump)
      const ledger = yield* open(url)
      assert.strictEqual(yield* ledger.state, "0123456789abcdef")
      const entry = Option.getOrNull(yield* ledger.get(key("a.pdf")))
      assert.deepInclude(entry?.stored, { acknowledged: [a], contentHash: generation("a.pdf").contentHash })
      const failed = yield* collect(ledger.entries("failed"))
      assert.deepStrictEqual(
        failed.map(({ failure, path }) => [
          path,
          failure?.error._tag,
          failure && tagOf(failure.error),
          failure?.request
        ]),
        [["b.pdf", "Foreign", "DocumentUnparsable", "d"]]
      )
      const scan = yield* ledger.scan(request, expected)
      assert.deepInclude(scan, { claimed: 2, completedAt: 7 })
      assert.strictEqual(yield* seeing(scan, found("a.pdf")), "unchanged")
      assert.strictEqual((yield* ledger.reports).length, 1)
      yield* ledger.commit(generation("b.pdf", { scope: scan.scope }))
      assert.deepInclude(yield* ledger.stats, { documents: 2, stored: 2, failed: 0 })
      const memory = yield* Layer.build(State.layerPostgres({ url }))
      const letters = yield* Effect.provide(
        Effect.flatMap(DeadLetter.DeadLetter, ({ entries }) => entries),
        memory
      )
      // Its document was stored above.
      assert.deepStrictEqual(letters, [])
    })
  )

  it.scopedLive("is opened by several processes at once where there is none, and made once", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const states = yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.scoped(Effect.flatMap(open(url), ({ state }) => state))),
        { concurrency: 4 }
      )
      assert.strictEqual(new Set(states).size, 1)
    })
  )

  it.scoped("creates nothing when it is only read", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const ledger = ofRun(yield* Ledger.openReadOnly(url))
      assert.deepInclude(yield* ledger.stats, { documents: 0 })
      assert.isFalse(yield* Ledger.existsPostgres({ url }))
      assert.deepStrictEqual(yield* DeadLetter.readPostgres({ url }), [])
      assert.deepStrictEqual(
        yield* sql(bare(url), "SELECT 1 FROM pg_namespace WHERE nspname = $1", [schemaOf(url)]),
        []
      )
    })
  )

  it.scoped("shows a reader what is committed, and refuses its writes", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const writing = yield* open(url)
      const reading = ofRun(yield* Ledger.openReadOnly(url))
      yield* writing.commit(generation("a.pdf"))
      assert.deepInclude(yield* reading.stats, { documents: 1 })
      const preview = yield* reading.preview(request, expected)
      assert.strictEqual(yield* seeing(preview, found("a.pdf")), "unchanged")
      assert.strictEqual((yield* Effect.flip(reading.commit(generation("b.pdf")))).reason, "ReadOnly")
      assert.strictEqual((yield* Effect.flip(reading.scan(request, expected))).reason, "ReadOnly")
    })
  )

  it.scopedLive("remembers the runs of a plain program, and of two handles that are open at once", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-shared-"))),
        (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
      )
      const [root, store] = [join(folder, "docs"), `libsql:${join(folder, "store.db")}`] as const
      mkdirSync(root)
      writeFileSync(join(root, "a.md"), "# Gauges\n\nThe float gauge is cleaned every two weeks.")
      yield* Effect.sleep("40 millis")
      const ingest = () => Async.ingest({ root, sinks: [`jsonl:${join(folder, "chunks.jsonl")}`], state: url })
      const [first, second] = [yield* Effect.promise(ingest), yield* Effect.promise(ingest)]
      assert.deepInclude(first, { stored: 1, exit: 0 })
      assert.deepInclude(second, { unchanged: 1, stored: 0, exit: 0 })
      const open = Effect.acquireRelease(
        Effect.promise(() => Async.open({ to: store, embedder: "hash", state: url })),
        (docs) => Effect.promise(() => docs.close())
      )
      const [one, other] = [yield* open, yield* open]
      yield* Effect.promise(() =>
        one.add({ path: "note.md", content: bytesOf("# Notes\n\nThe mast leans to the north.") })
      )
      yield* Effect.promise(() =>
        other.add({ path: "quay.md", content: bytesOf("# Quay\n\nThe quay is under repair.") })
      )
      const hits = yield* Effect.promise(() => one.search("which quay is under repair"))
      assert.strictEqual(hits[0]?.chunk.source, "quay.md")
    })
  )

  it.scoped("is apart from the state in another schema of the database", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* open(yield* address(postgres)), yield* open(yield* address(postgres))]
      yield* one.commit(generation("a.pdf"))
      assert.strictEqual((yield* other.stats).documents, 0)
      assert.notStrictEqual(yield* one.state, yield* other.state)
    })
  )

  it.scoped("is a new one after its schema was dropped, and says so to a process that was open", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const before = yield* open(url)
      yield* before.commit(generation("a.pdf"))
      const id = yield* before.state
      yield* sql(bare(url), `DROP SCHEMA "${schemaOf(url)}" CASCADE`)
      const error = yield* Effect.flip(before.commit(generation("b.pdf")))
      assert.strictEqual(error.reason, "Missing")
      assert.include(error.message, "run again")
      const after = yield* open(url)
      assert.notStrictEqual(yield* after.state, id)
      assert.strictEqual((yield* after.stats).documents, 0)
    })
  )

  it.scopedLive("loses no write of a process that was open while somebody emptied its tables", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const ledger = yield* open(url)
      yield* ledger.commit(generation("a.pdf"))
      const tables = ["root", "setting", "acknowledgement", "document", "pending", "claim"]
      yield* sql(bare(url), `TRUNCATE ${tables.map((table) => `"${schemaOf(url)}".${table}`).join(", ")}`)
      yield* ledger.commit(generation("b.pdf"))
      const entries = yield* collect(ledger.entries("all"))
      assert.deepStrictEqual(
        entries.map(({ path, stored }) => [path, stored?.acknowledged]),
        [["b.pdf", [a]]]
      )
    })
  )

  it.scopedLive("goes on after its connections were cut in the middle of writes", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const ledger = yield* open(url)
      const cut = sql(
        bare(url),
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'docsluice'"
      )
      const paths = Array.from({ length: 300 }, (_, at) => `${at}.pdf`)
      yield* Effect.all(
        [
          Effect.forEach(paths, (path) => ledger.commit(generation(path)), { concurrency: 20, discard: true }),
          Effect.repeatN(Effect.zipRight(Effect.sleep("40 millis"), cut), 5)
        ],
        { concurrency: 2 }
      )
      const entries = yield* collect(ledger.entries("all"))
      assert.deepStrictEqual(entries.map(({ path }) => path).toSorted(), paths.toSorted())
      assert.isTrue(entries.every((entry) => entry.generation === 1))
    })
  )

  it.scopedLive("prepares its statements where no pooler gives its connections to others", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      /** The answer to a login by a pooler: the number of a process that is none of the server's. */
      const pooling: Relay.Change = (part, from) => {
        const keyData = from === "server" ? part.indexOf(Buffer.from([0x4b, 0, 0, 0, 12])) : -1
        if (keyData >= 0) part.writeUInt32BE(1, keyData + 5)
        return part
      }
      for (const [change, prepares] of [
        [(part: Buffer) => part, true],
        [pooling, false]
      ] as const) {
        let prepared = 0
        const relay = yield* Relay.start(Number(new URL(url).port), (part, from) => {
          if (part.includes("docsluice_0\0")) prepared += 1
          return change(part, from)
        })
        const ledger = yield* open(at(url, (other) => (other.port = String(relay.port))))
        yield* ledger.commit(generation(`${prepares}.pdf`))
        assert.isTrue(Option.isSome(yield* ledger.get(key(`${prepares}.pdf`))))
        assert.strictEqual(prepared > 0, prepares)
      }
    })
  )

  it.scopedLive("goes on after the server was restarted", () =>
    Effect.gen(function* () {
      const own = yield* Effect.acquireRelease(
        Effect.promise(() => Postgres.start()),
        ({ stop }) => Effect.promise(() => stop())
      )
      const ledger = yield* open(own.url)
      yield* ledger.hold(key("a.pdf"))
      yield* ledger.announce(key("a.pdf"), ids("1"), [a.sink], null)
      yield* Effect.promise(() => own.down())
      const committed = yield* Effect.fork(ledger.commit(generation("a.pdf", { chunkIds: ids("1") })))
      yield* Effect.promise(() => own.up())
      yield* committed
      assert.deepInclude(yield* ledger.stats, { documents: 1, stored: 1, pending: 0 })
    })
  )

  it.scopedLive("lets a document go later that could not be let go while the server was away", () =>
    Effect.gen(function* () {
      const own = yield* Effect.acquireRelease(
        Effect.promise(() => Postgres.start()),
        ({ stop }) => Effect.promise(() => stop())
      )
      const opened = Effect.map(
        Ledger.makePostgres({ url: own.url, lease: "12 seconds", patience: "500 millis" }),
        ofRun
      )
      const one = yield* opened
      yield* one.hold(key("a.pdf"))
      yield* Effect.promise(() => own.down())
      assert.strictEqual((yield* Effect.flip(one.letGo(key("a.pdf")))).reason, "Unreachable")
      assert.strictEqual((yield* Effect.flip(one.hold(key("b.pdf")))).reason, "Unreachable")
      yield* Effect.promise(() => own.up())
      const other = yield* opened
      for (const path of ["a.pdf", "b.pdf"]) {
        while ((yield* other.hold(key(path))).standing === "busy") yield* Effect.sleep("50 millis")
      }
    }).pipe(Effect.timeout("40 seconds"))
  )

  it.scopedLive("frees what a process has locked that was stopped inside a transaction, after its lease", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      const relay = yield* Relay.start((yield* postgres).port)
      const lease = "2 seconds"
      const opened = (url: string) => Effect.map(Ledger.makePostgres({ url, lease }), ofRun)
      const stopped = yield* opened(at(url, (other) => (other.port = String(relay.port))))
      const others = yield* opened(url)
      yield* stopped.hold(key("a.pdf"))
      // Of the statement that locks the document, prepared by now, only the key is sent.
      relay.freezeAfter(keyOfDocument(key("a.pdf")))
      const late = yield* Effect.fork(Effect.either(stopped.commit(generation("a.pdf"))))
      while (!relay.isFrozen()) yield* Effect.sleep("10 millis")
      const locked = sql(
        bare(url),
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'docsluice' AND state = 'idle in transaction'"
      )
      while ((yield* locked).length === 0) yield* Effect.sleep("10 millis")
      // One write of a batch that waits would keep all others of its process waiting.
      const began = Date.now()
      yield* Effect.forEach(["a.pdf", "b.pdf"], (path) => others.hold(key(path)), { concurrency: 2 })
      yield* others.commit(generation("b.pdf"))
      while ((yield* others.hold(key("a.pdf"))).standing === "busy") yield* Effect.sleep("50 millis")
      yield* others.commit(generation("a.pdf"))
      assert.isBelow(Date.now() - began, 15_000)
      relay.thaw()
      const end = yield* late
      assert.strictEqual(end._tag === "Left" ? end.left.reason : "committed", "Superseded")
      assert.deepInclude(yield* others.stats, { stored: 2 })
    })
  )

  it.scopedLive("waits for a lock in its way, and names the time limit when it stays", () =>
    Effect.gen(function* () {
      const url = yield* address(postgres)
      yield* Effect.scoped(open(url))
      const patiently = (patience: Duration.DurationInput) =>
        Effect.map(Ledger.makePostgres({ url: `${url}&options=-c%20lock_timeout%3D200`, patience }), ofRun)
      const [brief, long] = [yield* patiently("1 second"), yield* patiently("30 seconds")]
      const client = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const client = new Client(bare(url))
          await client.connect()
          await client.query(`BEGIN; LOCK "${schemaOf(url)}".document IN EXCLUSIVE MODE`)
          return client
        }),
        (client) => Effect.promise(() => client.end())
      )
      const waiting = yield* Effect.fork(long.commit(generation("b.pdf")))
      const error = yield* Effect.flip(brief.commit(generation("a.pdf")))
      assert.strictEqual(error.reason, "TimedOut")
      assert.include(error.message, "lock_timeout")
      assert.isNull(waiting.unsafePoll())
      yield* Effect.promise(() => client.query("COMMIT"))
      yield* waiting
    })
  )
})

describe("the text of a state", () => {
  it("is an address or a folder", () => {
    for (const state of ["postgres://h/d", "postgresql://h/d", "POSTGRES://h/d"]) assert.isTrue(State.isAddress(state))
    for (const state of [".docsluice", "/var/state", "postgres", "C:\\state"]) assert.isFalse(State.isAddress(state))
  })

  it("is shown without user, password and parameters of the driver", () => {
    assert.strictEqual(State.shown("/var/state"), "/var/state")
    assert.strictEqual(
      State.shown("postgres://me:pa%40ss@db.example:6543/docs?schema=mine&sslmode=require"),
      "postgres://db.example:6543/docs?schema=mine"
    )
    assert.strictEqual(State.shown("postgres://me:pass@/docs?host=/run"), "postgres:///run:5432/docs?schema=docsluice")
    assert.strictEqual(State.shown("postgres://me:pass@"), "postgres://")
  })

  it("needs the package pg, and says so", () =>
    promisify(execFile)(process.execPath, ["--conditions=docsluice:source", "--import=tsx", withoutDriver]).then(
      ({ stdout }) => {
        const said = stdout.split("\n").at(-1) ?? ""
        assert.match(said, /^Unsupported postgres:\/\/127\.0\.0\.1:5432\/rag\?schema=docsluice: .*npm install pg/u)
      }
    ))

  it.scoped("opens a folder where it is one", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(State.layerOf("/dev/null/state"))))
      assert.include(["LedgerError", "ParseCacheError", "EmbeddingCacheError", "DeadLetterError"], error._tag)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
