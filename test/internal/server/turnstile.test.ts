import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, TestClock } from "effect"
import * as turnstiles from "../../../src/internal/server/turnstile.ts"

const late = (waited: number) => `late after ${waited} ms`

const within = (milliseconds: number) => ({ within: milliseconds, late })

/** Lets every fiber run until it waits. */
const settled = Effect.repeatN(Effect.yieldNow(), 50)

describe("turnstile", () => {
  it.effect("gives places round the keys, in the order of arrival within a key, and says how long each waited", () =>
    Effect.gen(function* () {
      const turnstile = turnstiles.make(1)
      const done: Array<readonly [string, number | undefined]> = []
      const take = (key: string, name: string) =>
        Effect.fork(
          turnstile.pass(key, within(1e6), (waited) =>
            Effect.delay(
              Effect.sync(() => done.push([name, waited])),
              "10 millis"
            )
          )
        )
      for (const name of ["a1", "a2", "a3", "a4"]) yield* Effect.zipRight(take("a", name), settled)
      for (const name of ["b1", "b2"]) yield* Effect.zipRight(take("b", name), settled)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(done, [
        ["a1", undefined],
        ["a2", 10],
        ["b1", 20],
        ["a3", 30],
        ["b2", 40],
        ["a4", 50]
      ])
    })
  )

  it.effect("ends a wait that is too long, and keeps no place for it", () =>
    Effect.gen(function* () {
      const turnstile = turnstiles.make(1)
      const first = yield* Effect.fork(turnstile.pass("a", within(1e6), () => Effect.sleep("1 second")))
      yield* settled
      const second = yield* Effect.fork(Effect.flip(turnstile.pass("a", within(100), () => Effect.void)))
      yield* settled
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* Fiber.join(second), "late after 100 ms")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      assert.isUndefined(yield* turnstile.pass("a", within(1), Effect.succeed))
    })
  )

  it.effect("loses no place when waits and runs are interrupted at any moment", () =>
    Effect.gen(function* () {
      for (const steps of Array.from({ length: 40 }, (_, index) => index)) {
        const turnstile = turnstiles.make(2)
        const fibers = yield* Effect.forEach(["a", "b", "a", "b", "c"], (key) =>
          Effect.fork(turnstile.pass(key, within(1e6), () => Effect.repeatN(Effect.yieldNow(), steps % 7)))
        )
        yield* Effect.repeatN(Effect.yieldNow(), steps)
        yield* Effect.forEach(fibers, (fiber) => Fiber.interrupt(fiber), { concurrency: 5 })
        const both = yield* Effect.forEach([1, 2], () => turnstile.pass("d", within(1), Effect.succeed), {
          concurrency: 2
        })
        assert.deepStrictEqual(both, [undefined, undefined], `after ${steps} steps`)
        const full = turnstile.pass("d", within(0), () => Effect.void)
        const exit = yield* turnstile.pass("d", within(1), () =>
          turnstile.pass("d", within(1), () =>
            Effect.flatMap(Effect.fork(Effect.exit(full)), (fiber) =>
              Effect.zipRight(TestClock.adjust("1 millis"), Fiber.join(fiber))
            )
          )
        )
        assert.isTrue(Exit.isFailure(exit), "a place too many")
      }
    })
  )
})
