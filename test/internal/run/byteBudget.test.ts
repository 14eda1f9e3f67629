import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { ByteBudget } from "../../../src/internal/run/byteBudget.ts"

describe("ByteBudget", () => {
  it.effect("lets in what fits and makes the rest wait, first come, first served", () =>
    Effect.gen(function* () {
      const budget = new ByteBudget(100)
      const first = yield* budget.reserve(60)
      const large = yield* Effect.fork(budget.reserve(80))
      const small = yield* Effect.fork(budget.reserve(10))
      yield* Effect.yieldNow()
      assert.isNull(small.unsafePoll())
      first.release()
      yield* Fiber.join(large)
      yield* Fiber.join(small)
      assert.strictEqual(budget.held, 90)
    })
  )

  it.effect("lets one in alone that is above the bound by itself", () =>
    Effect.gen(function* () {
      const budget = new ByteBudget(100)
      const huge = yield* budget.reserve(1000)
      const next = yield* Effect.fork(budget.reserve(1))
      yield* Effect.yieldNow()
      assert.isNull(next.unsafePoll())
      huge.release()
      yield* Fiber.join(next)
      assert.strictEqual(budget.held, 1)
    })
  )

  it.effect("takes a figure that is none for nothing, so that later documents do not wait for ever", () =>
    Effect.gen(function* () {
      const budget = new ByteBudget(100)
      for (const bytes of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
        const lease = yield* budget.reserve(bytes)
        assert.strictEqual(budget.held, 0)
        lease.resize(10)
        lease.resize(bytes)
        assert.strictEqual(budget.held, 0)
        lease.release()
      }
      assert.strictEqual(budget.held, 0)
    })
  )

  it.effect("counts what a document turns out to hold, and gives back what it does not", () =>
    Effect.gen(function* () {
      const budget = new ByteBudget(100)
      const lease = yield* budget.reserve(50)
      lease.resize(120)
      const waiting = yield* Effect.fork(budget.reserve(50))
      yield* Effect.yieldNow()
      assert.isNull(waiting.unsafePoll())
      lease.resize(30)
      yield* Fiber.join(waiting)
      assert.strictEqual(budget.held, 80)
    })
  )

  it.effect("forgets one that is interrupted while it waits", () =>
    Effect.gen(function* () {
      const budget = new ByteBudget(100)
      const first = yield* budget.reserve(100)
      const gone = yield* Effect.fork(budget.reserve(100))
      const next = yield* Effect.fork(budget.reserve(40))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(gone)
      first.release()
      yield* Fiber.join(next)
      assert.strictEqual(budget.held, 40)
    })
  )
})
