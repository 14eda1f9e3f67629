import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import type { TraceEvent } from "docsluice/service/Agent"
import { AgentPassthroughFailed, catalogue } from "docsluice/service/AgentClient"
import { AgentFailed, AgentRefused } from "docsluice/service/AgentJobs"
import { Deferred, Effect, Exit, Fiber, Redacted, Scope } from "effect"
import { snapshotIdOf } from "../../src/internal/client/agentJob.ts"
import type * as ScriptedRunner from "../fixtures/ScriptedRunner.ts"
import {
  cancel,
  ended,
  folder,
  get,
  isRow,
  startAgents,
  statusOf,
  submit,
  submitted,
  traceOf,
  unknown,
  until,
  waiting
} from "./agentFixture.ts"
import { assertError } from "./serverFixture.ts"

/** The last event of a trace. */
const last = ({ events }: { readonly events: ReadonlyArray<TraceEvent> }) => events.at(-1)

const types = ({ events }: { readonly events: ReadonlyArray<TraceEvent> }) => events.map(({ type }) => type)

/** A run that takes its time to end when it is interrupted. */
const slowToEnd = (let_: Deferred.Deferred<void>): ScriptedRunner.Script => ({
  run: (agent) =>
    agent.emit({ type: "progress.reported", phase: "working", message: "waiting" }).pipe(
      Effect.zipRight(Effect.never),
      Effect.onInterrupt(() => Deferred.await(let_))
    )
})

describe("agent jobs: rows of the catalogue", () => {
  it.scopedLive("InvalidJobId: an id that is not a UUID, at every endpoint", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({})
      isRow(yield* get(base, "/nonsense"), "InvalidJobId")
      isRow(yield* get(base, "/nonsense/trace"), "InvalidJobId")
      isRow(yield* get(base, `/nonsense/snapshots/${unknown}`), "InvalidJobId")
      isRow(yield* cancel(base, "nonsense"), "InvalidJobId")
    })
  )

  it.scopedLive("InvalidSnapshotId and SnapshotNotFound: malformed, not there, and of another job", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({
        scripts: {
          writes: { run: (agent) => agent.write({ artifactId: "a", kind: "text", change: "init", content: "one" }) }
        }
      })
      const id = yield* submitted(base, "writes")
      const other = yield* submitted(base, "other")
      yield* ended(base, id)
      const snapshotId = (yield* traceOf(base, id)).events.map(snapshotIdOf).find((found) => found !== undefined)
      isRow(yield* get(base, `/${id}/snapshots/nonsense`), "InvalidSnapshotId")
      isRow(yield* get(base, `/${id}/snapshots/${unknown}`), "SnapshotNotFound")
      isRow(yield* get(base, `/${other}/snapshots/${snapshotId}`), "SnapshotNotFound")
    })
  )

  it.scopedLive("TraceUnavailable and SnapshotsUnavailable: a job of a model that records neither", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({ scripts: { old: { traced: false } } })
      const id = yield* submitted(base, "old")
      isRow(yield* get(base, `/${id}/trace`), "TraceUnavailable")
      isRow(yield* get(base, `/${id}/snapshots/${unknown}`), "SnapshotsUnavailable")
      assert.deepInclude(yield* ended(base, id), { status: "completed", model: "spark-1-pro" })
    })
  )

  it.scopedLive("ZeroDataRetentionConflict: an owner whose data must not be retained", () =>
    Effect.gen(function* () {
      const hash = yield* Accounts.hashKey(Redacted.make("a"))
      const base = yield* startAgents({ server: { plans: [{ name: "strict", hash, zeroDataRetention: "required" }] } })
      isRow(yield* submit(base, { prompt: "x" }), "ZeroDataRetentionConflict")
    })
  )

  it.scopedLive("AgentJobNotFound: an unknown id, and a job of another key, at every endpoint", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({
        server: { keys: [Redacted.make("a"), Redacted.make("b")] },
        scripts: { waiting }
      })
      const id = yield* submitted(base, "waiting")
      for (const [job, key] of [
        [unknown, "a"],
        [id, "b"]
      ] as const) {
        isRow(yield* get(base, `/${job}`, key), "AgentJobNotFound")
        isRow(yield* get(base, `/${job}/trace`, key), "AgentJobNotFound")
        isRow(yield* get(base, `/${job}/snapshots/${unknown}`, key), "AgentJobNotFound")
        isRow(yield* cancel(base, job, key), "AgentJobNotFound")
      }
      assert.strictEqual((yield* statusOf(base, id)).status, "processing")
      assertError(yield* get(base, `/${id}`, "c"), 401, "Unauthorized: Invalid token")
      assertError(yield* submit(base, { prompt: "x" }, "c"), 401, "Unauthorized: Invalid token")
    })
  )

  it.scopedLive("Forbidden: a key without the permission agent, while one with it alone may submit", () =>
    Effect.gen(function* () {
      const a = yield* Accounts.hashKey(Redacted.make("a"))
      const b = yield* Accounts.hashKey(Redacted.make("b"))
      const base = yield* startAgents({
        server: {
          plans: [
            { name: "parses", hash: a, permissions: ["parse"] },
            { name: "asks", hash: b, permissions: ["agent"] }
          ]
        }
      })
      assertError(yield* submit(base, { prompt: "x" }, "a"), 403, /^Forbidden: this key may not use agent/)
      assertError(yield* get(base, `/${unknown}`, "a"), 403, /^Forbidden/)
      assert.strictEqual((yield* submit(base, { prompt: "x" }, "b")).status, 200)
    })
  )

  it.scopedLive("AgentPassthroughFailed: the runner rejects the submission", () =>
    Effect.gen(function* () {
      const { error, status } = catalogue.AgentPassthroughFailed
      const base = yield* startAgents({
        scripts: { rejected: { refusal: new AgentPassthroughFailed({ status, error }) } }
      })
      isRow(yield* submit(base, { prompt: "rejected" }), "AgentPassthroughFailed")
    })
  )
})

describe("agent jobs: transitions", () => {
  it.scopedLive("a run that succeeds is completed with its result, and charged", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({ server: { credits: 2 } })
      const id = yield* submitted(base, "why?", { maxCredits: 2 })
      const job = yield* ended(base, id)
      assert.deepInclude(job, {
        success: true,
        status: "completed",
        data: { answer: "why?" },
        creditsUsed: 1,
        model: "spark-2"
      })
      assert.notProperty(job, "error")
      const trace = yield* traceOf(base, id)
      assert.deepEqual(types(trace), [
        "run.started",
        "agent.started",
        "progress.reported",
        "agent.finished",
        "run.finished"
      ])
      assert.deepInclude(last(trace), { outcome: "succeeded", error: null, schemaVersion: 1, runId: id })
      assert.deepEqual(
        trace.events.map(({ producerSequence }) => producerSequence),
        [1, 2, 3, 4, 5]
      )
      assert.strictEqual(new Set(trace.events.map(({ eventId }) => eventId)).size, 5)
      assertError(yield* submit(base, { prompt: "more", maxCredits: 2 }), 402, /^Payment Required/)
    })
  )

  it.scopedLive("a run that reaches maxCredits has failed, is not charged, and shows no data", () =>
    Effect.gen(function* () {
      const after: Array<string> = []
      const base = yield* startAgents({
        scripts: {
          dear: {
            run: (agent) =>
              agent
                .spend(2)
                .pipe(
                  Effect.zipRight(agent.spend(1)),
                  Effect.zipRight(Effect.sync(() => after.push("the run went on"))),
                  Effect.as("data")
                )
          }
        }
      })
      const id = yield* submitted(base, "dear", { maxCredits: 3 })
      const job = yield* ended(base, id)
      assert.deepInclude(job, { status: "failed", creditsUsed: 0 })
      assert.match(job.error ?? "", /credit limit of 3/)
      assert.notProperty(job, "data")
      const trace = yield* traceOf(base, id)
      assert.strictEqual(trace.creditsUsed, 3)
      assert.deepInclude(last(trace), { type: "run.finished", outcome: "credit_limit_reached" })
      assert.deepInclude(last(trace)?.error, { code: "credit_limit_reached", retryable: false })
      assert.deepEqual(after, [])
      isRow(yield* cancel(base, id), "AgentAlreadyFinished")
    })
  )

  it.scopedLive("a run that is cancelled stays processing until its runner has ended, and has failed then", () =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const base = yield* startAgents({ scripts: { slow: slowToEnd(end) } })
      yield* Effect.addFinalizer(() => Deferred.succeed(end, undefined))
      const id = yield* submitted(base, "slow")
      yield* until(base, id, "progress.reported")
      assert.deepInclude(yield* cancel(base, id), { status: 200, body: { success: true } })
      isRow(yield* cancel(base, id), "AgentAlreadyCancelled")
      assert.strictEqual((yield* statusOf(base, id)).status, "processing")
      assert.deepInclude(last(yield* traceOf(base, id)), { type: "run.cancel_requested", reason: "user" })
      yield* Deferred.succeed(end, undefined)
      const job = yield* ended(base, id)
      assert.deepInclude(job, { status: "failed", creditsUsed: 0 })
      assert.match(job.error ?? "", /cancelled/)
      const trace = yield* traceOf(base, id)
      assert.deepInclude(last(trace), { type: "run.finished", outcome: "cancelled" })
      assert.deepInclude(last(trace)?.error, { code: "cancelled", retryable: false })
      isRow(yield* cancel(base, id), "AgentAlreadyFinished")
      assert.deepInclude(yield* statusOf(base, id), { status: "failed", error: job.error })
    })
  )

  it.scopedLive("a completed job does not change when it is cancelled", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({})
      const id = yield* submitted(base, "done")
      const job = yield* ended(base, id)
      isRow(yield* cancel(base, id), "AgentAlreadyFinished")
      assert.deepEqual(yield* statusOf(base, id), job)
      assert.notInclude(types(yield* traceOf(base, id)), "run.cancel_requested")
    })
  )

  it.scopedLive("a job that waits for its turn is processing, and can be cancelled before it begins", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({ scripts: { waiting }, concurrency: 1 })
      const first = yield* submitted(base, "waiting")
      yield* until(base, first, "progress.reported")
      const second = yield* submitted(base, "waiting")
      assert.strictEqual((yield* statusOf(base, second)).status, "processing")
      yield* cancel(base, second)
      assert.strictEqual((yield* ended(base, second)).status, "failed")
      assert.deepEqual(types(yield* traceOf(base, second)), ["run.cancel_requested", "run.finished"])
      assert.strictEqual((yield* statusOf(base, first)).status, "processing")
    })
  )

  it.scopedLive("a runner that ignores its cancellation and gives a result has been cancelled", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const base = yield* startAgents({
        scripts: {
          stubborn: {
            run: (agent) =>
              Effect.uninterruptible(
                Effect.as(
                  Effect.zipRight(agent.emit({ type: "reasoning.summary", text: "x" }), Deferred.await(go)),
                  "a result"
                )
              )
          }
        }
      })
      const id = yield* submitted(base, "stubborn")
      yield* until(base, id, "reasoning.summary")
      yield* cancel(base, id)
      yield* Deferred.succeed(go, undefined)
      const job = yield* ended(base, id)
      assert.strictEqual(job.status, "failed")
      assert.notProperty(job, "data")
    })
  )
})

describe("agent jobs: trace codes", () => {
  it.scopedLive("refused, and internal with what the runner says of a later attempt", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({
        scripts: {
          refused: { run: () => new AgentRefused({ error: "not this" }) },
          failed: { run: () => new AgentFailed({ error: "the model did not answer", retryable: true }) },
          final: { run: () => new AgentFailed({ error: "no result fits the schema", retryable: false }) },
          defect: { run: () => Effect.die(new Error("secret detail")) },
          cyclic: {
            run: () =>
              Effect.sync(() => {
                const cycle: Record<string, unknown> = {}
                cycle["self"] = cycle
                return cycle
              })
          }
        }
      })
      const expected = {
        refused: ["refused", "refused", false, /not this/],
        failed: ["failed", "internal", true, /did not answer/],
        final: ["failed", "internal", false, /fits the schema/],
        defect: ["failed", "internal", true, /failed unexpectedly/],
        cyclic: ["failed", "internal", true, /failed unexpectedly/]
      } as const
      for (const [prompt, [outcome, code, retryable, error]] of Object.entries(expected)) {
        const id = yield* submitted(base, prompt)
        const job = yield* ended(base, id)
        assert.deepInclude(job, { status: "failed", creditsUsed: 0 }, prompt)
        assert.match(job.error ?? "", error)
        const trace = yield* traceOf(base, id)
        assert.deepInclude(last(trace), { type: "run.finished", outcome })
        assert.deepInclude(last(trace)?.error, { code, retryable })
        assert.notInclude(JSON.stringify(trace), "secret detail")
      }
    })
  )

  it.scopedLive("parent_finished: sub-agents end with the agent that started them, before it does", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({
        scripts: {
          delegates: {
            run: (agent) =>
              Effect.gen(function* () {
                const quick = yield* agent.delegate("quick", (sub) => Effect.as(sub.spend(1), 7))
                yield* agent.delegate("endless", () => Effect.never)
                return yield* Fiber.join(quick)
              })
          }
        }
      })
      const id = yield* submitted(base, "delegates")
      assert.deepInclude(yield* ended(base, id), { status: "completed", data: 7, creditsUsed: 1 })
      const { events } = yield* traceOf(base, id)
      const [quick, endless] = ["quick", "endless"].map((name) => events.filter(({ agent }) => agent?.name === name))
      assert.deepEqual(
        quick?.map(({ type, outcome }) => [type, outcome]),
        [
          ["agent.started", undefined],
          ["agent.finished", "succeeded"]
        ]
      )
      assert.deepInclude(endless?.at(-1), { type: "agent.finished", outcome: "cancelled" })
      assert.deepInclude(endless?.at(-1)?.error, { code: "parent_finished", retryable: false })
      assert.deepInclude(endless?.[0]?.agent, { role: "subagent", parentId: id })
      assert.deepEqual(
        events.slice(-2).map(({ type, agent }) => [type, agent?.role]),
        [
          ["agent.finished", "orchestrator"],
          ["run.finished", "orchestrator"]
        ]
      )
    })
  )

  it.scopedLive("cancelled and credit_limit_reached reach the sub-agents", () =>
    Effect.gen(function* () {
      const delegating: ScriptedRunner.Script = {
        run: (agent) =>
          Effect.gen(function* () {
            yield* agent.delegate("endless", () => Effect.never)
            return yield* (waiting.run ?? (() => Effect.void))(agent, { prompt: "" })
          })
      }
      const base = yield* startAgents({
        scripts: {
          delegating,
          dear: {
            run: (agent) =>
              Effect.gen(function* () {
                yield* agent.delegate("endless", () => Effect.never)
                const sub = yield* agent.delegate("dear", (sub) => sub.spend(5))
                return yield* Fiber.join(sub)
              })
          }
        }
      })
      const cancelled = yield* submitted(base, "delegating")
      yield* until(base, cancelled, "progress.reported")
      yield* cancel(base, cancelled)
      const dear = yield* submitted(base, "dear", { maxCredits: 5 })
      for (const [id, code] of [
        [cancelled, "cancelled"],
        [dear, "credit_limit_reached"]
      ] as const) {
        yield* ended(base, id)
        const { events } = yield* traceOf(base, id)
        const finished = events.filter(({ type }) => type === "agent.finished" || type === "run.finished")
        assert.isAtLeast(finished.length, 3)
        for (const { error } of finished) assert.strictEqual(error?.code, code)
      }
    })
  )

  it.scopedLive("internal, retryable: a job that was running when the service stopped", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const scope = yield* Scope.make()
      const first = yield* Scope.extend(startAgents({ directory, scripts: { waiting }, server: { grace: 0 } }), scope)
      const running = yield* submitted(first, "waiting")
      const done = yield* submitted(first, "done")
      yield* until(first, running, "progress.reported")
      yield* ended(first, done)
      yield* Scope.close(scope, Exit.void)
      const second = yield* startAgents({ directory })
      assert.deepInclude(yield* statusOf(second, running), { status: "failed", creditsUsed: 0 })
      assert.deepInclude(last(yield* traceOf(second, running))?.error, { code: "internal", retryable: true })
      assert.deepInclude(yield* statusOf(second, done), { status: "completed", data: { answer: "done" } })
      isRow(yield* cancel(second, running), "AgentAlreadyFinished")
    })
  )
})
