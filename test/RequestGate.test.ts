import { assert, describe, it } from "@effect/vitest"
import * as RequestGate from "docsluice/RequestGate"
import { Deferred, Effect, Fiber, TestClock } from "effect"

/** Requests of a second each; `peak` is the highest number that ran at the same time. */
const requests = (gate: RequestGate.RequestGate.Service, count: number, observation: RequestGate.Observation) => {
  const state = { running: 0, peak: 0, done: 0 }
  const one = Effect.gen(function* () {
    state.running += 1
    state.peak = Math.max(state.peak, state.running)
    yield* Effect.sleep("1 second")
    state.running -= 1
    state.done += 1
  })
  const all = Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    () => gate.use(one, () => observation),
    { concurrency: "unbounded", discard: true }
  )
  return { state, all }
}

describe("RequestGate", () => {
  it.scoped("lets one request through until the first answer, then as many as its limit", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 4 })
      const { all, state } = requests(gate, 9, "answered")
      const fiber = yield* Effect.fork(all)
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(state.peak, 1)
      yield* TestClock.adjust("1 millis")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([state.done, state.peak], [5, 4])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
    })
  )

  it.scoped("sends one request at a time as long as none is answered", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 4 })
      for (const observation of ["unreachable", "unsent"] as const) {
        const { all, state } = requests(gate, 3, observation)
        const fiber = yield* Effect.fork(all)
        yield* TestClock.adjust("3 seconds")
        yield* Fiber.join(fiber)
        assert.strictEqual(state.peak, 1)
      }
    })
  )

  it.scoped("gives the slot back when a request fails or is interrupted", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 1 })
      const never = yield* Effect.fork(gate.use(Effect.never, () => "unsent"))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(never)
      yield* Effect.either(gate.use(Effect.fail("no"), () => "answered"))
      assert.strictEqual(yield* gate.use(Effect.succeed(1), () => "answered"), 1)
    })
  )

  it.scoped("calls `observe` before the slot is released", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 1 })
      const order: Array<string> = []
      const release = yield* Deferred.make<void>()
      const first = gate.use(Deferred.await(release), () => {
        order.push("observed")
        return "answered"
      })
      const second = gate.use(
        Effect.sync(() => order.push("next")),
        () => "answered"
      )
      const fiber = yield* Effect.fork(Effect.all([first, second], { concurrency: 2 }))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(order, ["observed", "next"])
    })
  )
})
