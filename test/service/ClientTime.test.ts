import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Either, Fiber, Random, TestClock } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"
import { asRun, file, over, parse, type Scripted, scripted, stored } from "./collaborators.ts"

const rateLimited = (
  extra: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {}
): Scripted => [429, { error: "Rate limit exceeded", ...extra }, headers]

/** Every place where a service says how long to wait: here 7 seconds each time. */
const sevenSeconds: Readonly<Record<string, Scripted>> = {
  "a header in seconds": rateLimited({}, { "retry-after": "7" }),
  "a header that is a date, by our clock": rateLimited({}, { "retry-after": new Date(7000).toUTCString() }),
  "a header that is a date, by the service's clock": rateLimited(
    {},
    { "retry-after": "Sat, 21 Nov 2026 10:00:07 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT" }
  ),
  "details.retryAfterSeconds": rateLimited({ details: { retryAfterSeconds: 7 } }),
  retry_after_seconds: rateLimited({ retry_after_seconds: 7 }),
  "the text": rateLimited({ error: "Rate limit exceeded. please retry after 7s, resets at noon" }),
  "the text, after a header that makes no sense": rateLimited(
    { error: "Rate limit exceeded. please retry after 7s" },
    { "retry-after": "soon" }
  ),
  "a header on a 503": [503, { error: "Service Unavailable" }, { "retry-after": "7" }]
}

const nonsense = ["soon", "-1", "", "NaN", "Infinity", "1e3", "2 seconds"]

const failing = (cause: unknown): HttpClient.HttpClient =>
  HttpClient.make((request) => Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause })))

const withCode = (code: string): Error => Object.assign(new Error(`failed: ${code}`), { code })

describe("Client and time", () => {
  for (const [place, answer] of Object.entries(sevenSeconds)) {
    it.effect(`waits as long as ${place} says, and no longer`, () =>
      Effect.gen(function* () {
        const sent: Array<number> = []
        const fiber = yield* Effect.fork(Effect.provide(parse(file("a.pdf")), scripted([answer, stored], sent)))
        yield* TestClock.adjust("6999 millis")
        assert.isNull(fiber.unsafePoll())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* Fiber.join(fiber)).data.markdown, "# A")
        assert.deepStrictEqual(sent, [0, 7000])
      })
    )
  }

  for (const value of nonsense) {
    it.effect(`takes its own back-off when Retry-After is ${JSON.stringify(value)}`, () =>
      Effect.gen(function* () {
        const sent: Array<number> = []
        const answers = [rateLimited({}, { "retry-after": value }), stored]
        const fiber = yield* Effect.fork(Effect.provide(parse(file("a.pdf")), scripted(answers, sent)))
        yield* TestClock.adjust("500 millis")
        yield* Fiber.join(fiber)
        assert.isAtMost(sent[1] ?? Infinity, 500)
      })
    )
  }

  it.effect("backs off by full jitter, doubled up to 30 seconds", () =>
    Effect.gen(function* () {
      const sent: Array<number> = []
      const layer = scripted([[503, { error: "Service Unavailable" }]], sent)
      const fiber = yield* Effect.fork(
        Effect.either(Effect.provide(parse(file("a.pdf")), layer)).pipe(Effect.withRandom(Random.fixed([0.5])))
      )
      yield* TestClock.adjust("10 minutes")
      assert.isTrue(Either.isLeft(yield* Fiber.join(fiber)))
      assert.deepStrictEqual(sent, [0, 250, 750, 1750, 3750])
    })
  )

  it.effect("stops when a throttled service served nobody for ten minutes", () =>
    Effect.gen(function* () {
      const sent: Array<number> = []
      const layer = scripted([rateLimited({ retry_after_seconds: 100 })], sent)
      const fiber = yield* Effect.fork(Effect.either(Effect.provide(parse(file("a.pdf")), layer)))
      yield* TestClock.adjust("1 hour")
      const ended = yield* Fiber.join(fiber)
      assert.strictEqual(Either.isLeft(ended) ? ended.left._tag : "", "ServiceUnreachable")
      assert.deepStrictEqual(sent, [0, 100_000, 200_000, 300_000, 400_000, 500_000])
    })
  )

  it.effect("gives its slot back while it waits", () =>
    Effect.gen(function* () {
      const sent: Array<number> = []
      const layer = scripted([rateLimited({ retry_after_seconds: 60 }), stored], sent)
      yield* Effect.gen(function* () {
        const waiting = yield* Effect.fork(parse(file("a.pdf")))
        yield* TestClock.adjust("1 second")
        yield* Effect.forEach(["b.pdf", "c.pdf"], (name) => parse(file(name)))
        assert.deepStrictEqual(sent, [0, 1000, 1000])
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(waiting)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("a document that waits for its retry ends at once when the run is stopped", () =>
    Effect.gen(function* () {
      const layer = scripted([
        rateLimited({ retry_after_seconds: 60 }),
        [401, { error: "Unauthorized: Invalid token" }]
      ])
      const run = yield* RunState.make
      yield* Effect.gen(function* () {
        const waiting = yield* Effect.fork(Effect.either(parse(file("a.pdf"))))
        yield* TestClock.adjust("1 second")
        yield* Effect.either(parse(file("b.pdf")))
        const ended = yield* Fiber.join(waiting)
        assert.strictEqual(Either.isLeft(ended) ? ended.left._tag : "", "RunStopped")
      }).pipe(Effect.provide(layer), Effect.provideService(RunState.CurrentRun, run))
      assert.strictEqual(run.counters.requests, 2)
    })
  )

  it.effect("an attempt may take size ÷ floor rate + timeout + 30 seconds, and no longer", () =>
    Effect.gen(function* () {
      const layer = over(
        HttpClient.make(() => Effect.never),
        { floorRate: 1000, retry: { attempts: 1 } }
      )
      const fiber = yield* Effect.fork(
        Effect.either(Effect.provide(parse(file("a.pdf", 10_000), { timeout: 20_000 }), layer))
      )
      yield* TestClock.adjust("59999 millis")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 millis")
      const ended = yield* Fiber.join(fiber)
      assert.deepInclude(Either.isLeft(ended) ? ended.left : {}, { _tag: "ConnectionFailed", reason: "timeout" })
    })
  )

  it.effect("an answer that stops arriving is given up after the idle time-out", () =>
    Effect.gen(function* () {
      const http = HttpClient.make((request) => {
        const stalled = new ReadableStream<Uint8Array>({ start: (it) => it.enqueue(new Uint8Array([123])) })
        return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(stalled)))
      })
      const layer = over(http, { idleTimeout: "5 seconds", retry: { attempts: 1 } })
      const fiber = yield* Effect.fork(Effect.either(Effect.provide(parse(file("a.pdf")), layer)))
      yield* TestClock.adjust("4999 millis")
      assert.isNull(fiber.unsafePoll())
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      yield* TestClock.adjust("5 seconds")
      const ended = yield* Fiber.join(fiber)
      assert.deepInclude(Either.isLeft(ended) ? ended.left : {}, { reason: "timeout", ambiguous: true })
      assert.isAtMost(yield* Clock.currentTimeMillis, 10_000)
    })
  )
})

/** Code of the transport, reason, requests, and whether it stops the run. */
const transport: ReadonlyArray<readonly [string, string, number, boolean]> = [
  ["ECONNREFUSED", "refused", 5, false],
  ["EHOSTUNREACH", "refused", 5, false],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout", 5, false],
  ["EAI_AGAIN", "dns", 5, false],
  ["ENOTFOUND", "dns", 2, true],
  ["CERT_HAS_EXPIRED", "tls", 1, true],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls", 1, true],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls", 1, true],
  ["ECONNRESET", "reset", 2, false],
  ["UND_ERR_SOCKET", "reset", 2, false]
]

describe("Client and its transport", () => {
  for (const [code, reason, requests, stops] of transport) {
    it.effect(`${code} is a failure of the kind ${reason}, after ${requests} requests`, () =>
      Effect.gen(function* () {
        const nested = Object.assign(new TypeError("fetch failed"), { cause: new AggregateError([withCode(code)]) })
        for (const cause of [withCode(code), nested]) {
          const fiber = yield* Effect.fork(Effect.provide(asRun(file("a.pdf")), over(failing(cause))))
          yield* TestClock.adjust("1 minute")
          const { result, run } = yield* Fiber.join(fiber)
          assert.deepInclude(Either.isLeft(result) ? result.left : {}, { _tag: "ConnectionFailed", reason, code })
          assert.strictEqual(run.counters.requests, requests)
          assert.strictEqual(run.stopped() !== null, stops)
        }
      })
    )
  }
})
