import { assert, describe, it } from "@effect/vitest"
import { mapPrepared, SinkError } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import { none } from "docsluice/Embedder"
import { layerFunction } from "docsluice/Parser"
import { RunStopped } from "docsluice/Pipeline"
import * as Pipeline from "docsluice/Pipeline"
import { BadRequest, PaymentRequired, Unauthorized } from "docsluice/service/ServiceError"
import { rootOf } from "docsluice/SourceFile"
import { Deferred, Effect, Exit, Fiber, Logger, Schema, Stream, TestClock } from "effect"
import { around, balance, byLine, collect, file, numbered, parsed, parser, parsing, sink } from "./pipeline/fakes.ts"

class NoLicence extends Schema.TaggedError<NoLicence>("NoLicence")("NoLicence", { seats: Schema.Int }) {
  override get message(): string {
    return `${this.seats} seats are taken`
  }
}

const pay = new PaymentRequired({ status: 402, error: "pay" })
const badRequest = new BadRequest({ status: 400, error: "no" })
const unauthorized = new Unauthorized({ status: 401, error: "Unauthorized: Invalid token" })
const unavailable = (id: string) => new SinkError({ sink: id, reason: "Unavailable", problem: "gone" })

const deadLetters = Effect.flatMap(DeadLetter.DeadLetter, (letters) => letters.entries)
describe("Pipeline, when it stops", () => {
  it.effect("stops at an answer that concerns the run: finishes what is in flight, and accounts for the rest", () =>
    Effect.gen(function* () {
      const store = sink()
      let asked = 0
      const summary = yield* Pipeline.run({
        source: Stream.rechunk(Stream.fromIterable(numbered(1000)), 50),
        chunker: byLine,
        sinks: [store.service],
        concurrency: 4
      }).pipe(
        Effect.provide(
          around(
            parser((source) => {
              asked += 1
              return source.path === "10.pdf"
                ? Effect.fail(unauthorized)
                : Effect.as(Effect.zipRight(Effect.yieldNow(), Effect.yieldNow()), parsed(source))
            })
          )
        )
      )
      assert.deepStrictEqual(summary.stopped, {
        tag: "Unauthorized",
        message: unauthorized.message,
        error: unauthorized
      })
      assert.deepInclude(summary, { exit: 2, failed: 0 })
      assert.strictEqual(balance(summary), summary.discovered)
      assert.isAtMost(asked, 15)
      assert.strictEqual(summary.stored, asked - 1)
      assert.strictEqual(store.sources().length, summary.stored)
    })
  )

  it.effect("leaves the waits before its first document as soon as it is asked to end", () =>
    Effect.gen(function* () {
      for (const part of ["embedder", "sink"]) {
        const [asked, stop] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const waiting = Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never)
        const wait =
          part === "sink"
            ? { sinks: [sink({ prepare: waiting }).service] }
            : { sinks: [], embedder: { ...none, space: waiting } }
        const reports: Array<string | undefined> = []
        const running = yield* Effect.fork(
          Pipeline.run({
            source: Stream.fromIterable(numbered(3)),
            chunker: byLine,
            ...wait,
            stop: Deferred.await(stop),
            onReport: ({ stopped }) => Effect.sync(() => void reports.push(stopped?.tag))
          })
        )
        yield* Deferred.await(asked)
        yield* Deferred.succeed(stop, undefined)
        const summary = yield* Fiber.join(running)
        assert.deepInclude(summary, { discovered: 0, stored: 0, exit: 130 })
        assert.strictEqual(summary.stopped?.tag, "Interrupted")
        assert.deepStrictEqual(reports, ["Interrupted"])
      }
    }).pipe(Effect.provide(parsing))
  )

  it.effect("tells once of an outage in which several calls of a sink fail, and again of the next one", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      let calls = 0
      const store = sink({
        maxCount: 1,
        answer: () => {
          calls += 1
          return calls % 2 === 1 && calls < 8 ? unavailable("memory:") : Effect.void
        }
      })
      const paused = Stream.tap(Stream.fromIterable(numbered(4)), ({ path }) =>
        path === "3.pdf" ? Effect.sleep("5 minutes") : Effect.void
      )
      const running = yield* Effect.fork(
        Pipeline.run({ source: Stream.rechunk(paused, 1), chunker: byLine, sinks: [store.service] }).pipe(
          Effect.provide(Logger.replace(Logger.defaultLogger, logger))
        )
      )
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(store.batches, 3)
      assert.lengthOf(lines, 1)
      yield* TestClock.adjust("5 minutes")
      assert.deepInclude(yield* Fiber.join(running), { stored: 4, exit: 0 })
      assert.lengthOf(lines, 2)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("counts a file that was not sent because another one stopped the run as not attempted", () =>
    Effect.gen(function* () {
      const seen = yield* Pipeline.outcomes({
        source: Stream.make(file("a.pdf")),
        chunker: byLine,
        sinks: []
      }).pipe(collect, Effect.exit)
      assert.deepStrictEqual(seen, Exit.fail(pay))
      assert.deepStrictEqual(yield* deadLetters, [])
    }).pipe(Effect.provide(around(parser(() => new RunStopped({ cause: pay })))))
  )

  it.effect("ends the stream with the error that stopped the run, which is caught by its tag", () =>
    Effect.gen(function* () {
      const seen = yield* Pipeline.outcomes({ source: Stream.make(file("a.pdf")), chunker: byLine, sinks: [] }).pipe(
        Stream.map(({ _tag, documentId, root }): unknown => ({ _tag, documentId, root })),
        Stream.catchTag("Unauthorized", (error) => Stream.make(error)),
        Stream.runCollect
      )
      assert.deepStrictEqual(
        [...seen],
        [{ _tag: "NotAttempted", documentId: file("a.pdf").documentId, root: rootOf(file("a.pdf")) }, unauthorized]
      )
    }).pipe(Effect.provide(around(parser(() => unauthorized))))
  )

  it.effect("gives the error of a parser of one's own as Foreign, and a defect too", () =>
    Effect.gen(function* () {
      const own = new NoLicence({ seats: 3 })
      const thrown = new TypeError("no text")
      const outcomes = Pipeline.outcomes({
        source: Stream.make(file("a.pdf"), file("b.pdf")),
        chunker: byLine,
        sinks: [],
        ordered: true
      })
      const seen = yield* Effect.provide(
        collect(outcomes),
        around(layerFunction("scans", ({ path }) => (path === "a.pdf" ? Effect.fail(own) : Effect.die(thrown))))
      )
      assert.deepStrictEqual(
        seen.map((outcome) =>
          outcome._tag === "Failed" && outcome.error._tag === "Foreign"
            ? [outcome.documentId, outcome.tag, outcome.message, outcome.error.value]
            : outcome
        ),
        [
          [file("a.pdf").documentId, "NoLicence", "3 seats are taken", own],
          [file("b.pdf").documentId, "Defect", "TypeError: no text", thrown]
        ]
      )
    })
  )

  it.effect("gives up one sink and fails its documents, and stops when no sink is left", () =>
    Effect.gen(function* () {
      const good = sink({ id: "good" })
      const bad = sink({ id: "bad", answer: () => unavailable("bad") })
      const source = Stream.fromIterable(numbered(1000))
      const options = { source, chunker: byLine, concurrency: 2, sinkRetry: { attempts: 1 } }
      const one = yield* Pipeline.run({ ...options, sinks: [good.service, bad.service] })
      assert.deepInclude(one, { discovered: 1000, failed: 1000, stored: 0, exit: 1 })
      assert.strictEqual(good.sources().length, 1000)
      assert.deepStrictEqual(new Set(one.failures.map((failure) => failure.tag)), new Set(["SinkError"]))
      const all = yield* Pipeline.run({ ...options, sinks: [bad.service] })
      assert.deepInclude(all, { discovered: 1000, stored: 0, exit: 2 })
      assert.strictEqual(all.stopped?.tag, "SinkError")
      assert.isAbove(all.notAttempted, 0)
      assert.strictEqual(balance(all), 1000)
    }).pipe(Effect.provide(parsing))
  )

  it.effect(
    "fails before anything is parsed when a target does not fit, and goes on without one that is unavailable",
    () =>
      Effect.gen(function* () {
        let asked = 0
        const good = sink({ id: "good" })
        const mismatch = new SinkError({ sink: "bad", reason: "Mismatch", problem: "another space" })
        const layer = around(parser((source) => Effect.sync(() => (asked++, parsed(source)))))
        const options = { source: Stream.fromIterable(numbered(3)), chunker: byLine }
        const refused = yield* Pipeline.run({
          ...options,
          sinks: [good.service, sink({ prepare: Effect.fail(mismatch) }).service]
        }).pipe(Effect.provide(layer), Effect.exit)
        assert.deepStrictEqual(refused, Exit.fail(mismatch))
        assert.strictEqual(asked, 0)
        const summary = yield* Pipeline.run({
          ...options,
          sinks: [good.service, sink({ prepare: Effect.fail(unavailable("bad")) }).service]
        }).pipe(Effect.provide(layer))
        assert.deepInclude(summary, { failed: 3, exit: 1 })
        assert.strictEqual(good.sources().length, 3)
      })
  )

  it.effect("waits for an unavailable sink, with everything in its queue, and loses nothing", () =>
    Effect.gen(function* () {
      let away = true
      let calls = 0
      const store = sink({
        maxCount: 4,
        answer: () => {
          calls += 1
          return away ? unavailable("memory:") : Effect.void
        }
      })
      const run = Pipeline.run({ source: Stream.fromIterable(numbered(40)), chunker: byLine, sinks: [store.service] })
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("19 seconds")
      assert.isNull(fiber.unsafePoll())
      assert.deepStrictEqual(store.sources(), [])
      assert.isAbove(calls, 3)
      assert.strictEqual(store.most(), 1)
      away = false
      yield* TestClock.adjust("1 second")
      const summary = yield* Fiber.join(fiber)
      assert.deepInclude(summary, { stored: 40, failed: 0, exit: 0 })
      assert.strictEqual(store.sources().length, 40)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("gives a sink up 20 seconds after it became unavailable, and stops when it was the only one", () =>
    Effect.gen(function* () {
      const store = sink({ answer: () => unavailable("memory:") })
      const run = Pipeline.run({ source: Stream.fromIterable(numbered(500)), chunker: byLine, sinks: [store.service] })
      const fiber = yield* Effect.fork(run)
      yield* TestClock.adjust("19999 millis")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 millis")
      const summary = yield* Fiber.join(fiber)
      assert.deepInclude(summary, { discovered: 500, stored: 0, exit: 2 })
      assert.strictEqual(summary.stopped?.tag, "SinkError")
      assert.isTrue(summary.failures.every(({ retryable }) => retryable))
      assert.strictEqual(balance(summary), 500)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("cuts the wait for a sink short when the run is asked to end, and when it is interrupted", () =>
    Effect.gen(function* () {
      const options = {
        source: Stream.fromIterable(numbered(500)),
        chunker: byLine,
        sinks: [sink({ answer: () => unavailable("memory:") }).service]
      }
      const stop = yield* Deferred.make<void>()
      const asked = yield* Effect.fork(Pipeline.run({ ...options, stop: Deferred.await(stop) }))
      const interrupted = yield* Effect.fork(Pipeline.run(options))
      yield* TestClock.adjust("5 seconds")
      assert.isNull(asked.unsafePoll())
      yield* Deferred.succeed(stop, undefined)
      const summary = yield* Fiber.join(asked)
      assert.deepInclude(summary, { stored: 0, exit: 130 })
      assert.strictEqual(balance(summary), 500)
      yield* Fiber.interrupt(interrupted)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("retries a sink that is unavailable when it should finish", () =>
    Effect.gen(function* () {
      let finished = 0
      const finish = Effect.suspend(() => ((finished += 1) < 3 ? unavailable("memory:") : Effect.void))
      const tidied = mapPrepared(sink().service, (prepared) => ({ ...prepared, finish }))
      const fiber = yield* Effect.fork(
        Pipeline.run({ source: Stream.fromIterable(numbered(3)), chunker: byLine, sinks: [tidied] })
      )
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(yield* Fiber.join(fiber), { stored: 3, exit: 0 })
      assert.strictEqual(finished, 3)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("stops at the first failed document with onFailure fail", () =>
    Effect.gen(function* () {
      const summary = yield* Pipeline.run({
        source: Stream.fromIterable(numbered(100)),
        chunker: byLine,
        sinks: [],
        concurrency: 1,
        onFailure: "fail"
      })
      assert.deepInclude(summary, { failed: 1, exit: 2, discovered: 100 })
      assert.strictEqual(summary.stopped?.tag, "BadRequest")
      assert.strictEqual(balance(summary), 100)
    }).pipe(
      Effect.provide(
        around(parser((source) => (source.path === "5.pdf" ? Effect.fail(badRequest) : Effect.succeed(parsed(source)))))
      )
    )
  )

  it.effect("stops reading files when asked to end, stores the documents in flight and reports exit 130", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const store = sink()
      const fiber = yield* Pipeline.run({
        source: Stream.fromIterable(numbered(1000)),
        chunker: byLine,
        sinks: [store.service],
        concurrency: 4,
        stop: Deferred.await(stop)
      }).pipe(Effect.fork)
      yield* TestClock.adjust("2500 millis")
      yield* Deferred.succeed(stop, undefined)
      yield* TestClock.adjust("1 second")
      const summary = yield* Fiber.join(fiber)
      assert.deepInclude(summary, { exit: 130, stored: 12, discovered: 1000, notAttempted: 988, failed: 0 })
      assert.strictEqual(store.sources().length, 12)
    }).pipe(Effect.provide(around(parser((source) => Effect.delay(Effect.succeed(parsed(source)), "1 second")))))
  )

  it.effect("ends a source that would go on for ever, at once", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const endless = Stream.concat(Stream.fromIterable(numbered(5)), Stream.never)
      const fiber = yield* Pipeline.run({
        source: endless,
        chunker: byLine,
        sinks: [sink().service],
        stop: Deferred.await(stop)
      }).pipe(Effect.fork)
      yield* TestClock.adjust("1 minute")
      yield* Deferred.succeed(stop, undefined)
      const summary = yield* Fiber.join(fiber)
      assert.deepInclude(summary, { exit: 130, stored: 5, discovered: 5 })
    }).pipe(Effect.provide(parsing))
  )

  it.effect("finishes what was found before the source failed, and fails with its failure", () =>
    Effect.gen(function* () {
      const store = sink()
      const exit = yield* Pipeline.run({
        source: Stream.concat(Stream.fromIterable(numbered(20)), Stream.fail("the bucket is gone")),
        chunker: byLine,
        sinks: [store.service]
      }).pipe(Effect.exit)
      assert.deepStrictEqual(exit, Exit.fail("the bucket is gone"))
      assert.strictEqual(store.sources().length, 20)
    }).pipe(Effect.provide(parsing))
  )

  it.effect("leaves nothing running when it is interrupted", () =>
    Effect.gen(function* () {
      let running = 0
      const busy = <A>(result: A) =>
        Effect.acquireUseRelease(
          Effect.sync(() => void running++),
          () => Effect.delay(Effect.succeed(result), "1 second"),
          () => Effect.sync(() => void running--)
        )
      const store = sink({ answer: () => Effect.sleep("10 seconds") })
      const fiber = yield* Pipeline.run({
        source: Stream.concat(Stream.fromIterable(numbered(30)), Stream.never),
        chunker: byLine,
        sinks: [store.service]
      }).pipe(Effect.provide(around(parser((source) => busy(parsed(source))))), Effect.fork)
      yield* TestClock.adjust("1500 millis")
      assert.strictEqual(running, 8)
      assert.strictEqual(store.running(), 1)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(running, 0)
      assert.strictEqual(store.running(), 0)
    })
  )
})
