import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ChunkSink from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import type { Condition, Filter } from "docsluice/Filter"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import { DocumentId } from "docsluice/SourceFile"
import { Chunk, Effect, Fiber, Option, Ref, Stream, Struct, TestClock } from "effect"
import { chunk, generation } from "./fixtures/sinkChunks.ts"

/** A sink that records its calls and fails as scripted. */
const recorder = (options: {
  readonly limits?: Partial<ChunkSink.Limits>
  readonly fails?: (batch: ReadonlyArray<DocumentChunk>, call: number) => ChunkSink.SinkError["reason"] | null
}) =>
  Effect.gen(function* () {
    const calls = yield* Ref.make<ReadonlyArray<ReadonlyArray<string>>>([])
    const sink = yield* ChunkSink.make({
      id: "recorder:memory",
      name: "recorder",
      limits: options.limits,
      open: () => Effect.succeed(null),
      write: (_, batch) =>
        Effect.gen(function* () {
          const before = yield* Ref.getAndUpdate(calls, (all) => [...all, batch.map(({ id }) => id)])
          const reason = options.fails?.(batch, before.length) ?? null
          if (reason !== null) {
            return yield* new ChunkSink.SinkError({ sink: "recorder:memory", reason, problem: "as told" })
          }
          return undefined
        }),
      remove: (_, ids) => Ref.update(calls, (all) => [...all, ids]),
      replaceAll: (_, documents) =>
        Ref.update(calls, (all) => [...all, documents.flatMap(({ chunks }) => chunks.map(({ id }) => id))])
    })
    return { sink, prepared: yield* sink.prepare(null), calls: Ref.get(calls) }
  })

const five = generation("a.md", "g", 5)
const space: ChunkSink.EmbeddingSpace = { model: "two", dimensions: 2, normalized: true, metric: "cosine" }
const embedded = five.map((one) => chunk(one.source, one.index, { id: one.id, embedding: [1, 0] }))
const ids = (chunks: ReadonlyArray<DocumentChunk>) => chunks.map(({ id }) => id)

describe("make", () => {
  it.effect("splits a batch by count, in order, and does not call the engine for an empty one", () =>
    Effect.gen(function* () {
      const { prepared, calls } = yield* recorder({ limits: { maxCount: 2 } })
      yield* prepared.write(five)
      yield* prepared.write([])
      assert.deepEqual(yield* calls, [ids(five.slice(0, 2)), ids(five.slice(2, 4)), ids(five.slice(4))])
    })
  )

  it.effect("splits a batch by bytes, and gives a chunk above the limit alone", () =>
    Effect.gen(function* () {
      const big = chunk("big.md", 0, { text: "x".repeat(5000) })
      const { prepared, calls } = yield* recorder({ limits: { maxBytes: 2000 } })
      yield* prepared.write([...five.slice(0, 2), big, ...five.slice(2, 4)])
      assert.deepEqual(yield* calls, [ids(five.slice(0, 2)), [big.id], ids(five.slice(2, 4))])
    })
  )

  it.effect("halves a batch that the engine calls too large, down to one chunk, and fails naming that chunk", () =>
    Effect.gen(function* () {
      const { prepared, calls } = yield* recorder({ fails: (batch) => (batch.length > 2 ? "TooLarge" : null) })
      yield* prepared.write(five)
      assert.deepEqual((yield* calls).filter((call) => call.length <= 2).flat(), ids(five))
      const stubborn = yield* recorder({
        fails: (batch) => (batch.includes(five[3] ?? chunk("", 0)) ? "TooLarge" : null)
      })
      assert.strictEqual((yield* Effect.flip(stubborn.prepared.write(five))).reason, "TooLarge")
      assert.deepEqual((yield* stubborn.calls).at(-1), ids(five.slice(3, 4)))
    })
  )

  it.effect("derives the sink's capabilities from the primitives that its author wrote", () =>
    Effect.gen(function* () {
      const { sink } = yield* recorder({})
      assert.deepEqual(sink.capabilities, {
        remove: true,
        replace: true,
        list: false,
        search: false,
        filter: [],
        stamp: false
      })
      assert.isUndefined(sink.list)
    })
  )

  it.effect("gives a search its filter as a condition, and refuses others before anything is opened", () =>
    Effect.gen(function* () {
      const asked: Array<ChunkSink.CheckedQuery> = []
      let opened = 0
      const open = Effect.sync(() => (opened += 1))
      const sink = yield* ChunkSink.make({
        id: "filtered:",
        name: "filtered",
        filter: ["eq", "in"],
        open: () => open,
        read: () => open,
        inspect: Effect.succeed({ _tag: "Unstamped", chunks: [chunk("a.md", 0)] }),
        write: () => Effect.void,
        search: (_, query) =>
          Effect.sync(() => {
            asked.push(query)
            return []
          })
      })
      const refusal = (filter: Filter) =>
        Effect.map(
          Effect.flip(sink.search?.({ text: "a", limit: 1, filter }) ?? Effect.void),
          ({ problem, reason }) => [reason, problem]
        )
      assert.deepEqual(yield* refusal({ $or: [{ page: 1 }, { page: { $in: [2, Number.NaN] } }] }), [
        "Rejected",
        "filter.$or[1].page.$in[1]: NaN is no value here; a number must be finite"
      ])
      assert.deepEqual(yield* refusal({ page: 1, source: "a.md" }), [
        "Unsupported",
        "filter: this store has no $and; it has $eq, $in"
      ])
      assert.strictEqual(opened, 0)
      for (const filter of [undefined, {}, { page: 1 }]) {
        yield* sink.search?.({ text: "a", limit: 1, filter }) ?? Effect.void
      }
      const page: Condition = { _tag: "In", subject: { name: "page" }, texts: [], numbers: [1], booleans: [] }
      // The hits by which each is judged.
      assert.deepEqual(asked, [
        { text: "a", limit: 40 },
        { text: "a", limit: 40 },
        { text: "a", limit: 40, filter: page }
      ])
      const unable = yield* Effect.flip(
        (yield* ChunkSink.make({
          id: "plain:",
          name: "plain",
          open: () => open,
          write: () => Effect.void,
          search: () => Effect.succeed([])
        })).search?.({ text: "a", limit: 1, filter: { page: 1 } }) ?? Effect.void
      )
      assert.match(unable?.message ?? "", /cannot filter; search without a filter/u)
    })
  )

  it.effect("says by its type whether it can remove, and takes no operation that it does not know", () =>
    Effect.gen(function* () {
      const operations = { id: "typed:", name: "typed", open: () => Effect.succeed(0), write: () => Effect.void }
      const appending = yield* ChunkSink.make(operations)
      const absent: undefined = (yield* appending.prepare(null)).remove
      assert.isUndefined(absent)
      const removing = yield* ChunkSink.make({
        ...operations,
        remove: (count, ids) => Effect.succeed(count + ids.length)
      })
      const preparedRemoving = yield* removing.prepare(null)
      yield* preparedRemoving.remove(ids(five))
      // @ts-expect-error an operation is spelled as the definition has it
      yield* ChunkSink.make({ ...operations, removes: () => Effect.void })
    })
  )

  it.scoped("opens one handle at a time, and puts in order what was changed before it closes it", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const say = (word: string) => Effect.sync(() => void said.push(word))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sink = yield* ChunkSink.make({
            id: "handles:",
            name: "handles",
            open: () => Effect.acquireRelease(say("open"), () => say("close")),
            write: () => say("write"),
            finish: () => say("finish")
          })
          const prepared = yield* sink.prepare(null)
          yield* sink.prepare(null)
          yield* prepared.write(five)
          yield* sink.prepare(null)
          yield* prepared.write(five)
        })
      )
      assert.strictEqual(said.join(" "), "open close open write finish close open write finish close")
    })
  )

  it.effect("calls the engine one at a time", () =>
    Effect.gen(function* () {
      let running = 0
      let most = 0
      const sink = yield* ChunkSink.make({
        id: "slow:memory",
        name: "slow",
        open: () => Effect.succeed(null),
        write: () =>
          Effect.gen(function* () {
            running += 1
            most = Math.max(most, running)
            yield* Effect.yieldNow()
            running -= 1
          })
      })
      const prepared = yield* sink.prepare(null)
      yield* Effect.forEach(five, (one) => prepared.write([one]), { concurrency: 5, discard: true })
      assert.strictEqual(most, 1)
    })
  )

  it.effect("refuses a vector that is not finite before the engine sees it", () =>
    Effect.gen(function* () {
      const { prepared, calls } = yield* recorder({})
      const error = yield* Effect.flip(prepared.write([chunk("a.md", 0, { embedding: [0, Number.NaN] })]))
      assert.strictEqual(error.reason, "Rejected")
      assert.include(error.message, "embedding")
      assert.deepEqual(yield* calls, [])
    })
  )

  it.effect(
    "refuses metadata that are not flat before the engine sees them, and names sink, chunk, document and field",
    () =>
      Effect.gen(function* () {
        const { sink, prepared, calls } = yield* recorder({})
        const bad = new DocumentChunk({ ...chunk("a.md", 1), metadata: JSON.parse('{"by":{"name":"x"}}') }, true)
        const batch = [chunk("a.md", 0), bad]
        for (const call of [
          prepared.write(batch),
          prepared.replace?.(bad.documentId, batch) ?? Effect.void,
          Effect.flatMap(ChunkSink.mapChunks(sink, () => bad).prepare(null), ({ write }) => write([chunk("a.md", 0)]))
        ]) {
          const error = yield* Effect.flip(call)
          assert.deepInclude(error, { sink: "recorder:memory", reason: "Rejected" })
          assert.include(error.message, "chunk a.md:1 of root/a.md: metadata.by is an object instead of a string")
        }
        assert.deepEqual(yield* calls, [])
      })
  )
})

describe("combinators", () => {
  it.effect("retrying repeats what was unavailable, with growing delays, and nothing else", () =>
    Effect.gen(function* () {
      const { sink, calls } = yield* recorder({ fails: (_, call) => (call < 2 ? "Unavailable" : null) })
      const { write } = yield* ChunkSink.retrying(sink, { base: "1 second" }).prepare(null)
      const fiber = yield* Effect.fork(write(five))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual((yield* calls).length, 3)
      const refusing = yield* recorder({ fails: () => "Rejected" })
      yield* Effect.flip(refusing.prepared.write(five))
      assert.strictEqual((yield* refusing.calls).length, 1)
    })
  )

  it.effect("retrying gives up after the given number of attempts", () =>
    Effect.gen(function* () {
      const { sink, calls } = yield* recorder({ fails: () => "Unavailable" })
      const { write } = yield* ChunkSink.retrying({ attempts: 3 })(sink).prepare(null)
      const fiber = yield* write(five).pipe(Effect.flip, Effect.fork)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber)).reason, "Unavailable")
      assert.strictEqual((yield* calls).length, 3)
    })
  )

  it.effect("tee writes to both sinks and supports only what both support", () =>
    Effect.gen(function* () {
      const left = yield* recorder({})
      const right = yield* recorder({ limits: { maxCount: 3 } })
      const both = ChunkSink.tee(left.sink, right.sink)
      const prepared = yield* both.prepare(null)
      yield* prepared.write(five)
      assert.deepEqual((yield* left.calls).flat(), ids(five))
      assert.deepEqual((yield* right.calls).flat(), ids(five))
      assert.strictEqual(both.limits.maxCount, 3)
      assert.isDefined(prepared.replace)
    })
  )

  it.effect("mapPrepared is refused where it leaves out a call that the capabilities promise", () =>
    Effect.gen(function* () {
      const { sink } = yield* recorder({})
      for (const call of ["remove", "replace"] as const) {
        const without = ChunkSink.mapPrepared((prepared: ChunkSink.ChunkSink.Prepared): ChunkSink.ChunkSink.Prepared =>
          Struct.omit(prepared, call)
        )
        assert.deepInclude(yield* Effect.flip(without(sink).prepare(null)), { reason: "Unsupported" })
        const capabilities = { ...sink.capabilities, [call]: false }
        assert.notProperty(yield* without({ ...sink, capabilities }).prepare(null), call)
      }
    })
  )

  it.effect("mapChunks changes what is written and what replaces", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const sink = yield* ChunkSink.make({
        id: "texts:memory",
        name: "texts",
        open: () => Effect.succeed(null),
        write: (_, batch) => Effect.sync(() => void seen.push(...batch.map(({ text }) => text))),
        replaceAll: (_, documents) =>
          Effect.sync(() => void seen.push(...documents.flatMap(({ chunks }) => chunks.map(({ text }) => text))))
      })
      const short = yield* ChunkSink.mapChunks(sink, (one) =>
        chunk(one.source, one.index, { id: one.id, text: "short" })
      ).prepare(null)
      yield* short.write(five.slice(0, 1))
      yield* short.replace?.(DocumentId.make("root/a.md"), five.slice(0, 2)) ?? Effect.void
      assert.deepEqual(seen, ["short", "short", "short"])
    })
  )

  it.effect("toSink stores a stream and counts it", () =>
    Effect.gen(function* () {
      const { sink, calls } = yield* recorder({})
      const count = yield* Stream.fromIterable(five).pipe(Stream.rechunk(2), Stream.run(ChunkSink.toSink(sink)))
      assert.strictEqual(count, 5)
      assert.deepEqual((yield* calls).flat(), ids(five))
    })
  )

  it.scoped("toSink prepares the sink, in the space of the vectors, and finishes it", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const lines = yield* Jsonl.make({ file: `${folder}/chunks.jsonl` })
      const left = yield* Jsonl.make({ file: `${folder}/left.jsonl` })
      const right = yield* LibSql.make({ file: `${folder}/right.db` })
      const store = yield* LibSql.make({ file: `${folder}/vectors.db` })
      const kept = (sink: ChunkSink.ChunkSink.Service, options?: { readonly space: ChunkSink.EmbeddingSpace }) =>
        Stream.run(Stream.fromIterable(options === undefined ? five : embedded), ChunkSink.toSink(sink, options))

      assert.strictEqual(yield* kept(lines), 5)
      assert.strictEqual(yield* kept(ChunkSink.tee(left, right)), 5)
      assert.strictEqual(yield* kept(store, { space }), 5)
      assert.deepEqual(
        yield* Effect.forEach([lines, left, right, store], (sink) => Stream.runCount(sink.list ?? Stream.empty)),
        [5, 5, 5, 5]
      )
      assert.deepEqual(yield* ChunkSink.stampedSpace(store), Option.some(space))
      assert.deepInclude(yield* Effect.flip(kept(store, { space: { ...space, dimensions: 3 } })), {
        reason: "Mismatch"
      })
      assert.strictEqual(yield* kept(store, { space }), 5)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("batches", () => {
  it.effect("groups whole documents up to the limits, in order", () =>
    Effect.gen(function* () {
      const documents = [3, 4, 2, 9, 1].map((count, at) => generation(`${at}.md`, "g", count))
      const batches = yield* Stream.fromIterable(documents).pipe(
        ChunkSink.batches({ limits: { maxCount: 7, maxBytes: 1e9 }, delay: "1 second" }),
        Stream.runCollect
      )
      assert.deepEqual(
        Chunk.toReadonlyArray(batches).map((batch) => batch.map((document) => document.length)),
        [[3, 4], [2], [9], [1]]
      )
      assert.deepEqual(Chunk.toReadonlyArray(batches).flat(2), documents.flat())
    })
  )

  it.effect("does not let a document wait longer than the delay", () =>
    Effect.gen(function* () {
      const fiber = yield* Stream.concat(Stream.make(five), Stream.never).pipe(
        ChunkSink.batches({ limits: { maxCount: 100, maxBytes: 1e9 }, delay: "1 second" }),
        Stream.take(1),
        Stream.runCollect,
        Effect.fork
      )
      yield* TestClock.adjust("900 millis")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("200 millis")
      assert.deepEqual(Chunk.toReadonlyArray(yield* Fiber.join(fiber)), [[five]])
    })
  )
})
