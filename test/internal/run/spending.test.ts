import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Fiber, TestClock } from "effect"
import { Spending } from "../../../src/internal/run/spending.ts"
import { runs } from "../../fixtures/seed.ts"

describe("Spending", () => {
  it.effect.prop(
    "never lets more be paid than the limit, whatever is set aside and whatever it turns out to cost",
    [
      FastCheck.integer({ min: 0, max: 60 }),
      FastCheck.array(FastCheck.tuple(FastCheck.nat(20), FastCheck.nat(20), FastCheck.integer({ min: 0, max: 9 })), {
        maxLength: 40
      })
    ],
    ([limit, documents]) =>
      Effect.gen(function* () {
        const spending = new Spending({ pages: limit, credits: Infinity })
        let paid = 0
        let aside = 0
        const parse = ([most, actual, duration]: readonly [number, number, number]) =>
          Effect.gen(function* () {
            const reserve = yield* spending.reserve({ pages: most, credits: 0 })
            if (reserve === null) return "refused"
            aside += most
            assert.isAtMost(paid + aside, limit)
            yield* Effect.sleep(duration)
            const cost = Math.min(most, actual)
            aside -= most
            paid += cost
            reserve.settle({ pages: cost, credits: 0 })
            return "parsed"
          })
        const fiber = yield* Effect.fork(Effect.forEach(documents, parse, { concurrency: 8 }))
        yield* TestClock.adjust("1 minute")
        const ends = yield* Fiber.join(fiber)
        assert.strictEqual(ends.length, documents.length)
        assert.isAtMost(paid, limit)
        const [first] = documents
        if (first !== undefined) assert.strictEqual(ends[0], first[0] <= limit ? "parsed" : "refused")
      }),
    { fastCheck: { numRuns: runs(30) } }
  )

  it.effect("makes wait what may still fit, in the order of asking, and refuses at once what cannot", () =>
    Effect.gen(function* () {
      const spending = new Spending({ pages: 10, credits: 10 })
      const cost = (pages: number) => ({ pages, credits: pages })
      const held = yield* spending.reserve(cost(8))
      assert.isNull(yield* spending.reserve(cost(11)))
      const waiting = yield* Effect.fork(spending.reserve(cost(5)))
      yield* Effect.yieldNow()
      assert.isNull(yield* Fiber.poll(waiting).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit))))
      held?.settle(cost(5))
      const second = yield* Fiber.join(waiting)
      assert.isNotNull(second)
      const last = yield* Effect.fork(spending.reserve(cost(3)))
      yield* Effect.yieldNow()
      second?.settle(cost(4))
      assert.isNull(yield* Fiber.join(last))
    })
  )
})
