import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import * as Agent from "docsluice/service/Agent"
import * as AgentClient from "docsluice/service/AgentClient"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { agentDouble, failure, jobId, jobPath, type Reply, submit, submitted, using } from "./agentDouble.ts"
import { apart, impatient } from "./collaborators.ts"

describe("AgentClient.submit", () => {
  const noJob: Readonly<Record<string, Reply>> = {
    "a rate limit": [429, { error: "Rate limit exceeded" }, { "retry-after": "0" }],
    "a concurrency limit": [429, { error: "Concurrency limit reached" }],
    "a 503": [503, { error: "Service Unavailable" }],
    "the row of a rejected submission": [500, { error: "Failed to passthrough agent request." }]
  }
  for (const [name, reply] of Object.entries(noJob)) {
    it.scopedLive(`submits again after ${name}, since no job can exist`, () =>
      Effect.gen(function* () {
        const double = yield* agentDouble
        double.on("POST /agent", reply, reply, submitted)
        assert.strictEqual(yield* using(double, submit), jobId)
        assert.lengthOf(double.log, 3)
      })
    )
  }

  it.scopedLive("submits again after the row of a rejected submission, though the key is a word of it", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on("POST /agent", [500, { error: "Failed to passthrough agent request." }], submitted)
      assert.strictEqual(yield* using(double, submit, { apiKey: Redacted.make("agent") }), jobId)
    })
  )

  it.live("submits again after a refused connection", () =>
    Effect.gen(function* () {
      let sent = 0
      const http = HttpClient.make((request) => {
        sent += 1
        if (sent > 2) return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json({ id: jobId })))
        const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" })
        return Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))
      })
      const layer = AgentClient.layer({ baseUrl: "http://localhost:1", retry: impatient }).pipe(
        Layer.provide([apart(), Layer.succeed(HttpClient.HttpClient, http)])
      )
      assert.strictEqual(yield* Effect.provide(Effect.flatMap(AgentClient.AgentClient, submit), layer), jobId)
      assert.strictEqual(sent, 3)
    })
  )

  const open: Readonly<Record<string, readonly [Reply, string]>> = {
    "a connection that broke": ["reset", "ConnectionFailed"],
    "no answer in time": ["never", "ConnectionFailed"],
    "a 500 of another text": [[500, { error: "Internal Server Error" }], "InternalServerError"],
    "a 500 that only begins as the row": [
      [500, { error: "Failed to passthrough agent request. Upstream timed out" }],
      "AgentPassthroughFailed"
    ],
    "a 502": [[502, "<html>"], "BadGateway"],
    "a 504": [[504, { error: "Gateway Timeout" }], "GatewayTimeout"],
    "a 408": [[408, { error: "Request Timeout" }], "RequestTimeout"],
    "a success without an id": [[200, { success: true }], "UnexpectedResponse"],
    "a success that is not JSON": [[200, "<html>hello</html>"], "UnexpectedResponse"],
    "an empty success": [[200, ""], "UnexpectedResponse"]
  }
  for (const [name, [reply, cause]] of Object.entries(open)) {
    it.scopedLive(`never submits again after ${name}, and says that the job may exist`, () =>
      Effect.gen(function* () {
        const double = yield* agentDouble
        double.on("POST /agent", reply, submitted)
        const error = yield* failure(using(double, submit, { timeout: "300 millis" }))
        assert.strictEqual(error._tag, "AgentJobMayExist")
        if (error._tag !== "AgentJobMayExist") return
        assert.strictEqual(error.cause._tag, cause)
        assert.include(error.message, "the job may exist")
        assert.deepStrictEqual(double.asked(), ["POST /agent"])
      })
    )
  }

  it.scopedLive("an exhausted or final refusal of a submission is the row itself, not a job that may exist", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      for (const [reply, tag, times] of [
        [[503, { error: "Service Unavailable" }], "ServiceUnavailable", 5],
        [[500, { error: "Failed to passthrough agent request." }], "AgentPassthroughFailed", 5],
        [[402, { error: "Payment Required: Insufficient credits" }], "PaymentRequired", 1],
        [[302, "", { location: "http://127.0.0.1:1/" }], "UnexpectedResponse", 1]
      ] as const) {
        const before = double.log.length
        double.on("POST /agent", reply)
        assert.strictEqual((yield* failure(using(double, submit)))._tag, tag)
        assert.strictEqual(double.log.length - before, times, tag)
      }
    })
  )

  const wrong: ReadonlyArray<readonly [unknown, string]> = [
    [{ prompt: "" }, "prompt is"],
    [{ prompt: "x".repeat(Agent.maxPromptLength + 1) }, "prompt is a text of 10001 characters"],
    [{}, "prompt is undefined"],
    [{ prompt: "x", maxCredits: 0 }, "maxCredits is 0; expected a number above 0"],
    [{ prompt: "x", maxCredits: Infinity }, "maxCredits is Infinity"],
    [{ prompt: "x", maxCredit: 5 }, "maxCredit is 5; expected one of prompt, urls"],
    [{ prompt: "x", schema: { bound: 1n } }, "cannot be written as JSON"],
    [{ prompt: "x", schema: { long: "x".repeat(Agent.maxRequestBytes) } }, "expected at most 10485760 bytes"]
  ]
  for (const [request, message] of wrong) {
    it.scopedLive(`refuses a request before it is sent: ${message}`, () =>
      Effect.gen(function* () {
        const double = yield* agentDouble
        // A program without types may pass anything.
        const given: { readonly prompt: string } = Object.assign({ prompt: "x" }, request)
        if (typeof request === "object" && request !== null && !("prompt" in request)) {
          Reflect.deleteProperty(given, "prompt")
        }
        const error = yield* failure(using(double, (client) => client.submit(given)))
        assert.strictEqual(error._tag, "InvalidOptions")
        assert.include(error.message, message)
        assert.lengthOf(double.log, 0)
      })
    )
  }

  it.scopedLive("a submission that is interrupted while it is answered cancels its job", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on(`DELETE ${jobPath}`, [200, { success: true }])
      double.on("POST /agent", submitted)
      let arrived = (): void => {}
      const reached = new Promise<void>((resolve) => {
        arrived = resolve
      })
      const slow = Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, (http) =>
          HttpClient.transform(http, (sent, request) =>
            Effect.tap(sent, () =>
              request.method === "POST" ? Effect.zipRight(Effect.sync(arrived), Effect.sleep("50 millis")) : Effect.void
            )
          )
        )
      )
      const slowly = AgentClient.layer({ baseUrl: double.base }).pipe(
        Layer.provide([apart(), Layer.provide(slow, UndiciHttpClient.layer())])
      )
      const fiber = yield* Effect.fork(Effect.provide(Effect.flatMap(AgentClient.AgentClient, submit), slowly))
      yield* Effect.promise(() => reached)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(double.asked(), ["POST /agent", `DELETE ${jobPath}`])
    })
  )
})
