import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import * as Agent from "docsluice/service/Agent"
import * as AgentClient from "docsluice/service/AgentClient"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Redacted, Stream } from "effect"
import {
  cancel,
  ended,
  folder,
  killable,
  standby,
  startAgents,
  statusOf,
  submitted,
  traceOf,
  until
} from "./agentFixture.ts"
import { apart } from "./collaborators.ts"

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

  it.scopedLive(
    "200 jobs at once, and a server that is killed again and again in the middle of one, end as the table has it",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const standbys = yield* Effect.all(Array.from({ length: 4 }, () => standby(directory, 1_000_000)))
        const [begin, ...next] = standbys
        assert(begin !== undefined)
        const first = yield* begin(0)
        const port = Number(new URL(first.base).port)
        const client = AgentClient.layer({
          baseUrl: `${first.base}/v2`,
          apiKey: Redacted.make("a"),
          retry: { base: "50 millis", maxElapsed: "4 minutes" }
        }).pipe(Layer.provide([apart({ concurrency: 32 }), UndiciHttpClient.layer()]))

        let over = 0
        /** A job from its submission to the first state that does not change; null for one whose id was never given. */
        const followed = (millis: number) =>
          Agent.run({ prompt: `for ${millis} ms` }, { firstPause: "100 millis", longestPause: "300 millis" }).pipe(
            Stream.runLast,
            Effect.map((last) => {
              assert(last._tag === "Some" && last.value._tag === "Completed")
              return { id: last.value.jobId, status: "completed" }
            }),
            Effect.catchTag("AgentRunFailed", (failed) => {
              assert.deepInclude({ ...failed }, { code: "internal", retryable: true, creditsUsed: 0 })
              return Effect.succeed({ id: failed.jobId, status: "failed" })
            }),
            Effect.catchTag("AgentJobMayExist", () => Effect.succeed(null)),
            Effect.ensuring(Effect.sync(() => (over += 1)))
          )

        let running = first
        /** Kills a server after some of the jobs have ended, and while one that would go on for ever is running. */
        const killing = Effect.forEach(next, (begin, at) =>
          Effect.gen(function* () {
            yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => over >= 20 * (at + 1) })
            const id = yield* submitted(running.base, "waiting")
            yield* until(running.base, id, "run.started")
            yield* running.kill
            running = yield* begin(port)
            return { id, status: "failed" }
          })
        )
        const [all, interrupted] = yield* Effect.all(
          [
            Effect.forEach(
              Array.from({ length: 200 }, (_, at) => (at * 37) % 900),
              followed,
              { concurrency: "unbounded" }
            ),
            killing
          ],
          { concurrency: 2 }
        ).pipe(Effect.provide(client))

        const last = running
        const done = { id: yield* submitted(last.base, "done"), status: "completed" }
        yield* ended(last.base, done.id)

        // A submission on its way at a kill, or sent over a connection that the kill had closed, gives no id.
        const jobs = [...all.filter((job) => job !== null), ...interrupted, done]
        assert.strictEqual(new Set(jobs.map(({ id }) => id)).size, jobs.length)
        yield* Effect.forEach(
          jobs,
          ({ id, status }) =>
            Effect.gen(function* () {
              const job = yield* statusOf(last.base, id)
              assert.strictEqual(job.status, status)
              assert.strictEqual(job.creditsUsed, status === "completed" ? 1 : 0)
              const { events } = yield* traceOf(last.base, id)
              const count = (type: string) => events.filter((event) => event.type === type).length
              assert.isAtMost(count("run.started"), 1)
              assert.strictEqual(count("run.finished"), 1)
              assert.strictEqual(events.at(-1)?.type, "run.finished")
              assert.strictEqual(count("agent.finished"), count("agent.started"))
            }),
          { concurrency: 8 }
        )
        yield* last.kill
        const kept = yield* Accounts.make(join(directory, "accounts"))
        const completed = jobs.filter(({ status }) => status === "completed").length
        const unknown = all.filter((job) => job === null).length
        assert.isAtMost(yield* kept.spent(""), completed + unknown)
      })
  )
})
