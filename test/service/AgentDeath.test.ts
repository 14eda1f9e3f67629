import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cancel, ended, folder, killable, startAgents, statusOf, submitted, traceOf, until } from "./agentFixture.ts"

const last = (base: string, id: string) => Effect.map(traceOf(base, id), ({ events }) => events.at(-1))

describe("agent jobs: after the death of the process", () => {
  it.scopedLive(
    "every job whose id was given is there: ended ones as they were, running ones failed, cancelled ones cancelled",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const child = yield* killable(directory)
        const done = yield* submitted(child.base, "done")
        yield* ended(child.base, done)
        const running = yield* Effect.forEach(Array.from({ length: 20 }), () => submitted(child.base, "waiting"), {
          concurrency: 10
        })
        const cancelled = yield* submitted(child.base, "uninterruptible")
        yield* until(child.base, cancelled, "reasoning.summary")
        yield* cancel(child.base, cancelled)
        yield* child.kill
        const base = yield* startAgents({ directory: join(directory, "jobs") })
        assert.deepInclude(yield* statusOf(base, done), { status: "completed", data: { answer: "done" } })
        for (const id of running) {
          assert.strictEqual((yield* statusOf(base, id)).status, "failed")
          assert.deepInclude((yield* last(base, id))?.error, { code: "internal", retryable: true })
        }
        assert.deepInclude((yield* last(base, cancelled))?.error, { code: "cancelled", retryable: false })
      })
  )
})
