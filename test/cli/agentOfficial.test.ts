import { assert, describe, it } from "@effect/vitest"
import { Firecrawl } from "@mendable/firecrawl-js"
import { Effect, Schema } from "effect"
import * as AgentPlace from "./agentPlace.ts"

/** Answers the prompts about rain, and no others. */
const answering = (messages: Parameters<typeof AgentPlace.finding>[0]): AgentPlace.Reply =>
  JSON.stringify(messages).includes("How much rain") ? AgentPlace.finding(messages) : "never"

const Answered = Schema.Struct({ answer: Schema.String })

describe("docsluice serve --agent-store and the official client", () => {
  it.scopedLive("starts, follows by its own polling, reads and cancels jobs", () =>
    Effect.gen(function* () {
      const place = yield* AgentPlace.make
      const ingested = yield* place.run("ingest", "docs", "--to", "libsql:chunks.db")
      assert.strictEqual(ingested.status, 0, ingested.stderr)
      const model = yield* AgentPlace.model(answering)
      const words = ["--agent-store", "libsql:chunks.db", "--model", model.target]
      const server = yield* place.start("serve", "--port", "0", "--json", ...words)
      const apiUrl = (yield* AgentPlace.baseOf(server)).replace(/\/v2$/u, "")
      const client = new Firecrawl({ apiKey: "fc-a", apiUrl })

      const job = yield* Effect.promise(() => client.agent({ prompt: "How much rain fell at Brno?", pollInterval: 1 }))
      assert.strictEqual(job.status, "completed", job.error)
      assert.include(Schema.decodeUnknownSync(Answered)(job.data).answer, "612 millimetres")

      const { id: done } = yield* Effect.promise(() => client.startAgent({ prompt: "How much rain fell at Brno?" }))
      const followed = yield* Effect.promise(() => client.getAgentStatus(done)).pipe(
        Effect.delay("50 millis"),
        Effect.repeat({ until: ({ status }) => status !== "processing" })
      )
      assert.strictEqual(followed.status, "completed", followed.error)
      const { events = [] } = yield* Effect.promise(() => client.getAgentTrace(done))
      const updated = events.find((event) => event.type === "artifact.updated")
      assert(updated?.type === "artifact.updated")
      const { snapshotId } = updated.artifact
      const { snapshot } = yield* Effect.promise(() => client.getAgentSnapshot(done, snapshotId))
      assert.include(snapshot, "612 millimetres")

      const { id } = yield* Effect.promise(() => client.startAgent({ prompt: "How strong was the wind?" }))
      yield* AgentPlace.until(() => model.asked.join(), /How strong/u)
      assert.isTrue(yield* Effect.promise(() => client.cancelAgent(id)))
      const cancelled = yield* Effect.promise(() => client.getAgentStatus(id)).pipe(
        Effect.delay("50 millis"),
        Effect.repeat({ until: ({ status }) => status !== "processing" })
      )
      assert.strictEqual(cancelled.status, "failed")
      assert.match(cancelled.error ?? "", /cancelled/)
    })
  )
})
