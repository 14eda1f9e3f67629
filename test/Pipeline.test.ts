import { assert, describe, it } from "@effect/vitest"
import { type ChunkSink, mapPrepared, SinkError } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import type * as Discovery from "docsluice/Discovery"
import { type Embedder, none } from "docsluice/Embedder"
import type { Outcome } from "docsluice/Outcome"
import { fromFunction, Parser } from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import { BadRequest, InternalServerError, Unauthorized } from "docsluice/service/ServiceError"
import * as Source from "docsluice/Source"
import { FileUnreadable, UnsupportedFile } from "docsluice/SourceFile"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, FastCheck, Fiber, Layer, Stream, TestClock } from "effect"
import { CurrentRun } from "../src/internal/client/runState.ts"
import { runs } from "./fixtures/seed.ts"
import { around, balance, byLine, collect, file, numbered, parsed, parser, parsing, sink } from "./pipeline/fakes.ts"

const badRequest = new BadRequest({ status: 400, error: "no" })
const unauthorized = new Unauthorized({ status: 401, error: "Unauthorized: Invalid token" })

const deadLetters = Effect.flatMap(DeadLetter.DeadLetter, (letters) => letters.entries)
describe("Pipeline", () => {
  it.effect("stores every document in every sink, and its summary adds up", () =>
    Effect.gen(function* () {
      const [left, right] = [sink({ id: "left" }), sink({ id: "right" })]
      const summary = yield* Pipeline.run({
        source: Stream.fromIterable(numbered(100)),
        chunker: byLine,
        sinks: [left.service, right.service]
      })
      assert.deepInclude(summary, { discovered: 100, stored: 100, parsed: 100, pages: 100, credits: 100, exit: 0 })
      assert.strictEqual(summary.chunks.added, 100)
      assert.deepStrictEqual([left.sources().length, right.sources().length], [100, 100])
      assert.deepStrictEqual([left.finished(), right.finished()], [1, 1])
    }).pipe(Effect.provide(parsing))
  )

  it.effect("ends whatever its numbers are", () =>
    Effect.gen(function* () {
      for (const wrong of [Number.NaN, 0, -1]) {
        const summary = yield* Pipeline.run({
          source: Stream.fromIterable(numbered(20)),
          chunker: byLine,
          sinks: [sink().service],
          concurrency: wrong,
          lookAhead: wrong
        })
        assert.strictEqual(summary.stored, 20)
      }
    }).pipe(Effect.provide(parsing))
  )

  it.effect("fails before any work when two sinks have the same target, or one is in the other's folder", () =>
    Effect.gen(function* () {
      for (const [first, second] of [
        ["memory:a", "memory:a"],
        ["jsonl:/nowhere/out/x.jsonl", "fs:/nowhere/out"]
      ] as const) {
        const asked: Array<string> = []
        const error = yield* Pipeline.run({
          source: Stream.fromIterable(numbered(1)).pipe(Stream.tap(({ path }) => Effect.sync(() => asked.push(path)))),
          chunker: byLine,
          sinks: [first, second].map((id) => sink({ id, prepare: Effect.sync(() => (asked.push(id), null)) }).service)
        }).pipe(Effect.flip)
        assert.deepInclude(error, { _tag: "SinkError", reason: "Unsupported" })
        assert.match(error.message, /the same target|lies in the folder of/)
        assert.deepStrictEqual(asked, [])
      }
    }).pipe(Effect.provide(parsing))
  )

  it.effect("fails the one document for which a parser, a source or an embedder of one's own throws", () =>
    Effect.gen(function* () {
      const boom = (source: string): void => {
        if (source === "3.pdf") throw new Error("boom")
      }
      const files = numbered(10)
      const thrower = yield* fromFunction("thrower", (source) => {
        boom(source.path)
        return Effect.succeed(parsed(source))
      })
      const embedder: Embedder.Service = {
        ...none,
        embed: (chunks) => {
          for (const { source } of chunks) boom(source)
          return Effect.succeed(chunks)
        }
      }
      const parts = { chunker: byLine, source: Source.make({ name: "own", files: Stream.fromIterable(files) }) }
      const open = Stream.suspend(() => {
        boom("3.pdf")
        return Stream.empty
      })
      // Of an unknown fingerprint and of the size that is known: its bytes are read to compare them.
      const odd = files.map((one) => (one.path === "3.pdf" ? Object.assign({ ...one }, { open }) : one))
      const state = { mode: "sync" } as const
      const run = (given: Partial<Parameters<typeof Pipeline.run<never, never, ChunkSink.Removing, "sync">>[0]>) =>
        Effect.flatMap(MemorySink.make(), (memory) => Pipeline.run({ ...parts, sinks: [memory], state, ...given }))
      const first = yield* Effect.provideService(run({}), Parser, thrower)
      const second = yield* run({ embedder, source: Source.make({ name: "other", files: Stream.fromIterable(files) }) })
      yield* run({})
      const third = yield* run({ source: Source.make({ name: "own", files: Stream.fromIterable(odd) }) })
      for (const summary of [first, second, third]) {
        assert.deepInclude(summary, { discovered: 10, failed: 1, notAttempted: 0, exit: 1 })
        assert.deepInclude(summary.failures[0], { source: "3.pdf", tag: "Defect", message: "Error: boom" })
      }
      assert.isTrue([first, second].every(({ stored }) => stored === 9))
    }).pipe(Effect.provide(Layer.merge(State.layerMemory, parsing)))
  )

  const Fate = FastCheck.constantFrom(
    "ok",
    "ok",
    "bad",
    "defect",
    "unchunkable",
    "unstorable",
    "unsupported",
    "unusable"
  )

  it.effect.prop(
    "reports every file once, whatever its outcome, and keeps a dead letter for each failed one",
    [
      FastCheck.array(Fate, { maxLength: 80 }),
      FastCheck.integer({ min: 1, max: 9 }),
      FastCheck.boolean(),
      FastCheck.option(FastCheck.nat(80), { nil: -1 })
    ],
    ([fates, concurrency, ordered, stopAt]) =>
      Effect.gen(function* () {
        const found = fates.map((fate, index): Discovery.Found => {
          const path = `${index}-${fate}.pdf`
          if (fate === "unsupported") return { _tag: "Unsupported", path, extension: "txt" }
          return fate === "unusable"
            ? { _tag: "Unusable", path, error: new UnsupportedFile({ path, extension: "txt" }), folder: false }
            : file(path)
        })
        const store = sink({
          answer: (chunks) =>
            chunks.some((chunk) => chunk.source.includes("unstorable"))
              ? new SinkError({ sink: "memory:", reason: "Rejected", problem: "no" })
              : Effect.void
        })
        const seen: Array<Outcome> = []
        const summary = yield* Pipeline.run({
          source: Stream.rechunk(Stream.fromIterable(found), 7),
          chunker: {
            ...byLine,
            chunk: (document) =>
              document.source.includes("unchunkable") ? Effect.die(new Error("thrown")) : byLine.chunk(document)
          },
          sinks: [store.service],
          concurrency,
          ordered,
          onProgress: ({ outcome }) => Effect.sync(() => void seen.push(outcome))
        })
        assert.strictEqual(balance(summary), fates.length)
        assert.strictEqual(summary.discovered, fates.length)
        assert.strictEqual(summary.failures.length, summary.failed)
        assert.strictEqual(new Set(seen.map((outcome) => outcome.source)).size, fates.length)
        const failed = seen.filter((outcome) => outcome._tag === "Failed").map((outcome) => outcome.source)
        const letters = (yield* deadLetters).map((entry) => entry.source)
        assert.deepStrictEqual(letters.toSorted(), failed.toSorted())
        const stored = seen.filter((outcome) => outcome._tag === "Stored").map((outcome) => outcome.source)
        assert.deepStrictEqual(store.sources().toSorted(), stored.toSorted())
        if (ordered)
          assert.deepStrictEqual(
            seen.map((outcome) => outcome.source),
            found.map((item) => item.path)
          )
        const stopped = stopAt >= 0 && stopAt < fates.length && !/^un(usable|supported)/.test(fates[stopAt] ?? "")
        assert.strictEqual(summary.exit, stopped ? 2 : failed.length > 0 ? 1 : 0)
        assert.strictEqual(summary.stopped?.tag, stopped ? "Unauthorized" : undefined)
        if (!stopped) {
          assert.strictEqual(summary.notAttempted, 0)
          assert.strictEqual(stored.length, fates.filter((fate) => fate === "ok").length)
        } else {
          assert.isFalse(letters.includes(found[stopAt]?.path ?? ""))
        }
      }).pipe(
        Effect.provide(
          around(
            parser((source) => {
              if (source.path.startsWith(`${stopAt}-`)) return Effect.fail(unauthorized)
              if (source.path.includes("bad")) return Effect.fail(badRequest)
              if (source.path.includes("defect")) return Effect.die(new Error("thrown"))
              return Effect.zipRight(Effect.yieldNow(), Effect.succeed(parsed(source)))
            })
          )
        )
      ),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect("stores and reports in the order of the source when ordered, whatever finishes first", () =>
    Effect.gen(function* () {
      const store = sink()
      const files = numbered(40)
      const fiber = yield* collect(
        Pipeline.outcomes({
          source: Stream.fromIterable(files),
          chunker: byLine,
          sinks: [store.service],
          concurrency: 10,
          ordered: true
        })
      ).pipe(Effect.fork)
      yield* TestClock.adjust("1 minute")
      const seen = yield* Fiber.join(fiber)
      const expected = files.map((source) => source.path)
      assert.deepStrictEqual(
        seen.map((outcome) => outcome.source),
        expected
      )
      assert.deepStrictEqual(store.sources(), expected)
    }).pipe(
      Effect.provide(
        around(
          parser((source) => Effect.delay(Effect.succeed(parsed(source)), 1000 - 20 * Number.parseInt(source.path, 10)))
        )
      )
    )
  )

  it.effect("calls a sink one at a time and puts waiting documents into one batch, up to its limits", () =>
    Effect.gen(function* () {
      const store = sink({ maxCount: 10, answer: () => Effect.sleep("100 millis") })
      const fiber = yield* Pipeline.run({
        source: Stream.fromIterable(numbered(100)),
        chunker: byLine,
        sinks: [store.service],
        concurrency: 64
      }).pipe(Effect.fork)
      yield* TestClock.adjust("1 minute")
      const summary = yield* Fiber.join(fiber)
      assert.strictEqual(summary.stored, 100)
      assert.strictEqual(store.most(), 1)
      assert.isAtMost(Math.max(...store.batches.map((batch) => batch.length)), 10)
      assert.isAtMost(store.batches.length, 20)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("replaces documents one by one in a sink that can", () =>
    Effect.gen(function* () {
      const replaced: Array<string> = []
      const store = sink()
      yield* Pipeline.run({
        source: Stream.make(file("a.pdf"), file("b.pdf")),
        chunker: byLine,
        sinks: [
          mapPrepared(store.service, (prepared) => ({
            ...prepared,
            replace: (documentId, chunks) => Effect.sync(() => void replaced.push(`${documentId} ${chunks.length}`))
          }))
        ],
        ordered: true
      })
      assert.deepStrictEqual(replaced, ["test/a.pdf 1", "test/b.pdf 1"])
      assert.strictEqual(store.batches.length, 0)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("counts the requests of a document and of the run", () =>
    Effect.gen(function* () {
      const summary = yield* Pipeline.run({
        source: Stream.make(file("a.pdf"), file("b.pdf")),
        chunker: byLine,
        sinks: []
      })
      assert.deepInclude(summary, { requests: 6, retries: 4, failed: 2, exit: 1 })
      assert.deepStrictEqual(
        (yield* deadLetters).map((entry) => entry.attempts),
        [3, 3]
      )
      assert.isTrue(summary.failures.every((failure) => failure.retryable))
    }).pipe(
      Effect.provide(
        around(
          parser(() =>
            Effect.gen(function* () {
              const run = yield* CurrentRun
              for (let attempt = 0; attempt < 3; attempt++) {
                if (run !== null) {
                  run.counters.requests += 1
                  run.counters.retries += attempt > 0 ? 1 : 0
                }
                yield* Effect.yieldNow()
              }
              return yield* new InternalServerError({ status: 500, error: "oops" })
            })
          )
        )
      )
    )
  )

  it.effect("holds no more bytes than allowed, except for one document that alone needs more", () =>
    Effect.gen(function* () {
      let inFlight = 0
      let most = 0
      const store = sink({
        answer: (chunks) =>
          Effect.zipRight(
            Effect.sleep("1 second"),
            Effect.sync(() => (inFlight -= new Set(chunks.map((chunk) => chunk.source)).size))
          )
      })
      const big = "x".repeat(200_000)
      const fiber = yield* Pipeline.run({
        source: Stream.fromIterable(numbered(60)),
        chunker: byLine,
        sinks: [store.service],
        concurrency: 32,
        maxBytesInFlight: 4_000_000
      }).pipe(
        Effect.provide(
          around(
            parser((source) =>
              Effect.delay(
                Effect.sync(() => {
                  inFlight += 1
                  most = Math.max(most, inFlight)
                  return parsed(source, big)
                }),
                "10 millis"
              )
            )
          )
        ),
        Effect.fork
      )
      yield* TestClock.adjust("5 minutes")
      const summary = yield* Fiber.join(fiber)
      assert.strictEqual(summary.stored, 60)
      // An answer takes 400 kB and its chunk the same; the first reservations are estimates.
      assert.isAtMost(most, 16)
    })
  )

  it.effect("keeps no dead letter for a folder, and removes that of a document that succeeds", () =>
    Effect.gen(function* () {
      const letters = yield* DeadLetter.DeadLetter
      const store = sink()
      const locked: Discovery.Unusable = {
        _tag: "Unusable",
        path: "locked",
        error: new FileUnreadable({ path: "locked", reason: "PermissionDenied" }),
        folder: true
      }
      const gone: Discovery.Unusable = { ...locked, path: "a.pdf", folder: false }
      const options = { chunker: byLine, sinks: [store.service] }
      const first = yield* Pipeline.run({ ...options, source: Stream.make(locked, gone) })
      assert.deepInclude(first, { discovered: 2, failed: 2, exit: 1 })
      assert.deepStrictEqual(
        (yield* letters.entries).map((entry) => entry.source),
        ["a.pdf"]
      )
      yield* Pipeline.run({ ...options, source: Stream.make(file("a.pdf")) })
      assert.deepStrictEqual(yield* letters.entries, [])
    }).pipe(Effect.provide(parsing))
  )

  it.effect("reports its progress after every file", () =>
    Effect.gen(function* () {
      const seen: Array<Pipeline.Progress> = []
      yield* Pipeline.run({
        source: Stream.fromIterable(numbered(30)),
        chunker: byLine,
        sinks: [sink().service],
        onProgress: (progress) => Effect.sync(() => void seen.push(progress))
      })
      assert.deepStrictEqual(
        seen.map((progress) => progress.finished),
        Array.from({ length: 30 }, (_, index) => index + 1)
      )
      assert.deepInclude(seen.at(-1), { discovered: 30, complete: true })
    }).pipe(Effect.provide(parsing))
  )
})
