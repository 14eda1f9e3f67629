import { assert, describe, it } from "@effect/vitest"
import { Engine } from "docsluice/service/Engine"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { assertError, exchange, metricsWith, start, upload } from "./serverFixture.ts"

describe("Server that stops", () => {
  /** A server, and its end. */
  const stoppable = (options: Parameters<typeof start>[0]) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const base = yield* start(options).pipe(Scope.extend(scope))
      return { base, stop: yield* Effect.cached(Scope.close(scope, Exit.void)) }
    })

  it.scopedLive("finishes what is in flight and answers 503 to what comes", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const engine = Layer.effect(
        Engine,
        Effect.map(Engine, (scripted) => ({
          ...scripted,
          parse: (...given: Parameters<typeof scripted.parse>) =>
            Effect.zipRight(Deferred.await(go), scripted.parse(...given))
        }))
      ).pipe(Layer.provide(ScriptedEngine.layer()))
      const { base, stop } = yield* stoppable({ engine })
      const parse = yield* Effect.fork(upload(base, { name: "slow.pdf" }))
      yield* metricsWith(base, "docsluice_requests_in_flight 2\n")
      const stopping = yield* Effect.fork(stop)
      const refused = yield* exchange(base, ["GET /health HTTP/1.1\r\n\r\n"]).pipe(
        Effect.repeat({ until: (answer) => answer.startsWith("HTTP/1.1 503") })
      )
      assert.match(refused, /^HTTP\/1\.1 503 /)
      assert.match(refused, /connection: close/i)
      assert.match(refused, /retry-after: [1-5]\r/i)
      assert.match(refused, /\{"success":false,"error":"Service Unavailable: [^"]+"\}$/)
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual((yield* Fiber.join(parse)).status, 200)
      yield* Fiber.join(stopping)
      assert.strictEqual(yield* exchange(base, ["GET /health HTTP/1.1\r\n\r\n"]), "")
    })
  )

  it.scopedLive("answers 503 to what is still in flight when its grace is over, an upload too", () =>
    Effect.gen(function* () {
      const { base, stop } = yield* stoppable({
        engine: { scripts: { "never.pdf": { delay: "1 hour" } } },
        server: { grace: "100 millis" }
      })
      const parse = yield* Effect.fork(upload(base, { name: "never.pdf" }))
      const half = yield* Effect.fork(
        exchange(base, [
          "POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 1000\r\n\r\n--B\r\n"
        ])
      )
      yield* metricsWith(base, "docsluice_requests_in_flight 3\n")
      yield* stop
      assertError(yield* Fiber.join(parse), 503, /^Service Unavailable/)
      assert.match(yield* Fiber.join(half), /^HTTP\/1\.1 503 /)
    })
  )

  it.scopedLive("in the middle of a real parse answers 503, not that the parser crashed", () =>
    Effect.gen(function* () {
      const { base, stop } = yield* stoppable({ engine: "native", server: { grace: 0 } })
      yield* upload(base, { name: "small.html", bytes: "<p>x" })
      const bytes = `<p>${"<b>x</b> ".repeat(400_000)}`
      const parse = yield* Effect.fork(upload(base, { name: "large.html", bytes }))
      yield* metricsWith(base, "docsluice_requests_in_flight 2\n")
      yield* Effect.sleep("200 millis")
      yield* stop
      assertError(yield* Fiber.join(parse), 503, /^Service Unavailable/)
    })
  )
})
