import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Ledger from "docsluice/Ledger"
import { Failed } from "docsluice/Outcome"
import { BadRequest } from "docsluice/service/ServiceError"
import { Effect, Layer, Struct, TestClock } from "effect"
import { ofRun } from "../src/internal/state/ledger/runLedger.ts"
import { fullFileSystem } from "./fixtures/fullFileSystem.ts"
import { failure as ledgerFailure, key } from "./fixtures/ledger.ts"

const failure = (source: string, message = "no", root: string | null = "docs") =>
  DeadLetter.Entry.make({
    root,
    source,
    contentHash: "ab",
    error: new BadRequest({ status: 400, error: message, details: { field: "timeout" } }),
    tag: "BadRequest",
    message,
    retryable: false,
    attempts: 1,
    at: "2026-01-02T03:04:05.000Z",
    targets: ["jsonl:/a"],
    request: "ef"
  })

const of = (source: string, root: string | null = "docs") => ({ root, source })

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "dead-letter-"))),
  (name) => Effect.sync(() => fs.rmSync(name, { recursive: true, force: true }))
)
const letterFile = Effect.map(folder, (name) => path.join(name, "state", "dead-letter.jsonl"))

const lines = (file: string) => Effect.sync(() => fs.readFileSync(file, "utf8").split("\n").filter(Boolean))
const sources = (entries: ReadonlyArray<DeadLetter.Entry>) => entries.map((entry) => entry.source)

/** Opens the file, uses the service and closes it. */
const session = <A, E>(file: string, use: (letters: DeadLetter.DeadLetter.Service) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(DeadLetter.make(file), use)).pipe(Effect.provide(NodeContext.layer))

describe("DeadLetter", () => {
  it.scoped("writes one line per letter and reads it back", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) => letters.add(failure("a/ä.pdf", "line\nbreak")))
      const [line] = yield* lines(file)
      assert.deepStrictEqual(JSON.parse(line ?? ""), {
        root: "docs",
        source: "a/ä.pdf",
        contentHash: "ab",
        tag: "BadRequest",
        message: "line\nbreak",
        error: { _tag: "BadRequest", status: 400, error: "line\nbreak", details: { field: "timeout" } },
        retryable: false,
        attempts: 1,
        at: "2026-01-02T03:04:05.000Z",
        targets: ["jsonl:/a"],
        request: "ef"
      })
      const [entry] = yield* session(file, (letters) => letters.entries)
      assert.strictEqual(entry?.message, "line\nbreak")
      assert.instanceOf(entry?.error, BadRequest)
      assert.deepInclude(entry?.error, { status: 400, details: { field: "timeout" } })
    })
  )

  it.effect("makes the letter of an outcome with the time of now", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 2, 3, 4, 5))
      const failed = {
        documentId: null,
        ...Struct.pick(failure("a"), "attempts", "contentHash", "error", "retryable", "root", "source")
      }
      const letter = yield* DeadLetter.ofOutcome(new Failed(failed), "docs", ["jsonl:/a"])
      assert.deepStrictEqual({ ...letter, request: "ef" }, { ...failure("a") })
    })
  )

  it.scoped("keeps the letters of two roots at the same path apart", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) =>
        Effect.gen(function* () {
          yield* letters.add(failure("a", "of docs"))
          yield* letters.add(failure("a", "of others", "others"))
          yield* letters.remove(of("a", "others"))
        })
      )
      const kept = yield* session(file, (letters) => letters.entries)
      assert.deepStrictEqual(
        kept.map(({ message }) => message),
        ["of docs"]
      )
    })
  )

  it.scoped("reads lines of an earlier version as letters that match any root", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      const { error: ____, request: _, root: __, targets: ___, ...former } = failure("a")
      fs.mkdirSync(path.dirname(file))
      fs.writeFileSync(file, ["a", "b", "c"].map((source) => `${JSON.stringify({ ...former, source })}\n`).join(""))
      const kept = yield* session(file, (letters) =>
        Effect.gen(function* () {
          const [first] = yield* letters.entries
          assert.deepInclude(first, { root: null, source: "a", targets: [], request: null })
          assert.deepInclude(first?.error, { _tag: "Foreign", tag: "BadRequest", message: "no" })
          yield* letters.remove(of("a"))
          yield* letters.add(failure("b", "again"))
          return yield* letters.entries
        })
      )
      assert.deepStrictEqual(
        kept.map(({ message, root, source }) => [root, source, message]),
        [
          [null, "c", "no"],
          ["docs", "b", "again"]
        ]
      )
    })
  )

  it.scoped("replaces all letters, and writes nothing when they are the same", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) =>
        Effect.gen(function* () {
          yield* letters.replace([])
          assert.isFalse(fs.existsSync(file))
          yield* letters.add(failure("a"))
          yield* letters.add(failure("b"))
          yield* letters.replace([failure("b", "other"), failure("c")])
          const inode = fs.statSync(file).ino
          yield* letters.replace([failure("c"), failure("b", "other")])
          yield* letters.add(failure("c"))
          assert.strictEqual(fs.statSync(file).ino, inode)
          assert.strictEqual((yield* lines(file)).length, 2)
        })
      )
      assert.deepStrictEqual(sources(yield* session(file, (letters) => letters.entries)), ["b", "c"])
    })
  )

  it.scoped("reads a damaged file without changing it", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      const peeked = Effect.provide(DeadLetter.read(file), NodeContext.layer)
      assert.deepStrictEqual(yield* peeked, [])
      yield* session(file, (letters) => letters.add(failure("a")))
      fs.appendFileSync(file, "cut")
      assert.deepStrictEqual(sources(yield* peeked), ["a"])
      assert.match(fs.readFileSync(file, "utf8"), /cut$/)
    })
  )

  it.effect("rebuilds from a ledger's failures the same letters that the runs wrote", () =>
    Effect.gen(function* () {
      const ledger = ofRun(yield* Ledger.Ledger)
      for (const [path, at] of [
        ["late.pdf", 9_000_000],
        ["a.pdf", 8_000_000]
      ] as const) {
        yield* ledger.fail(key(path), ledgerFailure({ at, targets: ["jsonl:/a"] }), null)
      }
      const rebuilt = DeadLetter.ofLedger(ledger)
      const letters = yield* rebuilt
      assert.deepStrictEqual(yield* rebuilt, letters)
      assert.deepStrictEqual(sources(letters), ["a.pdf", "late.pdf"])
      assert.deepInclude(letters[0], { root: "docs", tag: "DocumentUnparsable", targets: ["jsonl:/a"], request: null })
      assert.strictEqual(letters[0]?.at, new Date(8_000_000).toISOString())
    }).pipe(Effect.provide(Ledger.layerMemory))
  )

  it.scoped("has written a failure when `add` returns", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) =>
        Effect.gen(function* () {
          yield* letters.add(failure("a.pdf"))
          assert.strictEqual((yield* lines(file)).length, 1)
          yield* letters.add(failure("b.pdf"))
          assert.strictEqual((yield* lines(file)).length, 2)
        })
      )
    })
  )

  it.scoped("keeps the last failure of a source, and none after a success", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) =>
        Effect.gen(function* () {
          for (const source of ["a", "b", "c", "d", "e", "f"]) yield* letters.add(failure(source))
          yield* letters.add(failure("a", "again"))
          yield* letters.remove(of("b"))
          yield* letters.remove(of("never failed"))
        })
      )
      assert.strictEqual((yield* lines(file)).length, 5)
      const entries = yield* session(file, (letters) => letters.entries)
      assert.deepStrictEqual(sources(entries), ["c", "d", "e", "f", "a"])
      assert.strictEqual(entries.at(-1)?.message, "again")
      yield* session(file, (letters) => Effect.forEach(entries, letters.remove))
      assert.deepStrictEqual(yield* lines(file), [])
    })
  )

  it.scoped("survives a last line that was cut off, and appends after it", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) => Effect.zipRight(letters.add(failure("a")), letters.add(failure("b"))))
      const text = fs.readFileSync(file, "utf8")
      for (const cut of [1, 5, 40]) {
        fs.writeFileSync(file, text.slice(0, -cut))
        const kept = yield* session(file, (letters) => Effect.zipRight(letters.add(failure("c")), letters.entries))
        assert.deepStrictEqual(sources(kept), cut === 1 ? ["a", "b", "c"] : ["a", "c"])
        assert.strictEqual((yield* lines(file)).length, kept.length)
      }
    })
  )

  it.scoped("drops a line that is not a letter and keeps the rest", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) => letters.add(failure("a")))
      fs.writeFileSync(file, `not json\n{"source":""}\n${fs.readFileSync(file, "utf8")}`)
      assert.deepStrictEqual(sources(yield* session(file, (letters) => letters.entries)), ["a"])
      assert.strictEqual((yield* lines(file)).length, 1)
    })
  )

  it.scoped("uses the later of two lines that a kill left for one source", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      yield* session(file, (letters) => letters.add(failure("a", "first")))
      const first = fs.readFileSync(file, "utf8")
      fs.writeFileSync(file, first + first.replace("first", "second"))
      const [entry] = yield* session(file, (letters) => letters.entries)
      assert.strictEqual(entry?.message, "second")
      assert.strictEqual((yield* lines(file)).length, 1)
    })
  )

  it.scoped("fails with DeadLetterError where it cannot write", () =>
    Effect.gen(function* () {
      const name = yield* folder
      const file = path.join(name, "in-the-way", "dead-letter.jsonl")
      fs.writeFileSync(path.join(name, "in-the-way"), "")
      const error = yield* Effect.flip(session(file, (letters) => letters.add(failure("a"))))
      assert.deepInclude(error, { _tag: "DeadLetterError", file })
    })
  )

  it.scoped("appends nothing to a line that a full disk cut off", () =>
    Effect.gen(function* () {
      const file = yield* letterFile
      const disk = { full: false }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const letters = yield* DeadLetter.make(file)
          yield* letters.add(failure("a"))
          disk.full = true
          const error = yield* Effect.flip(letters.add(failure("b")))
          assert.strictEqual(error._tag, "DeadLetterError")
          assert.strictEqual((yield* Effect.flip(letters.add(failure("c"))))._tag, "DeadLetterError")
          disk.full = false
          yield* letters.add(failure("d"))
          assert.strictEqual((yield* lines(file)).length, 4)
        })
      ).pipe(Effect.provide(Layer.provideMerge(fullFileSystem(disk), NodeContext.layer)))
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), [path.basename(file)])
      const kept = yield* session(file, (letters) => letters.entries)
      assert.deepStrictEqual(sources(kept), ["a", "b", "c", "d"])
    })
  )

  it.effect("keeps letters only in memory with layerMemory", () =>
    Effect.gen(function* () {
      const letters = yield* DeadLetter.DeadLetter
      yield* letters.add(failure("a"))
      yield* letters.add(failure("a", "again"))
      yield* letters.add(failure("b"))
      yield* letters.remove(of("b"))
      assert.deepStrictEqual(
        (yield* letters.entries).map((entry) => entry.message),
        ["again"]
      )
    }).pipe(Effect.provide(DeadLetter.layerMemory))
  )
})
