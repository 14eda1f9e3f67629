import { assert, describe, it } from "@effect/vitest"
import * as AgentJobs from "docsluice/service/AgentJobs"
import { Deferred, Effect, Layer, TestClock } from "effect"
import { snapshotIdOf } from "../../src/internal/client/agentJob.ts"
import * as ScriptedRunner from "../fixtures/ScriptedRunner.ts"
import {
  ended,
  folder,
  get,
  isRow,
  snapshotOf,
  startAgents,
  submit,
  submitted,
  traceOf,
  unknown
} from "./agentFixture.ts"
import { assertError, start } from "./serverFixture.ts"

describe("agent jobs: requests", () => {
  it.scopedLive("name each member that is not served, before a job exists", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({})
      const unserved = {
        webhook: "http://127.0.0.1:1",
        urls: ["http://127.0.0.1:1"],
        strictConstrainToURLs: true,
        effort: "low",
        threadId: unknown,
        mode: "chat",
        exchange: {},
        threatProtection: {}
      }
      for (const [name, value] of Object.entries(unserved)) {
        const answer = yield* submit(base, { prompt: "x", [name]: value })
        assertError(answer, 400, new RegExp(`^${name} is not supported`), "BAD_REQUEST")
      }
    })
  )

  it.scopedLive("are taken with strictConstrainToURLs false, which asks for nothing, and with 10,000 characters", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({})
      for (const body of [{ prompt: "x", strictConstrainToURLs: false }, { prompt: "\u{1F600}".repeat(10_000) }]) {
        assert.strictEqual((yield* submit(base, body)).status, 200)
      }
      assertError(yield* submit(base, { prompt: "\u{1F600}".repeat(10_001) }), 400, /^prompt is/)
    })
  )

  it.scopedLive("name what is wrong with a body: members, JSON, size", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({})
      const wrong = [
        [{}, /^prompt is missing/],
        [{ prompt: " " }, /^prompt is " "/],
        [{ prompt: "x".repeat(10_001) }, /^prompt is/],
        [{ prompt: "x", maxCredits: 0 }, /^maxCredits is 0/],
        [{ prompt: "x", schema: [] }, /^schema is an array/],
        [{ prompt: "x", nonsense: 1 }, /^nonsense is not an option/],
        ["[]", /is an array/],
        ["{", /not valid JSON/]
      ] as const
      for (const [body, error] of wrong) assertError(yield* submit(base, body), 400, error)
      assert.strictEqual((yield* submit(base, { prompt: "x".repeat(10_000) })).status, 200)
      assertError(yield* submit(base, { prompt: "x", origin: "x".repeat(10 * 1024 * 1024) }), 413, "Payload Too Large")
    })
  )

  it.scopedLive("for a list of jobs and for threads are a 404 that says so", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({})
      assertError(yield* get(base, ""), 404, /does not list/)
      assertError(yield* get(base, `/threads/${unknown}`), 404, /no threads/)
    })
  )

  it.scopedLive("to a server without a runner are a 400 that says how to get one", () =>
    Effect.gen(function* () {
      const base = yield* start({})
      assertError(yield* submit(base, { prompt: "x" }), 400, /--agent-store STORE --model/, "BAD_REQUEST")
      isRow(yield* get(base, `/${unknown}`), "AgentJobNotFound")
    })
  )
})

describe("agent jobs: kept", () => {
  it.scopedLive("snapshots are the versions of an artifact", () =>
    Effect.gen(function* () {
      const text = "one \u0000 two \ud800"
      const base = yield* startAgents({
        scripts: {
          writes: {
            run: (agent) =>
              Effect.gen(function* () {
                yield* agent.write({ artifactId: "a", kind: "text", change: "init", content: "one" })
                yield* agent.write({ artifactId: "a", kind: "text", change: "update", content: text, path: "a.txt" })
              })
          }
        }
      })
      const id = yield* submitted(base, "writes")
      yield* ended(base, id)
      const updates = (yield* traceOf(base, id)).events.filter(({ type }) => type === "artifact.updated")
      assert.strictEqual(updates.length, 2)
      const contents = yield* Effect.forEach(updates, (event) => snapshotOf(base, id, snapshotIdOf(event) ?? ""))
      assert.deepEqual(
        contents.map(({ snapshot }) => snapshot),
        ["one", text]
      )
    })
  )

  it.scoped("for 24 hours after the end, however long the run took", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const script = { run: () => Deferred.await(go) }
      const jobs = yield* Effect.flatMap(
        Layer.build(Layer.provide(AgentJobs.layerMemory(), ScriptedRunner.layer({ long: script }))),
        (context) => Effect.provide(AgentJobs.AgentJobs, context)
      )
      const caller = { owner: "a" }
      const id = yield* jobs.submit(caller, { prompt: "long" })
      yield* TestClock.adjust("25 hours")
      assert.strictEqual((yield* jobs.status(caller, id)).status, "processing")
      yield* Deferred.succeed(go, undefined)
      const job = yield* jobs
        .status(caller, id)
        .pipe(
          Effect.zipLeft(Effect.promise(() => new Promise(setImmediate))),
          Effect.repeat({ until: ({ status }) => status === "completed" })
        )
      assert.strictEqual(job.expiresAt, "1970-01-03T01:00:00.000Z")
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* jobs.status(caller, id)).status, "completed")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Effect.flip(jobs.status(caller, id)))._tag, "AgentJobNotFound")
      assert.strictEqual((yield* Effect.flip(jobs.trace(caller, id)))._tag, "AgentJobNotFound")
      assert.strictEqual((yield* Effect.flip(jobs.cancel(caller, id)))._tag, "AgentJobNotFound")
    })
  )

  it.scopedLive("in a directory that one process has", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const made = Effect.provide(AgentJobs.make({ directory }), ScriptedRunner.layer())
      yield* made
      assert.deepInclude(yield* Effect.flip(made), { _tag: "AgentJobsError", reason: "Locked" })
    })
  )
})
