import { existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Ledger from "docsluice/Ledger"
import { Effect } from "effect"
import { migrate } from "../src/internal/state/directory.ts"
import * as Libsql from "../src/internal/state/libsql.ts"
import { scratch, key, expected, generation, request, reopened } from "./fixtures/ledger.ts"
import type { Open } from "./fixtures/ledger.ts"

it.scoped("refuses a directory that another holder has, and names its process", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* Ledger.make({ directory })
    const error = yield* Effect.flip(reopened(directory, () => Effect.void))
    assert.strictEqual(error._tag, "LedgerError")
    assert.strictEqual(error.reason, "Locked")
    assert.strictEqual(error.pid, process.pid)
    assert.include(error.message, `pid ${process.pid}`)
  })
)

it.scoped("releases the directory with its scope", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* reopened(directory, (ledger) => ledger.commit(generation("a.pdf")))
    assert.isFalse(existsSync(join(directory, "lock.pid")))
    assert.strictEqual(statSync(join(directory, "ledger.db-wal"), { throwIfNoEntry: false })?.size ?? 0, 0)
    yield* reopened(directory, () => Effect.void)
  })
)

const oldest = (db: Libsql.Database): void => {
  db.exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')")
}

it.scoped("migrates an older database to the present version step by step, and keeps its rows", () =>
  Effect.gen(function* () {
    const file = join(yield* scratch, "some.db")
    const older = Libsql.open(file)
    assert.isNull(migrate(older, [oldest]))
    older.close()
    const newer = Libsql.open(file)
    const second = (db: Libsql.Database) => db.exec("ALTER TABLE note ADD COLUMN at INTEGER NOT NULL DEFAULT 7")
    assert.isNull(migrate(newer, [oldest, second]))
    assert.deepStrictEqual(newer.sql("SELECT text, at FROM note").all(), [[Buffer.from("kept"), 7]])
    const failing = () => {
      newer.exec("INSERT INTO note VALUES ('half', 1)")
      throw new Error("a step that fails")
    }
    assert.throws(() => migrate(newer, [oldest, second, failing]))
    assert.deepStrictEqual(newer.sql("SELECT count(*) FROM note").first(), [1])
    assert.deepStrictEqual(newer.sql("PRAGMA user_version").first(), [2])
    newer.close()
  })
)

it.scoped("refuses a ledger of a later version", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* reopened(directory, (ledger) => ledger.commit(generation("a.pdf")))
    const db = Libsql.open(join(directory, "ledger.db"))
    db.exec("PRAGMA user_version=99")
    db.close()
    const error = yield* Effect.flip(reopened(directory, () => Effect.void))
    assert.strictEqual(error.reason, "Newer")
    assert.include(error.message, "99")
  })
)

const overwrite = (file: string, offset: number, bytes: Uint8Array): void => {
  const handle = openSync(file, "r+")
  writeSync(handle, bytes, 0, bytes.length, offset)
}

const many = (ledger: Open) =>
  Effect.forEach(
    Array.from({ length: 2000 }, (_, index) => generation(`${index}.pdf`)),
    ledger.commit,
    { concurrency: 64, discard: true }
  )

it.scoped("reports a damaged page, an invalid header and an empty file as damage, with the remedy", () =>
  Effect.gen(function* () {
    const base = yield* scratch
    const damages: ReadonlyArray<readonly [string, (file: string) => void]> = [
      [
        "page",
        (file) => {
          const size = statSync(file).size
          for (let page = 1; page * 4096 < size; page++) overwrite(file, page * 4096, Buffer.alloc(512, 0xee))
        }
      ],
      ["header", (file) => overwrite(file, 0, Buffer.alloc(100, 1))],
      ["empty", (file) => writeFileSync(file, "")],
      ["cut", (file) => writeFileSync(file, readFileSync(file).subarray(0, 5000))]
    ]
    for (const [name, damage] of damages) {
      const directory = join(base, name)
      yield* reopened(directory, many)
      damage(join(directory, "ledger.db"))
      const error = yield* Effect.flip(
        reopened(directory, (ledger) => Effect.zipRight(ledger.scan(request, expected), ledger.get(key("7.pdf"))))
      )
      assert.strictEqual(error.reason, "Corrupted", name)
      assert.include(error.message, "`rebuild`")
    }
  })
)

it.scoped("notices a row whose content was altered", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* reopened(directory, (ledger) => ledger.commit(generation("a.pdf")))
    const db = Libsql.open(join(directory, "ledger.db"))
    db.sql("UPDATE document SET hash = ?").run(Buffer.alloc(32, 7))
    db.close()
    const error = yield* Effect.flip(reopened(directory, (ledger) => ledger.get(key("a.pdf"))))
    assert.strictEqual(error.reason, "Corrupted")
    assert.include(error.message, "docs/a.pdf")
  })
)

it.scoped("fails with a typed error where the directory cannot be created (a file simulates missing permission)", () =>
  Effect.gen(function* () {
    const file = join(yield* scratch, "file")
    writeFileSync(file, "x")
    for (const directory of [file, join(file, "below")]) {
      const error = yield* Effect.flip(reopened(directory, () => Effect.void))
      assert.strictEqual(error._tag, "LedgerError")
      assert.strictEqual(error.reason, "Io")
      assert.include(error.message, directory)
    }
  })
)
