import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import * as OcrTurns from "../../src/engine/OcrTurns.ts"

describe("OcrTurns", () => {
  it.effect("gives a document alone, and one of several pages, all threads, and other single pages one each", () =>
    Effect.gen(function* () {
      const turns = yield* OcrTurns.make(2)
      const order: Array<string> = []
      const read = (name: string, pages: number) =>
        Effect.fork(
          turns(
            pages,
            (threads) =>
              Effect.zipRight(
                Effect.sync(() => order.push(`${name} ${threads}`)),
                Effect.sleep("10 seconds")
              ),
            100_000
          )
        )
      const first = yield* read("first", 1)
      yield* TestClock.adjust("1 second")
      const others = yield* Effect.all([read("second", 1), read("third", 1), read("book", 3), read("last", 1)])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(order, ["first 2"])
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(order, ["first 2", "second 1", "third 1"])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(order, ["first 2", "second 1", "third 1", "book 2"])
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(order.at(-1), "last 2")
      yield* Fiber.joinAll([first, ...others])
      const alone = yield* read("alone", 1)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(alone)
      assert.strictEqual(order.at(-1), "alone 2")
    })
  )

  it.effect("forgets a document whose time ran out while it waited", () =>
    Effect.gen(function* () {
      const turns = yield* OcrTurns.make(2)
      const first = yield* Effect.fork(turns(1, () => Effect.sleep("10 seconds"), 100_000))
      yield* TestClock.adjust("1 second")
      const late = yield* Effect.fork(Effect.flip(turns(5, () => Effect.void, 5000)))
      yield* TestClock.adjust("6 seconds")
      const error = yield* Fiber.join(late)
      assert.strictEqual("code" in error ? error.code : undefined, "CONCURRENCY_QUEUE_TIMEOUT")
      const next = yield* Effect.fork(turns(1, Effect.succeed, 100_000))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(first)
      assert.strictEqual(yield* Fiber.join(next), 1)
    })
  )
})
