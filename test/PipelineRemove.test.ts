import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { mapPrepared, SinkError } from "docsluice/ChunkSink"
import { DeadLetter, Entry } from "docsluice/DeadLetter"
import * as Pipeline from "docsluice/Pipeline"
import { InternalServerError } from "docsluice/service/ServiceError"
import { documentId } from "docsluice/SourceFile"
import { Effect, Option } from "effect"
import { opened, scratch, store, write } from "./fixtures/state.ts"

const filled = (directory: string) =>
  opened(directory, (world) =>
    Effect.gen(function* () {
      yield* write(directory, "a.html", "secret one\nsecret two")
      yield* write(directory, "b.html", "public")
      yield* store(world, "a.html", [world.jsonl, world.folder])
      yield* store(world, "b.html", [world.jsonl, world.folder])
      const letters = yield* DeadLetter
      yield* letters.add(failed("a.html"))
      yield* letters.add(failed("gone.pdf"))
    })
  )

const failed = (source: string, root: string | null = "docs") =>
  Entry.make({
    root,
    source,
    contentHash: null,
    error: new InternalServerError({ status: 500, error: "no" }),
    tag: "InternalServerError",
    message: "no",
    retryable: true,
    attempts: 1,
    at: "2026-01-02T03:04:05.000Z",
    targets: [],
    request: null
  })

const key = { documentId: documentId("docs", "a.html"), path: "a.html" }

const texts = (directory: string): string => {
  const all = fs.readdirSync(directory, { recursive: true, withFileTypes: true })
  return all
    .filter(
      (entry) =>
        entry.isFile() && /\.(md|jsonl|json)$/.test(entry.name) && !entry.parentPath.startsWith(join(directory, "docs"))
    )
    .map((entry) => fs.readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n")
}

describe("DocumentRemoval", () => {
  it.scoped(
    "removes a document from every sink, the cache, the dead letters and the ledger, and leaves the others",
    () =>
      Effect.gen(function* () {
        const directory = yield* scratch
        yield* filled(directory)
        const removed = yield* opened(directory, ({ folder, jsonl }) =>
          Pipeline.remove(["a.html"], { sinks: [jsonl, folder] })
        )
        assert.deepStrictEqual(removed, [{ documentId: key.documentId, source: "a.html", chunks: 4 }])
        assert.notInclude(texts(directory), "secret")
        assert.include(texts(directory), "public")
        yield* opened(directory, ({ cache, ledger }) =>
          Effect.gen(function* () {
            assert.isTrue(Option.isNone(yield* ledger.get(key)))
            assert.strictEqual((yield* ledger.stats).documents, 1)
            assert.strictEqual((yield* cache.stats).entries, 1)
            const letters = yield* Effect.flatMap(DeadLetter, (letters) => letters.entries)
            assert.deepStrictEqual(
              letters.map(({ source }) => source),
              ["gone.pdf"]
            )
          })
        )
      })
  )

  it.scoped("accepts an id as a name, and removes a file that only has a dead letter", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      const removed = yield* opened(directory, ({ folder, jsonl }) =>
        Pipeline.remove(["docs/a.html", "gone.pdf"], { sinks: [jsonl, folder] })
      )
      assert.deepStrictEqual(removed, [
        { documentId: key.documentId, source: "a.html", chunks: 4 },
        { documentId: null, source: "gone.pdf", chunks: 0 }
      ])
    })
  )

  it.scoped("does nothing at all when one of the names is unknown or one of the sinks is not given", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      const before = texts(directory)
      const unknown = yield* opened(directory, ({ folder, jsonl }) =>
        Effect.flip(Pipeline.remove(["a.html", "nothing.pdf"], { sinks: [jsonl, folder] }))
      )
      assert.strictEqual(unknown.message, "nothing.pdf: no such document is known")
      const lacking = yield* opened(directory, ({ jsonl }) =>
        Effect.flip(Pipeline.remove(["a.html"], { sinks: [jsonl] }))
      )
      assert.match(lacking.message, /a\.html: it is in fs:.* too; give that target/)
      assert.strictEqual(texts(directory), before)
      yield* opened(directory, ({ ledger }) =>
        Effect.map(ledger.get(key), (entry) =>
          assert.strictEqual(Option.getOrThrow(entry).stored?.acknowledged.length, 2)
        )
      )
    })
  )

  it.scoped(
    "leaves no chunk that the ledger does not know when a sink fails in between; a second call completes the removal",
    () =>
      Effect.gen(function* () {
        const directory = yield* scratch
        yield* filled(directory)
        const failure = new SinkError({ sink: "fs:", reason: "Unavailable", problem: "it is not there" })
        const failing = mapPrepared((prepared) => ({ ...prepared, remove: () => Effect.fail(failure) }))
        const error = yield* opened(directory, ({ folder, jsonl }) =>
          Effect.flip(Pipeline.remove(["a.html"], { sinks: [jsonl, failing(folder)] }))
        )
        assert.strictEqual(error.message, failure.message)
        yield* opened(directory, ({ folder, ledger }) =>
          Effect.gen(function* () {
            const entry = Option.getOrThrow(yield* ledger.get(key))
            assert.deepStrictEqual(entry.stored?.acknowledged, [])
            const held = Option.getOrThrow(yield* ledger.holding(entry)).held
            assert.strictEqual(held.find(({ sink }) => sink === folder.id)?.chunkIds.length, 2)
          })
        )
        yield* opened(directory, ({ folder, jsonl }) => Pipeline.remove(["a.html"], { sinks: [jsonl, folder] }))
        assert.notInclude(texts(directory), "secret")
      })
  )

  it.scoped("keeps the cached answer of a document whose bytes another one has too", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      yield* filled(directory)
      yield* write(directory, "copy.html", "secret one\nsecret two")
      yield* opened(directory, (world) =>
        Effect.gen(function* () {
          yield* store(world, "copy.html", [world.jsonl])
          yield* Pipeline.remove(["a.html"], { sinks: [world.jsonl, world.folder] })
          assert.strictEqual((yield* world.cache.stats).entries, 2)
        })
      )
    })
  )

  it.scoped("refuses a path at which two roots have a dead letter, and accepts one named with its root", () =>
    Effect.gen(function* () {
      const directory = yield* scratch
      const left = yield* opened(directory, () =>
        Effect.gen(function* () {
          const letters = yield* DeadLetter
          yield* letters.add(failed("late.pdf"))
          yield* letters.add(failed("late.pdf", "others"))
          const error = yield* Effect.flip(Pipeline.remove(["late.pdf"], { sinks: [] }))
          assert.deepInclude(error, { reason: "Ambiguous", candidates: ["docs/late.pdf", "others/late.pdf"] })
          yield* Pipeline.remove(["others/late.pdf"], { sinks: [] })
          return yield* letters.entries
        })
      )
      assert.deepStrictEqual(
        left.map(({ root }) => root),
        ["docs"]
      )
    })
  )
})
