import { assert, describe, it } from "@effect/vitest"
import * as AgentClient from "docsluice/service/AgentClient"
import { Either, Schema } from "effect"
import * as AgentJob from "../../src/internal/client/agentJob.ts"

const decode = Schema.decodeUnknownSync

const accepts = (request: unknown) => Either.isRight(Schema.decodeUnknownEither(AgentJob.AgentRequest)(request))

describe("AgentJob", () => {
  it("bounds the prompt and the credits of a request", () => {
    assert.isTrue(accepts({ prompt: "x".repeat(10_000), maxCredits: 1, model: "spark-2" }))
    assert.isFalse(accepts({ prompt: "x".repeat(10_001) }))
    assert.isFalse(accepts({ prompt: "" }))
    assert.isFalse(accepts({}))
    assert.isFalse(accepts({ prompt: "x", maxCredits: 0 }))
  })

  it("takes UUIDs as job ids and nothing else", () => {
    const isJobId = Schema.is(AgentJob.JobId)
    assert.isTrue(isJobId("7b5df27a-1f0e-4c1d-9a52-0d6d3d6b1a55"))
    assert.isFalse(isJobId("7b5df27a"))
  })

  it("keeps members, states and event types that it does not know", () => {
    const job = { status: "paused", creditsUsed: 0, later: { a: 1 } }
    assert.deepStrictEqual(decode(AgentJob.AgentJob)(job), job)
    const trace = {
      id: "1",
      events: [
        { type: "agent.dreamt", dream: ["x"], agent: { id: "a", mood: 1 } },
        { type: "error.occurred", error: { code: "new_code", retryable: true, source: "x", hint: 1 } }
      ],
      creditsUsed: 1
    }
    assert.deepStrictEqual(decode(AgentJob.Trace)(trace), trace)
    const snapshot = { snapshotId: "s", snapshot: "text", more: true }
    assert.deepStrictEqual(decode(AgentJob.Snapshot)(snapshot), snapshot)
  })

  it("refuses an event without a type and an error that does not say whether to try again", () => {
    const isEvent = Schema.is(AgentJob.TraceEvent)
    assert.isFalse(isEvent({ outcome: "failed" }))
    assert.isFalse(isEvent({ type: "error.occurred", error: { code: "internal" } }))
  })

  it("knows the states that end a job", () => {
    assert.deepStrictEqual(
      [...AgentJob.states, "paused"].filter((state) => AgentJob.isTerminal(state)),
      ["completed", "failed", "cancelled"]
    )
  })

  it("finds the snapshot of an event wherever it stands", () => {
    assert.strictEqual(AgentJob.snapshotIdOf({ type: "artifact.updated", snapshotId: "a" }), "a")
    assert.strictEqual(AgentJob.snapshotIdOf({ type: "artifact.updated", artifact: { snapshotId: "b" } }), "b")
    assert.isUndefined(AgentJob.snapshotIdOf({ type: "run.started" }))
  })

  it("says in one line which run failed and why", () => {
    const error = new AgentClient.AgentRunFailed({ jobId: "j", code: "refused", retryable: false, error: "No." })
    assert.strictEqual(error.message, "agent job j: refused: No.")
  })
})
