import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as BlockChunker from "docsluice/BlockChunker"
import * as Chunkers from "docsluice/Chunker"
import type { Chunker } from "docsluice/Chunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { Effect, HashSet, Logger, Ref } from "effect"
import Libsql from "libsql"
import * as Workspace from "./workspace.ts"

const words = Array.from({ length: 200 }, (_, at) => `gauge${at}`).join(" ")

const folder = (count: number) =>
  Effect.tap(Workspace.make(0), (ws) =>
    Effect.sync(() => {
      for (let at = 0; at < count; at++) ws.write(`${at}.pdf`, `${at} ${words}`)
    }).pipe(Effect.zipRight(Workspace.settle))
  )

/** Most tokens of a stored chunk. */
const longest = (ws: Workspace.Workspace): number =>
  Math.max(...Workspace.lines(Workspace.target(ws)).map(({ tokens }) => tokens))

/** The chunker that was told nothing, in a version whose default is another one. */
const laterDefault: Chunker = { ...AutoChunker.make({ maxTokens: 100 }), keeping: AutoChunker.make().keeping }

const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const lines = yield* Ref.make(HashSet.empty<string>())
    const logger = Logger.make(({ message }) => Effect.runSync(Ref.update(lines, HashSet.add(String(message)))))
    const result = yield* Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
    return { result, lines: [...(yield* Ref.get(lines))].join("\n") }
  })

describe("a default that a later version changed", () => {
  it.scopedLive("changes nothing in what was filled before, and new documents are split as the others", () =>
    Effect.gen(function* () {
      const ws = yield* folder(3)
      yield* Workspace.run(ws, { chunker: AutoChunker.make() })
      const before = longest(ws)
      assert.isAbove(before, 100)
      ws.write("new.pdf", `new ${words}`)
      yield* Workspace.settle
      const { lines, result } = yield* logged(Workspace.run(ws, { chunker: laterDefault }))
      assert.deepInclude(result, { unchanged: 3, stored: 1, requests: 1 })
      const own = Workspace.lines(Workspace.target(ws)).filter(({ source }) => source === "new.pdf")
      assert.isAbove(Math.max(...own.map(({ tokens }) => tokens)), 100)
      assert.include(lines, "maxTokens 512 instead of 100")
    })
  )

  it.scopedLive("is taken by rechunk, from the cache, and holds from then on", () =>
    Effect.gen(function* () {
      const ws = yield* folder(3)
      yield* Workspace.run(ws, { chunker: AutoChunker.make() })
      const anew = yield* Workspace.run(ws, { chunker: laterDefault, rechunk: true })
      assert.deepInclude(anew, { stored: 3, fromCache: 3, requests: 0, exit: 0 })
      assert.isAtMost(longest(ws), 100)
      assert.deepInclude(yield* Workspace.run(ws, { chunker: laterDefault }), { unchanged: 3, requests: 0 })
      assert.deepInclude(yield* Workspace.run(ws, { chunker: AutoChunker.make() }), { unchanged: 3, requests: 0 })
    })
  )

  it.scopedLive("goes on after a rechunk that ended early, whatever the next run is told", () =>
    Effect.gen(function* () {
      const ws = yield* folder(6)
      yield* Workspace.run(ws, { chunker: AutoChunker.make() })
      const stopping: Chunker = {
        ...laterDefault,
        chunk: (document) => (document.source === "3.pdf" ? Effect.interrupt : laterDefault.chunk(document))
      }
      yield* Effect.exit(Workspace.run(ws, { chunker: stopping, rechunk: true }))
      assert.deepInclude(yield* Workspace.run(ws, { chunker: AutoChunker.make() }), { failed: 0, requests: 0, exit: 0 })
      assert.isAtMost(longest(ws), 100)
      assert.strictEqual(new Set(Workspace.lines(Workspace.target(ws)).map(({ source }) => source)).size, 6)
      assert.deepInclude(yield* Workspace.run(ws, { chunker: laterDefault }), { unchanged: 6, stored: 0 })
    })
  )
})

describe("a setting that is given", () => {
  it.scopedLive("splits the documents of its run, and is not that of the root", () =>
    Effect.gen(function* () {
      const ws = yield* folder(2)
      yield* Workspace.run(ws, { chunker: AutoChunker.make({ maxTokens: 300 }) })
      const told = AutoChunker.make({ maxTokens: 100 })
      assert.deepInclude(yield* Workspace.run(ws, { chunker: told }), { stored: 2, fromCache: 2, requests: 0 })
      assert.isAtMost(longest(ws), 100)
      assert.deepInclude(yield* Workspace.run(ws, { chunker: told }), { unchanged: 2 })
      assert.deepInclude(yield* Workspace.run(ws, { chunker: AutoChunker.make() }), { stored: 2, requests: 0 })
      assert.isAbove(longest(ws), 100)
    })
  )

  it.scopedLive("is that of the root when it fills it, so that later runs need not give it again", () =>
    Effect.gen(function* () {
      const ws = yield* folder(2)
      yield* Workspace.run(ws, { chunker: MarkdownChunker.make({ maxTokens: 100 }) })
      assert.deepInclude(yield* Workspace.run(ws, { chunker: MarkdownChunker.make() }), { unchanged: 2, stored: 0 })
    })
  )
})

describe("a root that an earlier version filled", () => {
  it.scopedLive("is split as by the defaults of then, which that version did not keep", () =>
    Effect.gen(function* () {
      const ws = yield* folder(3)
      yield* Workspace.run(ws, { chunker: AutoChunker.make() })
      const db = new Libsql(join(ws.directory, "state", "ledger.db"))
      db.exec("ALTER TABLE root DROP COLUMN chunking; PRAGMA user_version=4")
      db.close()
      ws.write("new.pdf", `new ${words}`)
      yield* Workspace.settle
      assert.deepInclude(yield* Workspace.run(ws, { chunker: laterDefault }), { unchanged: 3, stored: 1, requests: 1 })
      assert.deepInclude(yield* Workspace.run(ws, { chunker: AutoChunker.make() }), { unchanged: 4, stored: 0 })
    })
  )
})

describe("a new root", () => {
  it.scopedLive(
    "is split as the one that came last into its target, and as by its own defaults in another target",
    () =>
      Effect.gen(function* () {
        const ws = yield* folder(1)
        yield* Workspace.run(ws, { chunker: AutoChunker.make({ maxTokens: 100 }) })
        const under = (name: string) => ({ chunker: AutoChunker.make(), discovery: { name } })
        assert.deepInclude(yield* Workspace.run(ws, { ...under("same"), newRoot: true }), { stored: 1 })
        assert.isAtMost(longest(ws), 100)
        const file = join(ws.directory, "other.jsonl")
        const elsewhere = [Jsonl.make({ file }).pipe(Effect.orDie, Effect.provide(NodeContext.layer))]
        yield* Workspace.run(ws, { ...under("other"), newRoot: true, sinks: elsewhere })
        assert.isAbove(Math.max(...Workspace.lines(file).map(({ tokens }) => tokens)), 100)
      })
  )
})

describe("a chunker that keeps settings of before", () => {
  const keeping = (chunker: Chunker, kept: Chunker) => chunker.keeping?.(kept.configuration).configuration

  it("has those that it was not told, with steps around either and of another strategy too", () => {
    const kept = AutoChunker.make({ maxTokens: 100, overlapTokens: 10, context: false, pageBoundaries: "hard" })
    const step = { name: "step", f: Effect.succeed }
    assert.strictEqual(keeping(AutoChunker.make(), kept), kept.configuration)
    assert.strictEqual(keeping(AutoChunker.make(), Chunkers.mapChunks(kept, step)), kept.configuration)
    assert.strictEqual(
      keeping(Chunkers.mapChunks(AutoChunker.make(), step), kept),
      Chunkers.mapChunks(kept, step).configuration
    )
    assert.strictEqual(
      keeping(BlockChunker.make({ furniture: true }), MarkdownChunker.make({ maxTokens: 100 })),
      BlockChunker.make({ maxTokens: 100, furniture: true }).configuration
    )
  })

  it("has none that contradict what it was told, and none of a chunker of others", () => {
    const kept = MarkdownChunker.make({ maxTokens: 100, overlapTokens: 90, minTokens: 80 })
    assert.strictEqual(
      keeping(MarkdownChunker.make({ maxTokens: 50 }), kept),
      MarkdownChunker.make({ maxTokens: 50 }).configuration
    )
    assert.strictEqual(
      keeping(MarkdownChunker.make({ overlapTokens: 200 }), kept),
      MarkdownChunker.make({ overlapTokens: 200, minTokens: 80 }).configuration
    )
    const others: Chunker = { name: "lines", configuration: "7", chunk: MarkdownChunker.make().chunk }
    assert.strictEqual(keeping(AutoChunker.make(), others), AutoChunker.make().configuration)
  })
})
