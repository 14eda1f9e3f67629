import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { AgentClient, AgentPassthroughFailed, catalogue } from "docsluice/service/AgentClient"
import { AgentFailed, AgentRunner } from "docsluice/service/AgentJobs"
import { Effect, Layer, Redacted } from "effect"
import * as ScriptedRunner from "../fixtures/ScriptedRunner.ts"
import { clientOf } from "./agentDouble.ts"
import { cancel, ended, folder, killable, startAgents, submit, submitted, waiting } from "./agentFixture.ts"
import { key } from "./collaborators.ts"
import { assertError, upload } from "./serverFixture.ts"

const spends = (credits: number): ScriptedRunner.Script => ({ run: (agent) => agent.spend(credits) })

const scripts: ScriptedRunner.Scripts = {
  waiting,
  three: spends(3),
  failing: {
    run: (agent) => Effect.zipRight(agent.spend(3), new AgentFailed({ error: "down", retryable: true }))
  },
  rejected: {
    refusal: new AgentPassthroughFailed({ ...catalogue.AgentPassthroughFailed })
  }
}

describe("credits of agent jobs", () => {
  it.scopedLive("are reserved from the submission to the end, so that jobs at once stay within them", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({ scripts, server: { credits: 10 } })
      const first = yield* submitted(base, "waiting", { maxCredits: 6 })
      assertError(
        yield* submit(base, { prompt: "waiting", maxCredits: 6 }),
        402,
        "Payment Required: Insufficient credits (this needs 6, 4 are left); a job holds its maxCredits, 2500 by default, until it ends"
      )
      const second = yield* submitted(base, "waiting", { maxCredits: 4 })
      assertError(yield* upload(base, {}), 402, /^Payment Required/)
      yield* cancel(base, first)
      yield* ended(base, first)
      const third = yield* submitted(base, "three", { maxCredits: 6 })
      assert.deepInclude(yield* ended(base, third), { status: "completed", creditsUsed: 3 })
      yield* cancel(base, second)
      yield* ended(base, second)
      assertError(yield* submit(base, { prompt: "waiting", maxCredits: 8 }), 402, /this needs 8, 7 are left/)
      yield* submitted(base, "waiting", { maxCredits: 7 })
    })
  )

  it.scopedLive("stay within those of the key when many are submitted at the same moment", () =>
    Effect.gen(function* () {
      const base = yield* startAgents({ scripts, server: { credits: 10 } })
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => submit(base, { prompt: "waiting", maxCredits: 3 })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 3)
      assert.strictEqual(answers.filter(({ status }) => status === 402).length, 17)
    })
  )

  it.scopedLive("are 2500 for a job without maxCredits", () =>
    Effect.gen(function* () {
      const short = yield* startAgents({ scripts, server: { credits: 2499 } })
      assertError(yield* submit(short, { prompt: "waiting" }), 402, /this needs 2500, 2499 are left/)
      const enough = yield* startAgents({ scripts, server: { credits: 2500 } })
      yield* submitted(enough, "waiting")
    })
  )

  it.scopedLive("are charged for what a job consumed, once, and not for jobs that fail or are rejected", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts.makeMemory
      const base = yield* startAgents({
        scripts,
        server: { credits: 10 },
        accounts: Layer.succeed(Accounts.Accounts, accounts)
      })
      for (const prompt of ["failing", "three"]) {
        const id = yield* submitted(base, prompt, { maxCredits: 10 })
        yield* ended(base, id)
      }
      const limited = yield* submitted(base, "three", { maxCredits: 3 })
      assert.strictEqual((yield* ended(base, limited)).status, "failed")
      assert.strictEqual((yield* submit(base, { prompt: "rejected", maxCredits: 7 })).status, 500)
      assert.strictEqual(yield* accounts.spent(""), 3)
      yield* submitted(base, "waiting", { maxCredits: 7 })
    })
  )

  it.scopedLive("are free again after the death of the process, but for those that were charged", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const first = yield* killable(directory, 10)
      yield* ended(first.base, yield* submitted(first.base, "done", { maxCredits: 10 }))
      yield* submitted(first.base, "waiting", { maxCredits: 9 })
      assertError(yield* submit(first.base, { prompt: "done", maxCredits: 1 }), 402, /^Payment Required/)
      yield* first.kill
      const second = yield* killable(directory, 10)
      assertError(yield* submit(second.base, { prompt: "done", maxCredits: 10 }), 402, /this needs 10, 9 are left/)
      yield* submitted(second.base, "done", { maxCredits: 9 })
    })
  )
})

/** A runner that counts the tasks that it is asked to accept and to run, and takes its time to accept one. */
const counting = (counts: { accepted: number; run: number }): Layer.Layer<AgentRunner> => {
  const runner = ScriptedRunner.make()
  return Layer.succeed(AgentRunner, {
    accept: (task) =>
      Effect.zipRight(
        Effect.sync(() => (counts.accepted += 1)),
        Effect.delay(runner.accept(task), "100 millis")
      ),
    run: (task, agent) =>
      Effect.zipRight(
        Effect.sync(() => (counts.run += 1)),
        runner.run(task, agent)
      )
  })
}

describe("submissions within a plan", () => {
  const plans = {
    "its rate": { rate: { requests: 1, per: 1000 } },
    "the requests that the server can hold": { capacity: 1 }
  }
  for (const [name, { capacity, ...plan }] of Object.entries<{
    readonly capacity?: number
    readonly rate?: Accounts.Rate
  }>(plans)) {
    it.scopedLive(`are sent again after the 429 of ${name}, since it left no job`, () =>
      Effect.gen(function* () {
        const counts = { accepted: 0, run: 0 }
        const hash = yield* Accounts.hashKey(Redacted.make(key))
        const base = yield* startAgents({
          runner: counting(counts),
          server: { plans: [{ name: "a", hash, ...plan }], ...(capacity !== undefined && { capacity }) }
        })
        const alone = yield* Effect.all(
          [1, 2, 3].map(() => submit(base, { prompt: "x" }, key)),
          { concurrency: 3 }
        )
        const refused = alone.filter(({ status }) => status === 429)
        assert.isAtLeast(refused.length, 1)
        assert.strictEqual(counts.accepted, 3 - refused.length)
        const ids = yield* Effect.flatMap(AgentClient, (client) =>
          Effect.all(
            [1, 2].map(() => client.submit({ prompt: "x" })),
            { concurrency: 2 }
          )
        ).pipe(Effect.provide(clientOf({ base: `${base}/v2` }, { retry: {} })))
        assert.strictEqual(new Set(ids).size, 2)
        for (const id of ids) {
          const job = yield* Effect.flatMap(AgentClient, (client) => client.status(id)).pipe(
            Effect.repeat({ until: ({ status }) => status === "completed" }),
            Effect.provide(clientOf({ base: `${base}/v2` }))
          )
          assert.deepStrictEqual(job.data, { answer: "x" })
        }
        assert.strictEqual(counts.accepted, 5 - refused.length)
        assert.strictEqual(counts.run, counts.accepted)
      })
    )
  }
})
