import { assert, describe, it } from "@effect/vitest"
import { EmbeddingError } from "docsluice/Embedder"
import * as Embedder from "docsluice/Embedder"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect } from "effect"
import * as Workspace from "./workspace.ts"

const failing = (severity: "document" | "run"): Embedder.Embedder.Service => ({
  ...Embedder.hash,
  embed: (chunks) =>
    new EmbeddingError({
      reason: "Unavailable",
      model: "away",
      chunks: chunks.map((chunk) => chunk.id),
      problem: "it is not there",
      retryable: true,
      severity
    })
})

const lengths = (store: MemorySink.Store) =>
  new Set([...store.chunks.values()].map((chunk) => chunk.embedding?.length ?? 0))

const into = (store: MemorySink.Store, embedder?: Embedder.Embedder.Service): Workspace.Given => ({
  sinks: [MemorySink.make(store)],
  change: (run) => ({ ...run, embedder })
})

describe("an embedder of a run with a ledger", () => {
  it.scopedLive("gives every stored chunk its vector, and an unchanged re-run asks nobody", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      const store = MemorySink.emptyStore()
      assert.deepInclude(yield* Workspace.run(ws, into(store, Embedder.hash)), { stored: 5, exit: 0 })
      assert.deepStrictEqual(lengths(store), new Set([1024]))
      const never: Embedder.Embedder.Service = { ...failing("run"), space: Embedder.hash.space }
      assert.deepInclude(yield* Workspace.run(ws, into(store, never)), { unchanged: 5, requests: 0, exit: 0 })
    })
  )

  it.scopedLive("an outage fails the documents, and the next run stores them without a request", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      const store = MemorySink.emptyStore()
      const first = yield* Workspace.run(ws, into(store, failing("document")))
      assert.deepInclude(first, { stored: 0, failed: 5, requests: 5, exit: 1 })
      assert.isTrue(first.failures.every(({ retryable, tag }) => retryable && tag === "EmbeddingError"))
      const second = yield* Workspace.run(ws, into(store, Embedder.hash))
      assert.deepInclude(second, { stored: 5, requests: 0, exit: 0 })
      assert.deepStrictEqual(lengths(store), new Set([1024]))
    })
  )

  it.scopedLive("what concerns every text stops the run, and leaves the rest not attempted", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      const summary = yield* Workspace.run(ws, into(MemorySink.emptyStore(), failing("run")))
      assert.deepInclude(summary, { stored: 0, failed: 0, notAttempted: 5, exit: 2 })
      assert.strictEqual(summary.stopped?.tag, "EmbeddingError")
    })
  )

  it.scopedLive("a changed embedder embeds again from the cache, without a request", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      const store = MemorySink.emptyStore()
      yield* Workspace.run(ws, into(store, Embedder.hash))
      const other = { ...Embedder.hash, digest: "another" }
      assert.deepInclude(yield* Workspace.run(ws, into(store, other)), {
        stored: 5,
        requests: 0,
        fromCache: 5,
        exit: 0
      })
    })
  )
})
