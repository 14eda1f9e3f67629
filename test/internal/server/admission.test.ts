import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import * as accounts from "../../../src/internal/server/account.ts"
import * as admissions from "../../../src/internal/server/admission.ts"

const bounds = { capacity: 10, parsers: 1, wait: 1000, idleTimeout: "30 seconds", short: () => false } as const

const nobody = () => Effect.void

describe("admission", () => {
  it.effect("takes one request at a time while memory is short, and refuses others with a time", () =>
    Effect.gen(function* () {
      let isShort = false
      const admission = admissions.make({ ...bounds, short: () => isShort })
      const [one, other] = [accounts.make("one", {}, 0), accounts.make("other", {}, 0)]
      const done = yield* Deferred.make<void>()
      const waiting = (account: accounts.Account) =>
        Effect.fork(admission.admitted(account, nobody, () => Deferred.await(done)))
      const first = yield* waiting(one)
      const second = yield* waiting(one)
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      isShort = true
      for (const account of [one, other]) {
        const refused = yield* Effect.flip(admission.admitted(account, nobody, () => Effect.void))
        assert.deepInclude(refused, { _tag: "ConcurrencyLimitReached", status: 429, retryAfter: 1000 })
      }
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.joinAll([first, second])
      assert.strictEqual(yield* admission.admitted(other, nobody, () => Effect.succeed("taken")), "taken")
    })
  )

  it.effect("lets the slowest body give way to a new request, and none that comes at 10 KB a second", () =>
    Effect.gen(function* () {
      const admission = admissions.make({ ...bounds, capacity: 3 })
      const account = accounts.make("one", {}, 0)
      const request = admission.admitted(account, nobody, () => Effect.succeed("taken"))
      const receiving = (received: number) =>
        Effect.fork(admission.admitted(account, (watch) => watch(() => received), nobody))
      const [fair, slowest, fast] = yield* Effect.all([receiving(9_000), receiving(1), receiving(10_000)])
      yield* TestClock.adjust("999 millis")
      assert.deepInclude(yield* Effect.flip(request), { _tag: "ConcurrencyLimitReached", status: 429 })
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* request, "taken")
      assert.deepInclude(yield* Effect.flip(Fiber.join(slowest)), { _tag: "RequestTimeout", status: 408 })
      assert.deepStrictEqual([fair.unsafePoll(), fast.unsafePoll()], [null, null])
      const staying = Effect.zipRight(
        Effect.fork(admission.admitted(account, nobody, () => Effect.never)),
        Effect.repeatN(Effect.yieldNow(), 20)
      )
      yield* staying
      assert.strictEqual(yield* request, "taken")
      assert.deepInclude(yield* Effect.flip(Fiber.join(fair)), { _tag: "RequestTimeout", status: 408 })
      yield* staying
      assert.deepInclude(yield* Effect.flip(request), { _tag: "ConcurrencyLimitReached", status: 429 })
      assert.isNull(fast.unsafePoll())
    })
  )

  it.effect("gives a body its place of the plan when it is there, not while it is received", () =>
    Effect.gen(function* () {
      const admission = admissions.make(bounds)
      const account = accounts.make("one", { concurrency: 1 }, 0)
      const received = yield* Deferred.make<string>()
      const slow = yield* Effect.fork(admission.admitted(account, () => Deferred.await(received), Effect.succeed))
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      assert.strictEqual(yield* admission.admitted(account, nobody, () => Effect.succeed("taken")), "taken")
      yield* Deferred.succeed(received, "body")
      assert.strictEqual(yield* Fiber.join(slow), "body")
    })
  )

  it.effect("ends a body of which less than 10 KB a second arrive over the idle time", () =>
    Effect.gen(function* () {
      const admission = admissions.make(bounds)
      const account = accounts.make("one", {}, 0)
      let [slow, fast] = [0, 0]
      const bodies = yield* Effect.all([
        Effect.fork(admission.admitted(account, (watch) => watch(() => slow), nobody)),
        Effect.fork(admission.admitted(account, (watch) => watch(() => fast), nobody))
      ])
      yield* TestClock.adjust("29 seconds")
      slow = 299_999
      fast = 300_000
      assert.isNull(bodies[0].unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Effect.flip(Fiber.join(bodies[0])), { _tag: "RequestTimeout", status: 408 })
      assert.isNull(bodies[1].unsafePoll())
      yield* TestClock.adjust("30 seconds")
      assert.deepInclude(yield* Effect.flip(Fiber.join(bodies[1])), { _tag: "RequestTimeout", status: 408 })
    })
  )
})
