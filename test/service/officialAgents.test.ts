import { assert, describe, it } from "@effect/vitest"
import { Firecrawl } from "@mendable/firecrawl-js"
import { catalogue } from "docsluice/service/AgentClient"
import { Effect, Schema } from "effect"
import type { Script } from "../fixtures/ScriptedRunner.ts"
import { startAgents, unknown, waiting } from "./agentFixture.ts"

const clientOf = (apiUrl: string, apiKey = "fc-a") => new Firecrawl({ apiKey, apiUrl })

/** Longer than a pause between two polls of the client. */
const slow: Script = {
  run: (agent) =>
    agent
      .write({ artifactId: "a", kind: "markdown", change: "init", content: "# A" })
      .pipe(Effect.zipRight(agent.spend(2)), Effect.zipRight(Effect.sleep("1200 millis")), Effect.as({ answer: 42 }))
}

const Thrown = Schema.Struct({ message: Schema.String, status: Schema.Number })

const thrownBy = (call: () => Promise<unknown>) =>
  Effect.flip(Effect.tryPromise({ try: call, catch: (error) => Schema.decodeUnknownSync(Thrown)(error) }))

const polled = (client: Firecrawl, id: string) =>
  Effect.promise(() => client.getAgentStatus(id)).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: ({ status }) => status !== "processing" })
  )

describe("the official client with agent jobs", () => {
  it.scopedLive("starts a job, polls it to its result, and reads its trace and snapshot", () =>
    Effect.gen(function* () {
      const client = clientOf(yield* startAgents({ scripts: { slow } }))
      const { id, success } = yield* Effect.promise(() =>
        client.startAgent({ prompt: "slow", model: "spark-2", maxCredits: 5, schema: { type: "object" } })
      )
      assert.isTrue(success)
      assert.strictEqual((yield* Effect.promise(() => client.getAgentStatus(id))).status, "processing")
      const job = yield* polled(client, id)
      assert.deepInclude(job, { status: "completed", data: { answer: 42 }, creditsUsed: 2, model: "spark-2" })
      assert.isAbove(Date.parse(job.expiresAt), Date.now())
      const { events = [] } = yield* Effect.promise(() => client.getAgentTrace(id))
      assert.strictEqual(events.at(-1)?.type, "run.finished")
      const updated = events.find((event) => event.type === "artifact.updated")
      const snapshotId = updated?.type === "artifact.updated" ? updated.artifact.snapshotId : ""
      const read = yield* Effect.promise(() => client.getAgentSnapshot(id, snapshotId))
      assert.strictEqual(read.snapshot, "# A")
    })
  )

  it.scopedLive("waits for a job by its own polling", () =>
    Effect.gen(function* () {
      const client = clientOf(yield* startAgents({ scripts: { slow } }))
      const job = yield* Effect.promise(() => client.agent({ prompt: "slow", pollInterval: 1 }))
      assert.deepInclude(job, { status: "completed", data: { answer: 42 } })
    })
  )

  it.scopedLive("cancels a job, which has failed then, and is told that it has", () =>
    Effect.gen(function* () {
      const client = clientOf(yield* startAgents({ scripts: { waiting } }))
      const { id } = yield* Effect.promise(() => client.startAgent({ prompt: "waiting" }))
      assert.isTrue(yield* Effect.promise(() => client.cancelAgent(id)))
      const job = yield* polled(client, id)
      assert.deepInclude(job, { status: "failed", creditsUsed: 0 })
      assert.match(job.error ?? "", /cancelled/)
      const { error, status } = catalogue.AgentAlreadyFinished
      assert.deepInclude(yield* thrownBy(() => client.cancelAgent(id)), { status, message: error })
    })
  )

  it.scopedLive("is told which of its operations and members are not served", () =>
    Effect.gen(function* () {
      const client = clientOf(yield* startAgents({}))
      const refusals = [
        [400, /^urls is not supported/, () => client.startAgent({ prompt: "x", urls: ["https://example.com"] })],
        [400, /^effort is not supported/, () => client.startAgent({ prompt: "x", effort: "low" })],
        [400, /^webhook is not supported/, () => client.startAgent({ prompt: "x", webhook: "https://example.com" })],
        [404, /does not list/, () => client.listAgents()],
        [404, /no threads/, () => client.getAgentThread(unknown)],
        [404, /^Agent job not found/, () => client.getAgentStatus(unknown)],
        [400, /^Invalid job ID format/, () => client.getAgentTrace("7b")]
      ] as const
      for (const [status, message, call] of refusals) {
        const thrown = yield* thrownBy(call)
        assert.strictEqual(thrown.status, status)
        assert.match(thrown.message, message)
      }
    })
  )
})
