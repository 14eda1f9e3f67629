import * as fs from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import { PackedVector } from "docsluice/DocumentChunk"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Ledger from "docsluice/Ledger"
import { Foreign } from "docsluice/Outcome"
import * as ParseCache from "docsluice/ParseCache"
import { Effect, Logger, Option } from "effect"
import { NewerSchema, openDatabase } from "../../../src/internal/state/directory.ts"
import { ofRun } from "../../../src/internal/state/ledger/runLedger.ts"
import { type Database, integer, text } from "../../../src/internal/state/libsql.ts"
import { look } from "../../../src/internal/state/looking.ts"
import { generation, hash, key, scratch } from "../../fixtures/ledger.ts"
import { answer, large, request } from "../../fixtures/parseCache.ts"

/** Every path to which other users have any permission. */
const open = (directory: string): ReadonlyArray<string> =>
  ["", ...fs.readdirSync(directory, { recursive: true, encoding: "utf8" })].filter(
    (path) => (fs.statSync(join(directory, path)).mode & 0o077) !== 0
  )

const modeOf = (path: string): number => fs.statSync(path).mode & 0o777

/** Opens all that a run remembers with, writes to each, and gives what lies open to others before and after they are closed. */
const used = (state: string) =>
  Effect.gen(function* () {
    const during = yield* Effect.scoped(
      Effect.gen(function* () {
        const ledger = ofRun(yield* Ledger.make({ directory: state }))
        const cache = yield* ParseCache.make({ directory: join(state, "cache") })
        const vectors = yield* EmbeddingCache.make({ directory: join(state, "embeddings") })
        const letters = yield* DeadLetter.make(join(state, "dead-letter.jsonl"))
        yield* ledger.commit(generation("a.pdf"))
        yield* cache.put(request("a"), answer("a"))
        yield* cache.put(request("b"), large("b"))
        yield* vectors.put([{ key: hash("v"), vector: new PackedVector([1, 2]) }])
        yield* letters.add(
          new DeadLetter.Entry({
            root: "docs",
            source: "b.pdf",
            error: new Foreign({ tag: "T", message: "m" }),
            tag: "T",
            message: "m",
            retryable: false,
            attempts: 1,
            contentHash: null,
            at: "2026-01-01T00:00:00.000Z",
            targets: [],
            request: ""
          })
        )
        assert.isTrue(fs.existsSync(join(state, "ledger.db-wal")))
        return open(state)
      })
    )
    return [...during, ...open(state)]
  }).pipe(Effect.provide(NodeContext.layer))

it.scoped("is accessible to its owner only, with everything in it, while it is open and after", () =>
  Effect.gen(function* () {
    const state = join(yield* scratch, "deep", "state")
    assert.deepStrictEqual(yield* used(state), [])
    assert.strictEqual(modeOf(state), 0o700)
  })
)

it.scoped("is restricted to its owner where an earlier version left it open to others", () =>
  Effect.gen(function* () {
    const state = join(yield* scratch, "state")
    yield* used(state)
    for (const path of ["", ...fs.readdirSync(state, { recursive: true, encoding: "utf8" })]) {
      const place = join(state, path)
      fs.chmodSync(place, fs.statSync(place).isDirectory() ? 0o755 : 0o644)
    }
    yield* used(state)
    assert.deepStrictEqual(
      open(state).filter((path) => !path.startsWith("cache/answers/")),
      []
    )
  })
)

it.scoped("leaves a folder that holds other things as it is, and has its own files to itself", () =>
  Effect.gen(function* () {
    const folder = join(yield* scratch, "project")
    fs.mkdirSync(folder, { mode: 0o755 })
    fs.writeFileSync(join(folder, "README.md"), "", { mode: 0o644 })
    yield* used(folder)
    assert.strictEqual(modeOf(folder), 0o755)
    assert.deepStrictEqual(open(folder), ["", "README.md"])
  })
)

it.scoped("can be opened read-only, and then refuses every write", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    yield* Effect.scoped(
      Effect.flatMap(Ledger.make({ directory }), (ledger) => ofRun(ledger).commit(generation("a.pdf")))
    )
    const looked = ofRun(yield* Ledger.makeReadOnly({ directory }))
    assert.isTrue(Option.isSome(yield* looked.get(key("a.pdf"))))
    const refused = yield* Effect.flip(looked.commit(generation("b.pdf")))
    assert.strictEqual(refused.reason, "ReadOnly")
    const running = ofRun(yield* Ledger.make({ directory }))
    yield* running.commit(generation("b.pdf"))
    assert.strictEqual((yield* looked.stats).documents, 2)
  })
)

it.scoped("shows an empty ledger and an empty cache where there are none, and creates none", () =>
  Effect.gen(function* () {
    const directory = join(yield* scratch, "nothing")
    assert.strictEqual((yield* Effect.flatMap(Ledger.makeReadOnly({ directory }), ({ stats }) => stats)).documents, 0)
    assert.strictEqual((yield* Effect.flatMap(ParseCache.makeReadOnly({ directory }), ({ stats }) => stats)).entries, 0)
    assert.isFalse(fs.existsSync(directory))
  })
)

it.scoped(
  "shows answers without counting that as a use, and a damaged cache as the empty one that the next run begins with",
  () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* Effect.scoped(
        Effect.flatMap(ParseCache.make({ directory }), (cache) =>
          Effect.zipRight(cache.put(request("a"), answer("a")), cache.put(request("b"), large("b")))
        )
      )
      const file = join(directory, "index.db")
      const whole = fs.readFileSync(file)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const cache = yield* ParseCache.makeReadOnly({ directory })
          assert.isTrue(Option.isSome(yield* cache.get(request("a"))))
          assert.isTrue(Option.isSome(yield* cache.get(request("b"))))
          assert.strictEqual((yield* Effect.flip(cache.clear)).reason, "ReadOnly")
        })
      )
      assert.deepStrictEqual(fs.readFileSync(file), whole)
      fs.writeFileSync(file, Buffer.alloc(whole.length, 7))
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      const { entries } = yield* Effect.flatMap(ParseCache.makeReadOnly({ directory }), ({ stats }) => stats).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      assert.strictEqual(entries, 0)
      assert.deepStrictEqual(logged, ["the parse cache was damaged and begins again, empty"])
      assert.isTrue(fs.existsSync(file))
    })
)

const first = (db: Database): void => db.exec("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')")
const second = (db: Database): void => db.exec("ALTER TABLE note ADD COLUMN at INTEGER NOT NULL DEFAULT 7")

it.scoped("reads a database of an earlier version from a migrated copy", () =>
  Effect.gen(function* () {
    const directory = yield* scratch
    const made = openDatabase(directory, "some.db", [first])
    assert.isFalse(made instanceof NewerSchema)
    if (!(made instanceof NewerSchema)) made.close()
    const before = fs.readFileSync(join(directory, "some.db"))
    const looked = look(directory, "some.db", [first, second])
    assert.isTrue(looked !== null && !(looked instanceof NewerSchema))
    if (looked === null || looked instanceof NewerSchema) return
    const row = looked.sql("SELECT text, at FROM note").first() ?? []
    assert.deepStrictEqual([text(row, 0), integer(row, 1)], ["kept", 7])
    looked.close()
    assert.deepStrictEqual(fs.readFileSync(join(directory, "some.db")), before)
    assert.isTrue(look(directory, "some.db", []) instanceof NewerSchema)
    assert.isNull(look(directory, "other.db", [first]))
  })
)
