import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import type { Outcome } from "docsluice/Outcome"
import * as Pipeline from "docsluice/Pipeline"
import { BadRequest, Unauthorized } from "docsluice/service/ServiceError"
import type { SourceFile } from "docsluice/SourceFile"
import { Deferred, Effect, Exit, Fiber, Stream, TestClock } from "effect"
import { CurrentRun } from "../src/internal/client/runState.ts"
import { around, balance, byLine, collect, numbered, parsed, parser, sink } from "./pipeline/fakes.ts"

const refusal = new BadRequest({ status: 400, error: "unknown option" })

const deadLetters = Effect.flatMap(DeadLetter.DeadLetter, (letters) =>
  Effect.map(letters.entries, (entries) => entries.map(({ source }) => source))
)

const tags = (outcomes: ReadonlyArray<Outcome>) => outcomes.map(({ _tag, source }) => `${source} ${_tag}`)

const second = Effect.sleep("1 second")

/** A parser that takes a second for each file, says which content it saw, and refuses the files that `refuses` names. */
const refusing = (refuses: (source: SourceFile) => boolean, contentOf = (source: SourceFile) => source.path) =>
  around(
    parser((source) =>
      Effect.gen(function* () {
        const run = yield* CurrentRun
        run?.hashed?.(contentOf(source))
        yield* second
        return refuses(source) ? yield* refusal : parsed(source)
      })
    )
  )

const options = (count: number) => ({
  source: Stream.fromIterable(numbered(count)),
  chunker: byLine,
  sinks: [sink().service]
})

/** Runs the effect and advances the clock by the seconds that it needs. */
const passed = <A, E, R>(effect: Effect.Effect<A, E, R>, seconds = 100) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* TestClock.adjust(`${seconds} seconds`)
    return yield* Fiber.join(fiber)
  })

describe("Pipeline, when the service refuses the first documents alike", () => {
  for (const ordered of [false, true]) {
    it.effect(`reports them and those in flight as not attempted when the run stops; ordered: ${ordered}`, () =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        const summary = yield* passed(
          Pipeline.run({
            ...options(30),
            ordered,
            concurrency: 8,
            onProgress: ({ finished, outcome }) => Effect.sync(() => void seen.push(`${finished} ${outcome._tag}`))
          })
        )
        assert.deepInclude(summary, { discovered: 30, failed: 0, notAttempted: 30, exit: 2 })
        assert.deepInclude(summary.stopped, { tag: "BadRequest", message: "unknown option" })
        assert.deepStrictEqual(
          seen,
          Array.from({ length: 30 }, (_, index) => `${index + 1} NotAttempted`)
        )
        assert.deepStrictEqual(yield* deadLetters, [])
      }).pipe(Effect.provide(refusing(() => true)))
    )

    it.effect(`reports them as failures after the first success, in the requested order; ordered: ${ordered}`, () =>
      Effect.gen(function* () {
        const outcomes = yield* passed(
          collect(Pipeline.outcomes({ ...options(6), ordered, concurrency: 1, onProgress: () => Effect.void }))
        )
        const late = ["0.pdf Failed", "1.pdf Failed", "2.pdf Failed"]
        const rest = ["4.pdf Stored", "5.pdf Failed"]
        assert.deepStrictEqual(
          tags(outcomes),
          ordered ? [...late, "3.pdf Stored", ...rest] : ["3.pdf Stored", ...late, ...rest]
        )
        assert.sameMembers([...(yield* deadLetters)], ["0.pdf", "1.pdf", "2.pdf", "5.pdf"])
      }).pipe(Effect.provide(refusing(({ path }) => !["3.pdf", "4.pdf"].includes(path))))
    )
  }

  it.effect("counts copies of one content as one", () =>
    Effect.gen(function* () {
      const summary = yield* passed(Pipeline.run({ ...options(20), concurrency: 2 }))
      assert.deepInclude(summary, { failed: 10, stored: 10, notAttempted: 0, exit: 1 })
      assert.strictEqual((yield* deadLetters).length, 10)
    }).pipe(
      Effect.provide(
        refusing(
          ({ path }) => Number.parseInt(path, 10) < 10,
          ({ path }) => (Number.parseInt(path, 10) < 10 ? "the same" : path)
        )
      )
    )
  )

  it.effect("reports them as failures when the source ends before a success or a stop", () =>
    Effect.gen(function* () {
      const summary = yield* passed(Pipeline.run(options(4)))
      assert.deepInclude(summary, { discovered: 4, failed: 4, notAttempted: 0, exit: 1 })
      assert.strictEqual(summary.stopped, undefined)
      assert.sameMembers([...(yield* deadLetters)], ["0.pdf", "1.pdf", "2.pdf", "3.pdf"])
    }).pipe(Effect.provide(refusing(() => true)))
  )

  it.effect("reports them as failures when the source fails", () =>
    Effect.gen(function* () {
      const source = Stream.concat(
        Stream.fromIterable(numbered(3)),
        Effect.delay(Effect.fail("the bucket is gone"), "9 seconds")
      )
      const exit = yield* passed(Effect.exit(Pipeline.run({ ...options(0), source })))
      assert.deepStrictEqual(exit, Exit.fail("the bucket is gone"))
      assert.strictEqual((yield* deadLetters).length, 3)
    }).pipe(Effect.provide(refusing(() => true)))
  )

  it.effect("reports them as not attempted when the run is asked to end, or stops for another reason", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(Pipeline.run({ ...options(100), concurrency: 2, stop: Deferred.await(stop) }))
      yield* TestClock.adjust("1500 millis")
      yield* Deferred.succeed(stop, undefined)
      yield* TestClock.adjust("1 second")
      const summary = yield* Fiber.join(fiber)
      assert.deepInclude(summary, { discovered: 100, failed: 0, notAttempted: 100, exit: 130 })
      assert.deepStrictEqual(yield* deadLetters, [])
    }).pipe(Effect.provide(refusing(() => true)))
  )

  it.effect("keeps no dead letters of them when it is interrupted", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Pipeline.run({ ...options(100), concurrency: 2 }))
      yield* TestClock.adjust("1500 millis")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* deadLetters, [])
    }).pipe(Effect.provide(refusing(() => true)))
  )

  it.effect("does not wait to find out when the first failure is to stop the run", () =>
    Effect.gen(function* () {
      const summary = yield* passed(Pipeline.run({ ...options(20), concurrency: 1, onFailure: "fail" }))
      assert.deepInclude(summary, { stored: 0, exit: 2 })
      // The second one may be in progress by then.
      assert.isAtMost(summary.failed, 2)
      assert.include(yield* deadLetters, "0.pdf")
    }).pipe(Effect.provide(refusing(() => true)))
  )

  it.effect("goes on after any success, however many are refused later", () =>
    Effect.gen(function* () {
      const summary = yield* passed(Pipeline.run({ ...options(40), concurrency: 4 }))
      assert.deepInclude(summary, { stored: 1, failed: 39, exit: 1 })
      assert.strictEqual(balance(summary), 40)
    }).pipe(Effect.provide(refusing(({ path }) => path !== "0.pdf")))
  )

  it.effect("blocks no worker for them, whatever the concurrency", () =>
    Effect.gen(function* () {
      const summary = yield* passed(Pipeline.run({ ...options(8), concurrency: 1, ordered: true }))
      assert.deepInclude(summary, { stored: 4, failed: 4 })
    }).pipe(Effect.provide(refusing(({ path }) => Number.parseInt(path, 10) < 4)))
  )

  it.effect("stops at once at an answer about the service, and reports those refused before as not attempted", () =>
    Effect.gen(function* () {
      const summary = yield* Pipeline.run({ ...options(50), concurrency: 1 })
      assert.deepInclude(summary, { failed: 0, notAttempted: 50, exit: 2 })
      assert.strictEqual(summary.stopped?.tag, "Unauthorized")
      assert.deepStrictEqual(yield* deadLetters, [])
    }).pipe(
      Effect.provide(
        around(
          parser(({ path }) =>
            Effect.fail(path === "3.pdf" ? new Unauthorized({ status: 401, error: "Unauthorized" }) : refusal)
          )
        )
      )
    )
  )
})
