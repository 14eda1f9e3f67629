import { assert, describe, it } from "@effect/vitest"
import { Cause, Chunk, Deferred, Effect, Exit, Fiber, Option, Stream } from "effect"
import * as FastCheck from "effect/FastCheck"
import { mapConcurrently } from "../../../src/internal/run/mapConcurrently.ts"
import { runs } from "../../fixtures/seed.ts"

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)
const ascending = (values: ReadonlyArray<number>): ReadonlyArray<number> => values.toSorted((a, b) => a - b)

const collect = <A, E, R>(stream: Stream.Stream<A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

describe("mapConcurrently", () => {
  it.effect.prop(
    "gives every result once, in order when asked, never more than `concurrency` at a time",
    [
      FastCheck.boolean(),
      FastCheck.integer({ min: 0, max: 300 }),
      FastCheck.integer({ min: 1, max: 64 }),
      FastCheck.integer({ min: 1, max: 17 }),
      FastCheck.integer({ min: 1, max: 5 })
    ],
    ([ordered, count, chunkSize, concurrency, pause]) =>
      Effect.gen(function* () {
        let running = 0
        let most = 0
        const results = yield* Stream.fromIterable(numbers(count)).pipe(
          Stream.rechunk(chunkSize),
          (items) =>
            mapConcurrently(
              items,
              (item) =>
                Effect.gen(function* () {
                  running += 1
                  most = Math.max(most, running)
                  if (item % pause !== 0) yield* Effect.yieldNow()
                  running -= 1
                  return item * 2
                }),
              { concurrency, ordered }
            ),
          collect
        )
        assert.isAtMost(most, concurrency)
        assert.deepStrictEqual(
          ordered ? results : ascending(results),
          numbers(count).map((item) => item * 2)
        )
      }),
    { fastCheck: { numRuns: runs(60) } }
  )

  it.effect.prop(
    "mixes what is known at once with what is worked on, each result once, in order when asked",
    [
      FastCheck.boolean(),
      FastCheck.array(FastCheck.boolean(), { maxLength: 400 }),
      FastCheck.integer({ min: 1, max: 64 }),
      FastCheck.integer({ min: 1, max: 9 })
    ],
    ([ordered, known, chunkSize, concurrency]) =>
      Effect.gen(function* () {
        let worked = 0
        const results = yield* Stream.fromIterable(numbers(known.length)).pipe(
          Stream.rechunk(chunkSize),
          (items) =>
            mapConcurrently(
              items,
              (item) =>
                Effect.as(
                  Effect.zipRight(
                    Effect.yieldNow(),
                    Effect.sync(() => void worked++)
                  ),
                  item
                ),
              { concurrency, ordered, direct: (item) => (known[item] === true ? item : undefined) }
            ),
          collect
        )
        assert.deepStrictEqual(ordered ? results : ascending(results), numbers(known.length))
        assert.strictEqual(worked, known.filter((one) => !one).length)
      }),
    { fastCheck: { numRuns: runs(60) } }
  )

  it.effect("interrupts what is in flight when one item fails, and gives what was finished first", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const seen: Array<number> = []
      const exit = yield* Stream.fromIterable(numbers(5000)).pipe(
        (items) =>
          mapConcurrently(
            items,
            (item) => {
              if (item === 50) return Effect.fail("boom")
              return item > 45
                ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => void interrupted++))
                : Effect.succeed(item)
            },
            { concurrency: 8 }
          ),
        Stream.runForEach((item) => Effect.sync(() => void seen.push(item))),
        Effect.exit
      )
      assert.deepStrictEqual(exit, Exit.fail("boom"))
      assert.strictEqual(interrupted, 4)
      assert.deepStrictEqual(ascending(seen), numbers(46))
    })
  )

  it.effect("fails with the failure of its source", () =>
    Effect.gen(function* () {
      const exit = yield* Stream.make(1, 2).pipe(
        Stream.concat(Stream.fail("upstream")),
        (items) => mapConcurrently(items, Effect.succeed, { concurrency: 4 }),
        Stream.runDrain,
        Effect.exit
      )
      assert.deepStrictEqual(exit, Exit.fail("upstream"))
    })
  )

  it.effect("passes a defect of the function on as a defect", () =>
    Effect.gen(function* () {
      const cause = yield* Stream.make(1, 2, 3).pipe(
        (items) =>
          mapConcurrently(
            items,
            (item) => {
              if (item === 2) throw new RangeError("thrown")
              return Effect.succeed(item)
            },
            { concurrency: 2 }
          ),
        Stream.runDrain,
        Effect.sandbox,
        Effect.flip
      )
      assert.instanceOf(Option.getOrUndefined(Cause.dieOption(cause)), RangeError)
    })
  )

  it.effect("starts little more than was taken when the consumer ends early", () =>
    Effect.gen(function* () {
      let started = 0
      const results = yield* Stream.fromIterable(numbers(5000)).pipe(
        Stream.rechunk(1),
        (items) =>
          mapConcurrently(items, (item) => Effect.sync(() => (started++, item)), { concurrency: 4, runAhead: 4 }),
        Stream.take(3),
        collect
      )
      assert.strictEqual(results.length, 3)
      assert.isAtMost(started, 12)
    })
  )

  for (const ordered of [false, true]) {
    it.live(`never runs ahead of a stuck consumer by more than it says (ordered: ${ordered})`, () =>
      Effect.gen(function* () {
        let started = 0
        const fiber = yield* Stream.repeatEffectChunk(Effect.succeed(Chunk.of(1))).pipe(
          (items) =>
            mapConcurrently(
              items,
              () =>
                Effect.zipRight(
                  Effect.yieldNow(),
                  Effect.sync(() => started++)
                ),
              {
                concurrency: 8,
                runAhead: 16,
                ordered
              }
            ),
          Stream.runForEach(() => Effect.never),
          Effect.fork
        )
        yield* Effect.sleep("50 millis")
        // The items of the consumer's first chunk count too, and are bounded by the same sum.
        assert.isAtMost(started, 2 * (8 + 16))
        yield* Fiber.interrupt(fiber)
      })
    )
  }

  it.live("interrupts every worker when the consumer is interrupted", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const busy = yield* Deferred.make<void>()
      let started = 0
      const fiber = yield* Stream.fromIterable(numbers(100)).pipe(
        (items) =>
          mapConcurrently(
            items,
            () =>
              Effect.suspend(() => (++started === 8 ? Deferred.succeed(busy, undefined) : Effect.void)).pipe(
                Effect.zipRight(Effect.never),
                Effect.onInterrupt(() => Effect.sync(() => void interrupted++))
              ),
            { concurrency: 8 }
          ),
        Stream.runDrain,
        Effect.fork
      )
      yield* Deferred.await(busy)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(interrupted, 8)
    })
  )

  it.effect("holds a later result back until its predecessor is there when ordered", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const seen: Array<number> = []
      const fiber = yield* Stream.make(0, 1, 2).pipe(
        (items) =>
          mapConcurrently(items, (item) => (item === 0 ? Effect.as(Deferred.await(gate), 0) : Effect.succeed(item)), {
            concurrency: 3,
            ordered: true
          }),
        Stream.runForEach((item) => Effect.sync(() => void seen.push(item))),
        Effect.fork
      )
      yield* Effect.yieldNow()
      yield* Effect.yieldNow()
      assert.deepStrictEqual(seen, [])
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seen, [0, 1, 2])
    })
  )

  it.effect("ends at once over an empty source", () =>
    Effect.gen(function* () {
      const results = yield* collect(mapConcurrently(Stream.empty, Effect.succeed, { concurrency: 4 }))
      assert.deepStrictEqual(results, [])
    })
  )

  it.effect("keeps every worker busy when the results of few may wait", () =>
    Effect.gen(function* () {
      let running = 0
      let most = 0
      const results = yield* Stream.fromIterable(numbers(2000)).pipe(
        Stream.rechunk(7),
        (items) =>
          mapConcurrently(
            items,
            (item) =>
              Effect.gen(function* () {
                running += 1
                most = Math.max(most, running)
                for (let turn = 0; turn < 1 + (item % 3); turn++) yield* Effect.yieldNow()
                running -= 1
                return item
              }),
            { concurrency: 64, runAhead: 1 }
          ),
        collect
      )
      assert.deepStrictEqual(ascending(results), numbers(2000))
      assert.strictEqual(most, 64)
    })
  )
})
