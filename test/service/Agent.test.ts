import { assert, describe, it } from "@effect/vitest"
import * as Agent from "docsluice/service/Agent"
import { Chunk, Effect, Either, Fiber, Stream, TestClock } from "effect"
import { agentDouble, clientOf, jobId } from "./agentDouble.ts"
import {
  type Answer,
  cancelled,
  completed,
  event,
  failed,
  finished,
  hour,
  processing,
  request,
  scripted,
  type Sent,
  submitted,
  trace
} from "./agentScript.ts"

describe("Agent.run", () => {
  it.effect("submits, polls with growing pauses up to the longest, and ends with the result", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const polls = [processing, processing, processing, processing, processing, processing, completed]
      const updates = yield* hour(
        Stream.runCollect(Agent.run(request, { longestPause: "4 seconds" })).pipe(
          Effect.provide(scripted({ "POST ": [submitted], "GET ": polls }, sent))
        )
      )
      assert.deepStrictEqual(
        Chunk.toReadonlyArray(updates).map(({ _tag, jobId }) => [_tag, jobId]),
        [
          ["Submitted", jobId],
          ["Changed", jobId],
          ["Completed", jobId]
        ]
      )
      const last = Chunk.unsafeLast(updates)
      assert.deepInclude(last._tag === "Completed" ? last.job : {}, { data: 42, creditsUsed: 9 })
      assert.deepStrictEqual(
        sent.map(({ at }) => at),
        [0, 0, 1000, 2500, 4750, 8125, 12_125, 16_125]
      )
    })
  )

  it.effect("begins again with the first pause when state or credits change", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const paused: Answer = [200, { status: "paused", creditsUsed: 1 }]
      const states: ReadonlyArray<Answer> = [
        processing,
        processing,
        paused,
        paused,
        [200, { status: "paused", creditsUsed: 2 }],
        completed
      ]
      const updates = yield* hour(
        Stream.runCollect(Agent.follow(jobId)).pipe(Effect.provide(scripted({ "GET ": states }, sent)))
      )
      assert.deepStrictEqual(
        Chunk.toReadonlyArray(updates).map((update) => (update._tag === "Submitted" ? "" : update.job.rawStatus)),
        ["processing", "paused", "paused", "completed"]
      )
      assert.deepStrictEqual(
        sent.map(({ at }) => at),
        [0, 1000, 2500, 3500, 5000, 6000]
      )
    })
  )

  it.effect("gives the completed job alone as a result", () =>
    Effect.gen(function* () {
      const job = yield* hour(
        Effect.provide(Agent.result(request), scripted({ "POST ": [submitted], "GET ": [processing, completed] }))
      )
      assert.strictEqual(job.data, 42)
    })
  )

  const endings: ReadonlyArray<readonly [string, object, object]> = [
    ["cancelled", { outcome: "cancelled", error: { code: "cancelled", retryable: false } }, { rawCode: "cancelled" }],
    [
      "credit_limit_reached",
      { outcome: "credit_limit_reached", error: { code: "credit_limit_reached", retryable: true } },
      { retryable: true }
    ],
    ["parent_finished", { outcome: "failed", error: { code: "parent_finished", retryable: false } }, {}],
    ["refused", { outcome: "refused", error: { code: "refused", retryable: false } }, {}],
    ["internal", { outcome: "failed", error: { code: "internal", retryable: true } }, { retryable: true }],
    [
      "credit_limit_reached",
      { outcome: "credit_limit_reached" },
      { rawCode: "credit_limit_reached", retryable: false }
    ],
    ["refused", { outcome: "refused", error: { code: "policy", retryable: false } }, { rawCode: "policy" }],
    ["internal", { outcome: "imploded", error: { code: "new", retryable: true } }, { rawCode: "new", retryable: true }],
    ["internal", { outcome: "failed" }, { rawCode: "failed" }]
  ]
  for (const [code, ending, more] of endings) {
    it.effect(`a failed run is AgentRunFailed: ${code} from ${JSON.stringify(ending)}`, () =>
      Effect.gen(function* () {
        const layer = scripted({
          "POST ": [submitted],
          "GET ": [processing, failed],
          "GET /trace": [trace(event(1), finished(2, ending))]
        })
        const end = yield* hour(Effect.either(Effect.provide(Agent.result(request), layer)))
        assert.isTrue(Either.isLeft(end) && end.left._tag === "AgentRunFailed")
        assert.deepInclude(Either.isLeft(end) ? { ...end.left } : {}, {
          jobId,
          code,
          creditsUsed: 0,
          creditsConsumed: 31,
          error: "The run failed.",
          ...more
        })
      })
    )
  }

  const untraced: ReadonlyArray<readonly [string, object]> = [
    ["credit_limit_reached", { status: "failed", error: "The credit limit of 5 was reached" }],
    ["cancelled", { status: "failed", error: "The run was cancelled" }],
    ["cancelled", { status: "cancelled" }],
    ["internal", { status: "failed" }]
  ]
  for (const [code, body] of untraced) {
    it.effect(`without a trace, the record says why: ${JSON.stringify(body)}`, () =>
      Effect.gen(function* () {
        const layer = scripted({
          "GET ": [[200, body]],
          "GET /trace": [[400, { error: "Trace is only available for Spark 2 extracts" }]]
        })
        const end = yield* hour(Effect.either(Effect.provide(Stream.runDrain(Agent.follow(jobId)), layer)))
        assert.isTrue(Either.isLeft(end) && end.left._tag === "AgentRunFailed" && end.left.code === code)
        assert.isFalse(Either.isLeft(end) && "rawCode" in end.left && end.left.rawCode !== undefined)
      })
    )
  }

  it.effect("interruption between two polls cancels the job", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const layer = scripted({ "POST ": [submitted], "GET ": [processing], "DELETE ": [cancelled] }, sent)
      const fiber = yield* Effect.fork(Effect.provide(Agent.result(request), layer))
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(
        sent.map(({ row }) => row),
        ["POST ", "GET ", "DELETE "]
      )
    })
  )

  it.effect("interruption while the submission is on its way waits for its answer, then cancels the job", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const layer = scripted({ "POST ": [submitted], "DELETE ": [cancelled] }, sent, "5 seconds")
      const fiber = yield* Effect.fork(Effect.provide(Agent.result(request), layer))
      yield* TestClock.adjust("1 second")
      const ending = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(sent, [{ at: 0, row: "POST " }])
      yield* TestClock.adjust("6 seconds")
      yield* Fiber.join(ending)
      assert.deepStrictEqual(sent.slice(1), [{ at: 5000, row: "DELETE " }])
    })
  )

  it.effect("interruption while a submission waits to be sent again ends at once, without a job", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const layer = scripted({ "POST ": [[429, { error: "Rate limit exceeded, retry after 60s" }]] }, sent)
      const fiber = yield* Effect.fork(Effect.provide(Agent.result(request), layer))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(sent, [{ at: 0, row: "POST " }])
    })
  )

  it.effect("leaving the stream before its end cancels the job", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const layer = scripted({ "POST ": [submitted], "GET ": [processing], "DELETE ": [cancelled] }, sent)
      yield* Effect.provide(Stream.runDrain(Stream.take(Agent.run(request), 1)), layer)
      assert.strictEqual(sent.at(-1)?.row, "DELETE ")
    })
  )

  it.effect("a job that ended, well or not, is not cancelled", () =>
    Effect.gen(function* () {
      for (const last of [completed, failed]) {
        const sent: Array<Sent> = []
        const layer = scripted({ "POST ": [submitted], "GET ": [last], "GET /trace": [trace()] }, sent)
        yield* hour(Effect.either(Effect.provide(Agent.result(request), layer)))
        assert.notInclude(
          sent.map(({ row }) => row),
          "DELETE "
        )
      }
    })
  )

  it.effect("a cancellation that gets no answer ends after ten seconds", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const layer = scripted(
        {
          "POST ": [submitted],
          "GET ": [processing],
          "DELETE ": [[429, { error: "Rate limit exceeded, retry after 60s" }]]
        },
        sent
      )
      const fiber = yield* Effect.fork(Effect.provide(Agent.result(request), layer))
      yield* TestClock.adjust("500 millis")
      const ending = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("9 seconds")
      assert.isNull(ending.unsafePoll())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(ending)
    })
  )

  it.effect("polls that fail for good keep the id of the job, and the job", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const layer = scripted({ "POST ": [submitted], "GET ": [processing, [401, { error: "Unauthorized" }]] }, sent)
      const end = yield* hour(Effect.either(Effect.provide(Agent.result(request), layer)))
      assert.isTrue(Either.isLeft(end) && end.left._tag === "AgentFollowFailed")
      assert.isTrue(
        Either.isLeft(end) && end.left._tag === "AgentFollowFailed" && end.left.cause._tag === "Unauthorized"
      )
      assert.include(Either.isLeft(end) ? end.left.message : "", jobId)
      assert.deepStrictEqual(
        sent.map(({ row }) => row),
        ["POST ", "GET ", "GET "]
      )
    })
  )

  it.scopedLive("over real sockets: a job is watched, and cancelled when the fiber is interrupted", () =>
    Effect.gen(function* () {
      const double = yield* agentDouble
      double.on("POST /agent", [200, { success: true, id: jobId }])
      double.on(`GET /agent/${jobId}`, "reset", [200, { status: "processing" }])
      double.on(`DELETE /agent/${jobId}`, [200, { success: true }])
      const watching = Stream.runForEach(Agent.run(request), (update) =>
        update._tag === "Changed" ? Effect.interrupt : Effect.void
      )
      yield* Effect.exit(Effect.provide(watching, clientOf(double)))
      assert.deepStrictEqual(double.asked(), [
        "POST /agent",
        `GET /agent/${jobId}`,
        `GET /agent/${jobId}`,
        `DELETE /agent/${jobId}`
      ])
    })
  )
})
