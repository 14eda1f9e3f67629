import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import * as OneAtATime from "../../src/engine/OneAtATime.ts"

describe("OneAtATime", () => {
  it.effect("runs calls one after another, and fails one that has not begun in its time", () =>
    Effect.gen(function* () {
      const alone = yield* OneAtATime.make
      const counted = { running: 0, most: 0 }
      const call = Effect.acquireUseRelease(
        Effect.sync(() => {
          counted.running += 1
          counted.most = Math.max(counted.most, counted.running)
        }),
        () => Effect.sleep("10 seconds"),
        () => Effect.sync(() => void (counted.running -= 1))
      )
      const first = yield* Effect.fork(alone(call, 5000))
      const second = yield* Effect.fork(alone(call, 15_000))
      const late = yield* Effect.fork(Effect.flip(alone(call, 15_000)))
      yield* TestClock.adjust("15 seconds")
      const error = yield* Fiber.join(late)
      assert.strictEqual("code" in error ? error.code : undefined, "CONCURRENCY_QUEUE_TIMEOUT")
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      assert.deepStrictEqual(counted, { running: 0, most: 1 })
    })
  )
})
