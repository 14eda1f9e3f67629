import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it, vi } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import * as GroupCommit from "../../../src/internal/state/groupCommit.ts"
import * as Libsql from "../../../src/internal/state/libsql.ts"

const memory = Effect.acquireRelease(
  Effect.sync(() => {
    const db = Libsql.open(":memory:")
    db.exec("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)")
    return db
  }),
  (db) => Effect.sync(db.close)
)

const insert = (db: Libsql.Database, text: string) => () => db.sql("INSERT INTO note (text) VALUES (?)").run(text).id

const count = (db: Libsql.Database): number => Libsql.integer(db.sql("SELECT count(*) FROM note").first() ?? [], 0)

it.scoped(
  "says that the disk is full, and that it takes no writes (limits of the database stand for those of the disk)",
  () =>
    Effect.gen(function* () {
      const db = yield* memory
      const group = GroupCommit.make(db, 32, () => {})
      yield* group.write(insert(db, "kept"))
      db.sql("PRAGMA max_page_count=4").all()
      const full = yield* Effect.flip(group.write(insert(db, "x".repeat(100_000))))
      assert.strictEqual(full.reason, "Full")
      assert.strictEqual(count(db), 1)
      db.exec("PRAGMA query_only=ON")
      assert.strictEqual((yield* Effect.flip(group.write(insert(db, "more")))).reason, "ReadOnly")
    })
)

it("tells what a thrown value means by its code", () => {
  const meaning = (code: string) => Libsql.failure(Object.assign(new Error("x"), { code })).reason
  assert.deepStrictEqual(
    ["SQLITE_BUSY", "SQLITE_CORRUPT_INDEX", "SQLITE_NOTADB", "EROFS", "ENOSPC", "SQLITE_IOERR", "ENOTDIR", ""].map(
      meaning
    ),
    ["Locked", "Corrupted", "Corrupted", "ReadOnly", "Full", "Io", "Io", "Io"]
  )
})

it.scoped("commits what comes in one turn together, and keeps the order", () =>
  Effect.gen(function* () {
    const db = yield* memory
    const group = GroupCommit.make(db, 4, () => {})
    const ids = yield* Effect.all(
      Array.from({ length: 10 }, (_, index) => group.write(insert(db, `${index}`))),
      { concurrency: 10 }
    )
    assert.deepStrictEqual(
      ids,
      Array.from({ length: 10 }, (_, index) => index + 1)
    )
  })
)

it.scoped(
  "commits a single write at once, and after a shared transaction those of the next milliseconds together",
  () =>
    Effect.gen(function* () {
      const db = yield* memory
      const sizes: Array<number> = []
      const counting: Libsql.Database = {
        ...db,
        transaction: (body) => {
          const before = count(db)
          const result = db.transaction(body)
          sizes.push(count(db) - before)
          return result
        }
      }
      const group = GroupCommit.make(counting, 4, () => {})
      const turn = Effect.async<void>((resume) => {
        setImmediate(() => resume(Effect.void))
      })
      const write = (text: string) => Effect.fork(group.write(insert(db, text)))
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      yield* group.write(insert(db, "alone"))
      yield* Effect.all(
        ["a", "b"].map((text) => group.write(insert(db, text))),
        { concurrency: 2 }
      )
      const fibers = yield* Effect.forEach(["c", "d", "e"], (text) => Effect.zipLeft(write(text), turn))
      assert.deepStrictEqual(sizes, [1, 2])
      vi.advanceTimersByTime(10)
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(sizes, [1, 2, 3])
    })
)

it.scoped("lets one refused row fail alone", () =>
  Effect.gen(function* () {
    const db = yield* memory
    let rollbacks = 0
    const group = GroupCommit.make(db, 32, () => {
      rollbacks += 1
    })
    const exits = yield* Effect.all(
      ["a", "b", "a", "c"].map((text) => Effect.exit(group.write(insert(db, text)))),
      { concurrency: 4 }
    )
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
    assert.strictEqual(count(db), 3)
    assert.strictEqual(rollbacks, 2)
  })
)

it.scoped("commits what is waiting when it is flushed", () =>
  Effect.gen(function* () {
    const db = yield* memory
    const group = GroupCommit.make(db, 2, () => {})
    const fiber = yield* Effect.fork(
      Effect.all(
        ["a", "b", "c"].map((text) => group.write(insert(db, text))),
        { concurrency: 3 }
      )
    )
    yield* Effect.yieldNow()
    yield* Effect.yieldNow()
    group.flush()
    assert.deepStrictEqual(yield* fiber, [1, 2, 3])
  })
)

it.scoped("gives every text as its bytes, and calls damage what is not UTF-8, whatever the column says", () =>
  Effect.gen(function* () {
    const db = yield* memory
    db.exec("INSERT INTO note (text) VALUES ('gr\u00fc\u00df'); INSERT INTO note (text) VALUES (CAST(x'ff41' AS TEXT))")
    const [good = [], bad = []] = db.sql("SELECT id, text, NULL, 1.5, x'00' FROM note ORDER BY id").all()
    assert.deepStrictEqual(good, [1, Buffer.from("gr\u00fc\u00df"), null, 1.5, Buffer.from([0])])
    assert.strictEqual(Libsql.text(good, 1), "gr\u00fc\u00df")
    assert.isNull(Libsql.nullable(good, 2, Libsql.text))
    assert.throws(() => Libsql.text(bad, 1), /not a text/)
    assert.throws(() => db.sql("UPDATE note SET text = 'x' RETURNING text"), /only SELECT and PRAGMA/)
    assert.throws(() => db.sql("SELECT missing FROM note"), Libsql.DatabaseFailure)
    const missing = yield* Effect.flip(Effect.try({ try: () => db.sql("SELECT x FROM y"), catch: Libsql.failure }))
    assert.strictEqual(missing.reason, "Corrupted")
  })
)

it.scoped("syncs what is committed and does not wait for a reader that keeps its transaction open", () =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(join(tmpdir(), "docsluice-libsql-"))),
      (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
    )
    const file = join(directory, "notes.db")
    const opened = Effect.acquireRelease(
      Effect.sync(() => Libsql.open(file)),
      (db) => Effect.sync(db.close)
    )
    const db = yield* opened
    Libsql.configure(db)
    db.exec("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE); PRAGMA user_version=7")
    const reader = yield* opened
    reader.exec("BEGIN")
    assert.strictEqual(count(reader), 0)
    insert(db, "one")()
    const before = performance.now()
    Libsql.checkpoint(db)
    // A connection waits for five seconds where it waits.
    assert.isBelow(performance.now() - before, 4000)
    assert.deepEqual(db.sql("PRAGMA user_version").first(), [7])
    assert.deepEqual(db.sql("PRAGMA synchronous").first(), [1])
    assert.strictEqual(count(reader), 0)
    reader.exec("COMMIT")
    Libsql.checkpoint(db)
    assert.strictEqual(fs.statSync(`${file}-wal`).size, 0)
    assert.strictEqual(count(reader), 1)
  })
)
