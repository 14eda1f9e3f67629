import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import { Clock, Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { around, balance, byLine, numbered, sink } from "../pipeline/fakes.ts"
import { over, type Scripted, stored } from "../service/collaborators.ts"

/** A service whose answer depends on the time, in milliseconds since the start; it takes 50 ms. `sent` holds the times of asking. */
const serviceOf = (answer: (at: number, request: number) => Scripted) => {
  const sent: Array<number> = []
  const http = HttpClient.make((request) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const [status, body, headers = {}] = answer(at, sent.push(at))
      yield* Effect.sleep("50 millis")
      const text = typeof body === "string" ? body : JSON.stringify(body)
      const response = new Response(text, { status, headers: { ...headers } })
      return HttpClientResponse.fromWeb(request, response)
    })
  )
  return { sent, http }
}

/** A run of 40 documents, ended after the given time at the latest. */
const run = (
  http: HttpClient.HttpClient,
  options: Pick<Pipeline.RunOptions, "concurrency" | "outageLimit">,
  minutes: number
) =>
  Effect.gen(function* () {
    const target = sink()
    const source = Stream.fromIterable(numbered(40))
    const running = Effect.all([
      Pipeline.run({ source, chunker: byLine, sinks: [target.service], ...options }),
      Effect.flatMap(DeadLetter.DeadLetter, (letters) => letters.entries)
    ])
    const parser = Layer.provide(Layer.orDie(Parser.layer()), over(http, {}, { concurrency: "adaptive" }))
    const fiber = yield* Effect.fork(Effect.provide(running, around(parser)))
    yield* TestClock.adjust(`${minutes} minutes`)
    const [summary, letters] = yield* Fiber.join(fiber)
    assert.strictEqual(balance(summary), 40)
    return { summary, letters, stored: target.sources().length }
  })

const unavailable: Scripted = [503, { error: "Service Unavailable" }]
const blocked: Scripted = [429, "<html>Too many requests</html>", { "content-type": "text/html" }]
const later: Scripted = [429, { error: "Rate limit exceeded" }, { "retry-after": "600" }]

describe("A service that wants no request for ten minutes", () => {
  it.effect(
    "stops a run with a limit of five, after at most as many requests as may be in flight, and fails nothing",
    () =>
      Effect.gen(function* () {
        const { http, sent } = serviceOf((at) => (at < 100 ? stored : later))
        const { letters, summary } = yield* run(http, { concurrency: 8, outageLimit: "5 minutes" }, 1)
        assert.isAtMost(sent.filter((at) => at >= 100).length, 8)
        assert.deepEqual(letters, [])
        assert.strictEqual(summary.failed, 0)
        assert.strictEqual(summary.notAttempted, 40 - summary.stored)
        assert.strictEqual(summary.stopped?.tag, "ServiceUnreachable")
        assert.match(summary.stopped?.message ?? "", /wants no request for another \d+ seconds.*Rate limit exceeded/)
        assert.strictEqual(summary.exit, 2)
      })
  )

  it.effect("is waited for by a run with a limit of fifteen, and nobody asks before", () =>
    Effect.gen(function* () {
      const { http, sent } = serviceOf((at) => (at < 100 || at >= 600_000 ? stored : later))
      const result = yield* run(http, { concurrency: 8, outageLimit: "15 minutes" }, 12)
      assert.deepInclude(result.summary, { stored: 40, failed: 0, notAttempted: 0 })
      assert.strictEqual(result.stored, 40)
      const refused = sent.filter((at) => at >= 100 && at < 600_000)
      assert.isAtMost(refused.length, 8)
      assert.isAtMost(Math.max(...refused), 1000)
      assert.isAtLeast(Math.min(...sent.filter((at) => at > 1000)), 600_100)
    })
  )

  it.effect("costs one request when it says so from the beginning", () =>
    Effect.gen(function* () {
      const { http, sent } = serviceOf(() => later)
      const { summary } = yield* run(http, { outageLimit: "5 minutes" }, 1)
      assert.lengthOf(sent, 1)
      assert.deepInclude(summary, { notAttempted: 40, failed: 0 })
    })
  )
})

describe("A service that answers nothing but 503", () => {
  it.effect(
    "is asked at most 40 times in the first minute, until the outage limit, and fails no more than it took to find out",
    () =>
      Effect.gen(function* () {
        const { http, sent } = serviceOf(() => unavailable)
        const { letters, summary } = yield* run(http, {}, 12)
        assert.isAtMost(sent.filter((at) => at < 60_000).length, 40)
        assert.isAtMost(sent.length, 60)
        assert.deepEqual(letters, [])
        assert.deepInclude(summary, { notAttempted: 40, failed: 0, exit: 2 })
        assert.strictEqual(summary.stopped?.tag, "ServiceUnreachable")
        assert.match(summary.stopped?.message ?? "", /succeeded for 600 seconds.*Service Unavailable/)
        assert.isAtLeast(Math.max(...sent), 500_000)
      })
  )

  it.effect("loses nothing when it comes back within the limit", () =>
    Effect.gen(function* () {
      const { http, sent } = serviceOf((at) => (at < 300_000 ? unavailable : stored))
      const { summary } = yield* run(http, {}, 10)
      assert.deepInclude(summary, { stored: 40, failed: 0 })
      assert.isAtMost(sent.filter((at) => at < 300_000).length, 50)
    })
  )

  it.effect("is healthy again after one answer about a document, a refusal included", () =>
    Effect.gen(function* () {
      const refusal: Scripted = [413, { error: "Payload Too Large" }]
      const { http, sent } = serviceOf((at, request) =>
        request % 9 === 0 ? refusal : at < 20_000 ? unavailable : stored
      )
      const { summary } = yield* run(http, { concurrency: 1 }, 10)
      assert.strictEqual(summary.stopped, undefined)
      assert.isAbove(sent.filter((at) => at < 20_000).length, 25)
    })
  )
})

describe("A 429 without an error record and without a wait", () => {
  it.effect("spaces requests out, as any 429 does, so that most documents are still there when it passes", () =>
    Effect.gen(function* () {
      const { http, sent } = serviceOf((at) => (at < 100 || at >= 20_000 ? stored : blocked))
      const { summary } = yield* run(http, { concurrency: 8 }, 30)
      assert.isAtMost(sent.filter((at) => at >= 100 && at < 20_000).length, 60)
      assert.isAtLeast(summary.stored, 25)
      assert.isTrue(summary.failures.every(({ retryable }) => retryable))
    })
  )
})
