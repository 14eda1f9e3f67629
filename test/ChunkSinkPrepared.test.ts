import { assert, describe, it } from "@effect/vitest"
import * as ChunkSink from "docsluice/ChunkSink"
import { DocumentId } from "docsluice/SourceFile"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, Scope, Stream } from "effect"
import { chunk, generation } from "./fixtures/sinkChunks.ts"

const five = generation("a.md", "g", 5)
const ids = five.map(({ id }) => id)
const space: ChunkSink.EmbeddingSpace = { model: "two", dimensions: 2, normalized: true, metric: "cosine" }
const embedded = five.map((one) => chunk(one.source, one.index, { id: one.id, embedding: [1, 0] }))

describe("a prepared sink", () => {
  it.effect("refuses to write to a store that was cleared, closed or prepared in another space since", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const refused = (store: ChunkSink.ChunkSink.Prepared) =>
        Effect.gen(function* () {
          const before = written.length
          const calls = [store.write(five), store.remove?.(ids), store.replace?.(DocumentId.make("root/a.md"), five)]
          for (const call of calls) {
            const { problem, reason } = yield* Effect.flip(call ?? Effect.void)
            assert.deepEqual([reason, problem.slice(0, 34)], ["Mismatch", "its store is not open any more: it"])
          }
          yield* store.finish
          assert.lengthOf(written, before)
        })
      const closed = yield* Effect.scoped(
        Effect.gen(function* () {
          const scope = yield* Effect.scope
          const sink = yield* ChunkSink.make({
            id: "closed:",
            name: "closed",
            open: () => Effect.as(Scope.addFinalizer(scope, Effect.void), "handle"),
            write: (_, batch) => Effect.sync(() => void written.push(...batch.map(({ id }) => id))),
            remove: () => Effect.void,
            replaceAll: () => Effect.void,
            finish: () => Effect.sync(() => void written.push("finish")),
            clear: Effect.void
          })
          const first = yield* sink.prepare(null)
          yield* first.write(five)
          yield* sink.clear ?? Effect.void
          yield* refused(first)
          const second = yield* sink.prepare(null)
          yield* second.write(five)
          yield* refused(first)
          const third = yield* sink.prepare(space)
          yield* refused(second)
          yield* third.write(embedded)
          yield* sink.prepare(null)
          yield* refused(third)
          return yield* sink.prepare(space)
        })
      )
      yield* refused(closed)
    })
  )

  it.effect("lets two write that prepared it for one store and one space, and only these", () =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const sink = yield* MemorySink.make(store)
      const first = yield* sink.prepare(space)
      const second = yield* sink.prepare(space)
      yield* first.write(embedded.slice(0, 2))
      yield* second.write(embedded.slice(2))
      assert.lengthOf([...store.chunks], 5)
      store.chunks.clear()
      store.stamp = null
      const third = yield* sink.prepare(space)
      assert.notDeepEqual(third.storeId, first.storeId)
      assert.strictEqual((yield* Effect.flip(second.write(embedded))).reason, "Mismatch")
      yield* third.write(embedded)
      assert.lengthOf([...store.chunks], 5)
    })
  )

  it.effect("says where it has no store to read before it is prepared", () =>
    Effect.gen(function* () {
      const sink = yield* ChunkSink.make({
        id: "unread:",
        name: "unread",
        open: () => Effect.succeed(null),
        write: () => Effect.void,
        count: () => Effect.succeed(0)
      })
      const count = sink.count ?? Effect.die("it cannot count")
      assert.deepInclude(yield* Effect.flip(count), {
        reason: "Rejected",
        problem: "it cannot be read before it is prepared: call `prepare` first"
      })
      yield* sink.prepare(null)
      assert.strictEqual(yield* count, 0)
    })
  )

  it.effect("toSink only writes to a sink that is prepared, in its space", () =>
    Effect.gen(function* () {
      const spaces: Array<ChunkSink.EmbeddingSpace | null> = []
      let finished = 0
      const sink = yield* ChunkSink.make({
        id: "spaces:memory",
        name: "spaces",
        vectors: "required",
        open: (opening) => Effect.sync(() => spaces.push(opening.space)),
        write: () => Effect.void,
        finish: () => Effect.sync(() => void (finished += 1))
      })
      const prepared = yield* sink.prepare(space)
      assert.strictEqual(yield* Stream.run(Stream.fromIterable(embedded), ChunkSink.toSink(prepared)), 5)
      assert.deepEqual([spaces, finished], [[space], 0])
      yield* Stream.run(Stream.fromIterable(five), ChunkSink.toSink(sink))
      assert.deepEqual([spaces, finished], [[space, null], 2])
    })
  )

  it.effect("toSink fails for a store with vectors where no space is given", () =>
    Effect.gen(function* () {
      const sink = yield* MemorySink.make()
      yield* Stream.run(Stream.fromIterable(embedded), ChunkSink.toSink({ space })(sink))
      const refused = yield* Effect.flip(Stream.run(Stream.fromIterable(five), ChunkSink.toSink(sink)))
      assert.deepInclude(refused, { reason: "Mismatch" })
    })
  )
})
