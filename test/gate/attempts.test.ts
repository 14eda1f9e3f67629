import { assert, describe, it } from "@effect/vitest"
import * as RequestGate from "docsluice/RequestGate"
import * as RetryPolicy from "docsluice/RetryPolicy"
import { RateLimitExceeded, ServiceUnavailable } from "docsluice/service/ServiceError"
import { Effect, Either, Fiber, TestClock } from "effect"
import { ServiceRules } from "../../src/internal/client/serviceRules.ts"
import * as Attempts from "../../src/internal/gate/attempts.ts"

const unavailable = (retryAfter?: number) =>
  new ServiceUnavailable({ status: 503, error: "busy", ...(retryAfter !== undefined && { retryAfter }) })

/** A request that is answered as the script says, and the times at which it was sent, in milliseconds. */
const scripted = (...answers: ReadonlyArray<Either.Either<string, ServiceUnavailable>>) => {
  const times: Array<number> = []
  const send = Effect.clockWith((clock) => {
    times.push(clock.unsafeCurrentTimeMillis())
    return Effect.succeed(answers[times.length - 1] ?? Either.right("done"))
  })
  return { times, send }
}

const halting = () => {
  let reason: string | null = null
  const listeners = new Set<() => void>()
  return {
    listeners,
    stop: () => {
      reason = "stopped"
      listeners.forEach((listener) => listener())
    },
    halt: {
      stopped: () => reason,
      onStop: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }
    }
  }
}

const policy = RetryPolicy.make({ maxRetryAfter: "2 minutes" })

describe("attempts of one request", () => {
  it.scoped("tell the gate the wait that a refusal asks for", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make()
      const seen: Array<RequestGate.Observation> = []
      const use: RequestGate.RequestGate.Service["use"] = (request, observe, options) => {
        const watched: typeof observe = (exit) => {
          const observation = observe(exit)
          seen.push(observation)
          return observation
        }
        return gate.use(request, watched, options)
      }
      const refusal = new RateLimitExceeded({ status: 429, error: "Rate limit exceeded", retryAfter: 7000 })
      let sent = 0
      const send = Effect.sync(() => (++sent === 1 ? Either.left(refusal) : Either.right("done")))
      const answer = yield* Effect.fork(Attempts.repeated({ use }, { rules: new ServiceRules({ gate, policy }), send }))
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual(yield* Fiber.join(answer), "done")
      assert.deepInclude(seen[0], { state: "rateLimited", retryAfter: 7000 })
    })
  )

  it.scoped("end with the answer, each sent no earlier than the one before asked for", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make()
      const { send, times } = scripted(Either.left(unavailable(20_000)), Either.left(unavailable(30_000)))
      const answer = yield* Effect.fork(Attempts.repeated(gate, { rules: new ServiceRules({ gate, policy }), send }))
      yield* TestClock.adjust("50 seconds")
      assert.strictEqual(yield* Fiber.join(answer), "done")
      assert.deepEqual(times, [0, 20_000, 50_000])
    })
  )

  it.scoped("end a wait with the reason of the halt, and send nothing for one that was halted before", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make()
      const { send, times } = scripted(Either.left(unavailable(60_000)))
      const { halt, listeners, stop } = halting()
      const request = { rules: new ServiceRules({ gate, policy }), send, halt }
      const waiting = yield* Effect.fork(Effect.flip(Attempts.repeated(gate, request)))
      yield* TestClock.adjust("1 second")
      stop()
      assert.strictEqual(yield* Fiber.join(waiting), "stopped")
      assert.strictEqual(yield* Effect.flip(Attempts.repeated(gate, request)), "stopped")
      assert.lengthOf(times, 1)
      assert.strictEqual(listeners.size, 0)
    })
  )

  it.scoped("wait as long as they are asked to, though a failure of their own closes no gate", () =>
    Effect.gen(function* () {
      const gate = yield* RequestGate.make()
      const long = Either.left(unavailable(200_000))
      const { send, times } = scripted(Either.left(unavailable()), long)
      const answer = yield* Effect.fork(Attempts.repeated(gate, { rules: new ServiceRules({ gate, policy }), send }))
      // Another request is served between the two failures, so that the second is this request's own.
      yield* Effect.zipRight(
        TestClock.adjust("1 millis"),
        gate.use(Effect.void, () => "answered")
      )
      yield* TestClock.adjust("201 seconds")
      assert.strictEqual(yield* Fiber.join(answer), "done")
      assert.lengthOf(times, 3)
      assert.isAtLeast((times[2] ?? 0) - (times[1] ?? 0), 200_000)
    })
  )
})
