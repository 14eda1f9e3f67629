import { assert, describe, it } from "@effect/vitest"
import * as RequestGate from "docsluice/RequestGate"
import { Unauthorized } from "docsluice/service/ServiceError"
import { Cause, Clock, Deferred, Effect, Exit, FastCheck, Fiber, Redacted, TestClock } from "effect"
import * as RunState from "../src/internal/client/runState.ts"
import { runs } from "./fixtures/seed.ts"
import { inVirtualTime } from "./gate/virtualTime.ts"

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

  it.scoped(
    "is one for each key and address in the process, with the lowest limit of its users, until the last has gone",
    () =>
      Effect.gen(function* () {
        const key = Redacted.make("one")
        const target = { address: "http://gate.test/v2", key }
        const first = yield* RequestGate.shared(target, { concurrency: 4 })
        const limits = Effect.gen(function* () {
          const second = yield* (yield* RequestGate.make({ concurrency: 2 })).of({
            ...target,
            key: Redacted.make("one")
          })
          const { all, state } = requests(second, 7, "answered")
          const fiber = yield* Effect.fork(all)
          yield* TestClock.adjust("1 second")
          assert.deepInclude(first.snapshot(), { limit: 2, inFlight: 2, waiting: 4 })
          yield* TestClock.adjust("3 seconds")
          yield* Fiber.join(fiber)
          assert.strictEqual(state.peak, 2)
        })
        yield* Effect.scoped(limits)
        assert.strictEqual(first.snapshot().limit, 4)
        for (const other of [{ ...target, address: "http://gate.test/v1" }, { address: target.address }]) {
          assert.strictEqual((yield* RequestGate.shared(other)).snapshot().limit, 1)
        }
        const fresh = Effect.scoped(
          Effect.map(RequestGate.shared({ address: "http://freed.test", key }), (gate) => gate.snapshot().limit)
        )
        yield* Effect.scoped(
          Effect.flatMap(RequestGate.shared({ address: "http://freed.test", key }), (gate) =>
            gate.use(Effect.void, () => "answered")
          )
        )
        assert.strictEqual(yield* fresh, 1)
      })
  )

  it.scoped("lets repeated requests go first, and both kinds in the order in which they came", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 1 })
      const order: Array<string> = []
      const one = (name: string, again: boolean) =>
        gate.use(
          Effect.zipRight(
            Effect.sync(() => order.push(name)),
            Effect.sleep("1 second")
          ),
          () => "answered",
          { again }
        )
      const fiber = yield* Effect.fork(
        Effect.all([one("a", false), one("b", false), one("c", true), one("d", false), one("e", true)], {
          concurrency: 5
        })
      )
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(order, ["a", "c", "e", "b", "d"])
    })
  )

  it.scoped("bounds the bytes in flight; a request that alone needs more runs alone", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 8, maxBytesInFlight: 100 })
      yield* gate.use(Effect.void, () => "answered")
      let bytes = 0
      let most = 0
      const one = (size: number) =>
        gate.use(
          Effect.gen(function* () {
            bytes += size
            most = Math.max(most, bytes)
            yield* Effect.sleep("1 second")
            bytes -= size
          }),
          () => "answered",
          { bytes: size }
        )
      const sizes = [60, 40, 30, 30, 30, 30, 150, 20]
      const fiber = yield* Effect.fork(Effect.forEach(sizes, one, { concurrency: 8, discard: true }))
      yield* TestClock.adjust("1 second")
      assert.deepInclude(gate.snapshot(), { inFlight: 3, waiting: 3 })
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(most, 150)
    })
  )

  it.scoped("ends the wait of a request with the reason of its halt", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 1 })
      const run = yield* RunState.make
      yield* Effect.fork(gate.use(Effect.never, () => "unsent"))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(Effect.flip(gate.use(Effect.void, () => "answered", { halt: run })))
      yield* Effect.yieldNow()
      assert.strictEqual(gate.snapshot().waiting, 1)
      run.failed(new Unauthorized({ status: 401, error: "no" }))
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "RunStopped")
      assert.deepInclude(gate.snapshot(), { inFlight: 1, waiting: 0 })
    })
  )

  it.scoped("gives the slot back when `observe` throws, and dies of it", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 1 })
      const exit = yield* Effect.exit(
        gate.use(Effect.void, () => {
          throw new Error("observe")
        })
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.strictEqual(gate.snapshot().inFlight, 0)
    })
  )

  it.scoped("closes for everybody as long as the service wants, and lets nobody through before", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make({ concurrency: 4, outageLimit: "15 minutes" })
      yield* gate.use(Effect.void, () => ({ state: "rateLimited", closeFor: 600_000 }))
      const { all, state } = requests(gate, 3, "answered")
      const fiber = yield* Effect.fork(all)
      yield* TestClock.adjust("599999 millis")
      assert.strictEqual(state.running + state.done, 0)
      assert.strictEqual(gate.downtime(yield* Clock.currentTimeMillis), 599_999)
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(gate.downtime(yield* Clock.currentTimeMillis), 600_000)
    })
  )

  const observations = ["answered", "queued", "rateLimited", "concurrencyLimited", "unhealthy", "unsent"] as const

  /** One request: when it comes, how long it takes, when it is interrupted, what it sees, whether it repeats another. */
  const Request = FastCheck.tuple(
    FastCheck.nat(3000),
    FastCheck.nat(400),
    FastCheck.option(FastCheck.nat(3000), { nil: null }),
    FastCheck.constantFrom(...observations),
    FastCheck.boolean()
  )

  it.effect.prop(
    "loses no slot and admits everybody, whatever is interrupted when",
    [FastCheck.array(Request, { minLength: 1, maxLength: 25 }), FastCheck.integer({ min: 1, max: 4 })],
    ([all, concurrency]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const gate = yield* RequestGate.make({ concurrency, outageLimit: "1 hour" })
          let running = 0
          const one = ([comes, takes, interrupted, observation, again]: (typeof all)[number]) =>
            Effect.gen(function* () {
              yield* Effect.sleep(comes)
              const request = Effect.acquireUseRelease(
                Effect.sync(() => void (running += 1)),
                () =>
                  Effect.zipRight(
                    Effect.sync(() => assert.isAtMost(running, concurrency)),
                    Effect.sleep(takes)
                  ),
                () => Effect.sync(() => void (running -= 1))
              )
              const fiber = yield* Effect.fork(gate.use(request, () => observation, { again }))
              if (interrupted === null) return yield* Fiber.await(fiber)
              yield* Effect.sleep(interrupted)
              return yield* Fiber.interrupt(fiber)
            })
          const exits = yield* inVirtualTime(Effect.forEach(all, one, { concurrency: "unbounded" }))
          exits.forEach((exit, at) => {
            if (all[at]?.[2] === null) assert.isTrue(Exit.isSuccess(exit), String(exit))
            else assert.isTrue(Exit.isSuccess(exit) || Exit.isInterrupted(exit), String(exit))
          })
          assert.deepInclude(gate.snapshot(), { inFlight: 0, waiting: 0 })
        })
      ),
    { fastCheck: { numRuns: runs(60) } }
  )
})
