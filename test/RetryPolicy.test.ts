import { assert, describe, it } from "@effect/vitest"
import * as RetryPolicy from "docsluice/RetryPolicy"
import * as ServiceError from "docsluice/service/ServiceError"
import { Deferred, Effect, FastCheck as fc, Fiber, Random, Schema, TestClock } from "effect"

const answer = (status: number) => ({ status, error: "words", code: undefined })
const unavailable = (retryAfter?: number) =>
  new ServiceError.ServiceUnavailable({ status: 503, error: "Service Unavailable", retryAfter })
const limited = (retryAfter?: number) =>
  new ServiceError.RateLimitExceeded({ status: 429, error: "Rate limit exceeded", retryAfter })
const gateway = new ServiceError.GatewayTimeout({ status: 504, error: "Gateway Timeout" })
const broken = (ambiguous: boolean) =>
  new ServiceError.ConnectionFailed({
    reason: "reset",
    code: "ECONNRESET",
    ambiguous,
    address: "host",
    error: "read ECONNRESET"
  })
const unprocessable = new ServiceError.UnprocessableEntity({ status: 422, error: "Unprocessable Entity" })

const Catalogued = Schema.Union(
  ServiceError.BadRequest,
  ServiceError.InvalidUrl,
  ServiceError.Unauthorized,
  ServiceError.PaymentRequired,
  ServiceError.Forbidden,
  ServiceError.PromptInjectionDetected,
  ServiceError.NotFound,
  ServiceError.RequestTimeout,
  ServiceError.Conflict,
  ServiceError.PayloadTooLarge,
  ServiceError.UnprocessableEntity,
  ServiceError.RateLimitExceeded,
  ServiceError.ConcurrencyLimitReached,
  ServiceError.InternalServerError,
  ServiceError.BadGateway,
  ServiceError.ServiceUnavailable,
  ServiceError.GatewayTimeout
)

const failure = (error: ServiceError.ServiceError, more: Partial<RetryPolicy.Failure> = {}): RetryPolicy.Failure => ({
  error,
  elapsed: 0,
  json: false,
  reusedConnection: false,
  random: 0.5,
  ...more
})

/** Attempts until the policy gives up, when every one of them ends the same way; at most `limit`. */
const attemptsOf = (
  error: ServiceError.ServiceError,
  more: Partial<RetryPolicy.Failure> = {},
  options: RetryPolicy.Options = {},
  limit = 100
): number => {
  const policy = RetryPolicy.make(options)
  let spent = RetryPolicy.nothingSpent
  for (let attempts = 1; attempts < limit; attempts++) {
    const decision = RetryPolicy.decide(policy, spent, failure(error, more))
    if (decision._tag === "GiveUp") return attempts
    spent = decision.spent
  }
  return limit
}

describe("RetryPolicy", () => {
  it("gives every kind of answer its attempts, and no more", () => {
    assert.strictEqual(attemptsOf(unavailable()), 5)
    assert.strictEqual(attemptsOf(gateway), 3)
    assert.strictEqual(attemptsOf(broken(true)), 2)
    assert.strictEqual(attemptsOf(broken(false)), 5)
    assert.strictEqual(attemptsOf(limited()), 100)
    assert.strictEqual(attemptsOf(unprocessable), 1)
    assert.strictEqual(attemptsOf(unprocessable, { json: true }), 2)
    assert.strictEqual(attemptsOf(new ServiceError.Unauthorized(answer(401))), 1)
  })

  it("retries after a reset of a connection used before are free once", () => {
    assert.strictEqual(attemptsOf(broken(true), { reusedConnection: true }), 3)
    assert.strictEqual(attemptsOf(broken(true), { reusedConnection: true }, { retryAmbiguous: false }), 1)
    assert.strictEqual(attemptsOf(unavailable(), { reusedConnection: true }), 5)
  })

  it("counts each kind of answer by itself, and all of them together up to `attempts`", () => {
    const policy = RetryPolicy.make()
    const kinds = [unavailable(), broken(true), limited(), gateway, unavailable(), unavailable()]
    let spent = RetryPolicy.nothingSpent
    const decisions = kinds.map((error) => {
      const decision = RetryPolicy.decide(policy, spent, failure(error))
      spent = decision.spent
      return decision._tag
    })
    assert.deepStrictEqual(decisions, ["Wait", "Wait", "Wait", "Wait", "Wait", "GiveUp"])
  })

  it("options bound attempts and the time in all", () => {
    assert.strictEqual(attemptsOf(unavailable(), {}, { attempts: 2 }), 2)
    assert.strictEqual(attemptsOf(limited(3000), { elapsed: 8000 }, { maxElapsed: "10 seconds" }), 1)
    assert.strictEqual(attemptsOf(broken(true), {}, { retryAmbiguous: false }), 1)
  })

  it("a wait longer than maxRetryAfter is everybody's, and no attempt, unless the answer is final", () => {
    const policy = RetryPolicy.make({ attempts: 1, maxRetryAfter: "2 seconds", maxElapsed: "1 second" })
    const decided = (error: ServiceError.ServiceError) =>
      RetryPolicy.decide(policy, RetryPolicy.nothingSpent, failure(error, { elapsed: 5000 }))
    const wait: RetryPolicy.Decision = { _tag: "Wait", millis: 3000, spent: RetryPolicy.nothingSpent, closes: true }
    assert.deepEqual(decided(limited(3000)), wait)
    assert.deepEqual(decided(new ServiceError.ServiceUnavailable({ ...answer(503), retryAfter: 3000 })), wait)
    assert.strictEqual(decided(new ServiceError.PaymentRequired({ ...answer(402) }))._tag, "GiveUp")
  })

  it("a failure of the service's health is no attempt while the breaker is not closed", () => {
    const once = { attempts: 1 } as const
    const decided = (error: ServiceError.ServiceError, options: RetryPolicy.Options = once) =>
      RetryPolicy.decide(RetryPolicy.make(options), RetryPolicy.nothingSpent, failure(error, { free: true }))
    const again: RetryPolicy.Decision = { _tag: "Wait", millis: 0, spent: RetryPolicy.nothingSpent, closes: false }
    for (const error of [unavailable(), broken(true), broken(false)]) assert.deepEqual(decided(error), again)
    assert.strictEqual(decided(broken(true), { retryAmbiguous: false })._tag, "GiveUp")
    assert.strictEqual(decided(new ServiceError.BadRequest(answer(400)))._tag, "GiveUp")
  })

  it("a throttled answer backs off by the base at most while requests are spaced out, and never below the told wait", () => {
    const often = { ...RetryPolicy.nothingSpent, throttled: 6 }
    const millis = (error: ServiceError.ServiceError, paced: boolean) => {
      const decision = RetryPolicy.decide(RetryPolicy.make(), often, failure(error, { paced, random: 0.99 }))
      return decision._tag === "Wait" ? decision.millis : NaN
    }
    assert.deepStrictEqual([millis(limited(), true), millis(limited(), false)], [495, 29_700])
    assert.strictEqual(millis(limited(7000), true), 7000)
  })

  it("has one table, which agrees with the catalogue row by row", () => {
    for (const [tag, row] of Object.entries(ServiceError.catalogue)) {
      const answer = { status: row.status, error: row.error }
      const error = Schema.decodeUnknownSync(Catalogued)({ _tag: tag, ...answer })
      const rule = RetryPolicy.rules[RetryPolicy.ruleOf(error)]
      assert.strictEqual(RetryPolicy.retryable(error), row.severity === "transient", tag)
      assert.strictEqual(rule.attempts !== 1, row.severity === "transient", tag)
      assert.strictEqual(rule.severity === "run", row.severity === "run", tag)
    }
  })

  it("classifies every error by whether the same file may succeed later", () => {
    const unexpected = (status: number, reason: ServiceError.UnexpectedResponse["reason"] = "Status") =>
      new ServiceError.UnexpectedResponse({ ...answer(status), reason })
    const failed = (reason: ServiceError.ConnectionFailed["reason"], code: string) =>
      new ServiceError.ConnectionFailed({ reason, code, ambiguous: false, address: "host", error: code })
    const yes = [
      unavailable(),
      limited(),
      gateway,
      broken(true),
      broken(false),
      unexpected(529),
      unexpected(200, "NotJson"),
      failed("dns", "ENOTFOUND"),
      new ServiceError.ServiceUnreachable({ address: "host", error: "no answer" }),
      new ServiceError.Forbidden({ ...answer(403), foreign: true })
    ]
    const no = [
      unprocessable,
      unexpected(415),
      unexpected(501),
      unexpected(505),
      unexpected(200, "NoSuccess"),
      failed("tls", "CERT_HAS_EXPIRED"),
      new ServiceError.Unauthorized(answer(401)),
      new ServiceError.Conflict(answer(409))
    ]
    for (const error of yes) assert.isTrue(RetryPolicy.retryable(error), error.message)
    for (const error of no) assert.isFalse(RetryPolicy.retryable(error), error.message)
  })

  it.prop(
    "never waits less than the server asks for, nor longer than 30 seconds by itself",
    [
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 0, max: 120_000 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 20 })
    ],
    ([random, requestedWait, throttled, throttles]) => {
      const error = throttled ? limited(requestedWait) : unavailable(requestedWait)
      const spent = { ...RetryPolicy.nothingSpent, throttled: throttles }
      const decision = RetryPolicy.decide(RetryPolicy.make(), spent, failure(error, { random }))
      const millis = decision._tag === "Wait" ? decision.millis : -1
      assert.isAtLeast(millis, requestedWait)
      assert.isAtMost(millis, Math.max(requestedWait, 30_000))
    }
  )

  it("pauses within the time that is left, and has a last attempt at its end", () => {
    const policy = RetryPolicy.ofSinks()
    const pause = (attempts: number, elapsed: number, random = 0.5) =>
      RetryPolicy.pause(policy, { attempts, elapsed, random })
    assert.deepStrictEqual(
      [1, 2, 3, 4].map((attempts) => pause(attempts, 0)),
      [250, 500, 1000, 2000]
    )
    assert.strictEqual(pause(6, 19_000), 1000)
    assert.isNull(pause(7, 20_000))
    assert.isNull(RetryPolicy.pause(RetryPolicy.ofSinks({ attempts: 3 }), { attempts: 3, elapsed: 0, random: 0 }))
  })

  it.effect("repeats failures that may pass, fails with the last one, and ends the wait when `until` does", () =>
    Effect.gen(function* () {
      const policy = RetryPolicy.make({ attempts: 3, base: "1 second" })
      const calls: Array<number> = []
      const failing = (kind: string) =>
        Effect.suspend(() => {
          calls.push(calls.length + 1)
          return Effect.fail(`${kind} ${calls.length}`)
        })
      const mayPass = { while: (error: string) => error.startsWith("away") }
      const gone = yield* Effect.fork(Effect.flip(RetryPolicy.retry(failing("away"), policy, mayPass)))
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* Fiber.join(gone), "away 3")
      assert.strictEqual(yield* Effect.flip(RetryPolicy.retry(failing("wrong"), policy, mayPass)), "wrong 4")
      const cut = yield* Deferred.make<void>()
      const waiting = yield* RetryPolicy.retry(failing("away"), policy, {
        ...mayPass,
        until: Deferred.await(cut)
      }).pipe(Effect.flip, Effect.withRandom(Random.fixed([0.9])), Effect.fork)
      yield* Effect.yieldNow()
      assert.isNull(waiting.unsafePoll())
      yield* Deferred.succeed(cut, undefined)
      assert.strictEqual(yield* Fiber.join(waiting), "away 5")
    })
  )
})
