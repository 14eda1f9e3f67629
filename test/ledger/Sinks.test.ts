import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type ChunkSink, mapPrepared, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect } from "effect"
import { notReplacing } from "../fixtures/notReplacing.ts"
import * as Workspace from "./workspace.ts"

const unavailable = new SinkError({ sink: "memory:", reason: "Unavailable", problem: "it is not there" })

/** A sink over a store that is kept, which writes down what it was given, and may be away. */
const observed = (store: MemorySink.Store, options: { away?: boolean; bad?: string; replaces?: boolean } = {}) => {
  const written: Array<string> = []
  const seen = (chunks: ReadonlyArray<DocumentChunk>) =>
    Effect.suspend(() => {
      if (options.away === true) return unavailable
      if (chunks.some((chunk) => chunk.source === options.bad)) {
        return new SinkError({ sink: "memory:", reason: "Rejected", problem: "not this one" })
      }
      written.push(...new Set(chunks.map((chunk) => chunk.source)))
      return Effect.void
    })
  const sink = Effect.map(MemorySink.make(store), (own) =>
    mapPrepared(options.replaces === true ? own : notReplacing(own), ({ replace, ...rest }): ChunkSink.Prepared => ({
      ...rest,
      write: (batch) => Effect.zipRight(seen(batch), rest.write(batch)),
      ...(replace && options.replaces === true
        ? { replace: (id, chunks) => Effect.zipRight(seen(chunks), replace(id, chunks)) }
        : {})
    }))
  )
  return { sink, written, options }
}

const ids = (store: MemorySink.Store) => [...store.chunks.keys()].toSorted()

describe("sinks of a run with a ledger", () => {
  it.scopedLive("an outage loses nothing: the next run writes the missing documents without a request", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(6)
      const store = MemorySink.emptyStore()
      const away = observed(store, { away: true })
      // One at a time, so that each document is a call of its own: three of them give the sink up.
      const first = yield* Workspace.run(ws, { sinks: [away.sink], change: (run) => ({ ...run, concurrency: 1 }) })
      assert.deepInclude(first, { stored: 0, exit: 2 })
      assert.strictEqual(first.stopped?.tag, "SinkError")
      assert.strictEqual(first.failed + first.notAttempted, 6)
      const again = yield* Workspace.run(ws, { sinks: [observed(store).sink] })
      assert.deepInclude(again, { stored: 6, failed: 0, exit: 0 })
      assert.strictEqual(first.requests + again.requests, 6)
      assert.deepStrictEqual(ids(store), yield* Workspace.wanted(ws))
      assert.strictEqual(yield* Workspace.letters(ws), "")
    })
  )

  it.scopedLive("one sink of two that is down fails its documents, and the next run writes only there", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(8)
      const store = MemorySink.emptyStore()
      const first = yield* Workspace.run(ws, {
        sinks: [Workspace.jsonl(ws), observed(store, { away: true }).sink]
      })
      assert.deepInclude(first, { stored: 0, failed: 8, parsed: 8, requests: 8, exit: 1 })
      assert.strictEqual(first.failures[0]?.tag, "SinkError")
      assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      const back = observed(store)
      const left = observed(MemorySink.emptyStore())
      const again = yield* Workspace.run(ws, { sinks: [Workspace.jsonl(ws), back.sink] })
      assert.deepInclude(again, { stored: 8, requests: 0, fromCache: 8, exit: 0 })
      assert.strictEqual(back.written.length, 8)
      assert.deepStrictEqual(left.written, [])
      assert.deepStrictEqual(ids(store), yield* Workspace.wanted(ws))
      assert.deepStrictEqual(Workspace.inFile(ws), yield* Workspace.wanted(ws))
      const third = yield* Workspace.run(ws, { sinks: [Workspace.jsonl(ws), observed(store).sink] })
      assert.deepInclude(third, { unchanged: 8, requests: 0, exit: 0 })
    })
  )

  it.scopedLive("a sink that acknowledged a generation is not given it again", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      const [left, right] = [MemorySink.emptyStore(), MemorySink.emptyStore()]
      const named = (sink: ReturnType<typeof observed>, id: string) =>
        Effect.map(sink.sink, (service): ChunkSink.Service => ({ ...service, id }))
      const [l, r] = [observed(left), observed(right, { bad: "1/1.pdf" })]
      const first = yield* Workspace.run(ws, { sinks: [named(l, "left"), named(r, "right")] })
      assert.deepInclude(first, { stored: 4, failed: 1, exit: 1 })
      r.options.bad = ""
      l.written.length = 0
      r.written.length = 0
      const again = yield* Workspace.run(ws, { sinks: [named(l, "left"), named(r, "right")] })
      assert.deepInclude(again, { stored: 1, unchanged: 4, requests: 0, exit: 0 })
      assert.deepStrictEqual([l.written, r.written], [[], ["1/1.pdf"]])
      assert.deepStrictEqual([ids(left), ids(right)], [ids(left), ids(left)])
    })
  )

  it.scopedLive("a sink that is unavailable from the start gets everything once it is back", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(4)
      const store = MemorySink.emptyStore()
      const away = Effect.map(MemorySink.make(store), (sink) => ({ ...sink, prepare: () => Effect.fail(unavailable) }))
      const first = yield* Workspace.run(ws, { sinks: [Workspace.jsonl(ws), away] })
      assert.deepInclude(first, { failed: 4, requests: 4, exit: 1 })
      const second = yield* Workspace.run(ws, { sinks: [Workspace.jsonl(ws), away] })
      assert.deepInclude(second, { requests: 0, exit: 1 })
      const back = yield* Workspace.run(ws, { sinks: [Workspace.jsonl(ws), observed(store).sink] })
      assert.deepInclude(back, { stored: 4, requests: 0, exit: 0 })
      assert.deepStrictEqual(ids(store), yield* Workspace.wanted(ws))
    })
  )

  it.scopedLive("a new target is filled from the cache, next to one that has everything", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(5)
      yield* Workspace.run(ws)
      const folder = Filesystem.make({ directory: join(ws.directory, "tree") }).pipe(Effect.provide(NodeContext.layer))
      const summary = yield* Workspace.run(ws, { sinks: [Workspace.jsonl(ws), folder] })
      assert.deepInclude(summary, { stored: 5, requests: 0, fromCache: 5, exit: 0 })
      assert.deepInclude(yield* Workspace.run(ws, { sinks: [Workspace.jsonl(ws), folder] }), { unchanged: 5 })
    })
  )

  it.scopedLive("documents are replaced in one step where the sink can, else written before the old chunks go", () =>
    Effect.gen(function* () {
      for (const replaces of [true, false]) {
        const ws = yield* Workspace.make(4)
        const store = MemorySink.emptyStore()
        const calls: Array<string> = []
        const recorded = (call: string) => Effect.sync(() => void calls.push(call))
        const sink = Effect.map(
          observed(store, { replaces }).sink,
          mapPrepared((prepared): ChunkSink.Prepared => {
            const { remove, replace } = prepared
            return {
              ...prepared,
              write: (batch) => Effect.zipRight(recorded("write"), prepared.write(batch)),
              ...(remove && { remove: (gone) => Effect.zipRight(recorded("remove"), remove(gone)) }),
              ...(replace && { replace: (id, chunks) => Effect.zipRight(recorded("replace"), replace(id, chunks)) })
            }
          })
        )
        yield* Workspace.run(ws, { sinks: [sink] })
        ws.write("0/0.pdf", "another text")
        yield* Workspace.settle
        calls.length = 0
        const summary = yield* Workspace.run(ws, { sinks: [sink] })
        assert.deepInclude(summary, { stored: 1, unchanged: 3, exit: 0 })
        assert.deepStrictEqual(calls, replaces ? ["replace"] : ["write", "remove"])
        assert.deepStrictEqual(ids(store), yield* Workspace.wanted(ws))
      }
    })
  )

  it.scopedLive("old chunks that a sink would not remove go in the next run", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(3)
      const store = MemorySink.emptyStore()
      const stubborn = Effect.map(
        observed(store).sink,
        mapPrepared((prepared) => ({ ...prepared, remove: () => Effect.fail(unavailable) }))
      )
      yield* Workspace.run(ws, { sinks: [stubborn] })
      ws.write("0/0.pdf", "another text")
      yield* Workspace.settle
      const summary = yield* Workspace.run(ws, { sinks: [stubborn] })
      assert.deepInclude(summary, { stored: 1, exit: 0 })
      assert.match(summary.warnings[0]?.message ?? "", /former chunks stay until the next run/)
      assert.isAbove(store.chunks.size, (yield* Workspace.wanted(ws)).length)
      assert.deepInclude(yield* Workspace.run(ws, { sinks: [observed(store).sink] }), { unchanged: 3, requests: 0 })
      assert.deepStrictEqual(ids(store), yield* Workspace.wanted(ws))
    })
  )
})
