import { assert } from "@effect/vitest"
import * as Accounts from "docsluice/service/Accounts"
import { defaultMaxCredits } from "docsluice/service/Agent"
import * as AgentClient from "docsluice/service/AgentClient"
import { AgentFailed, AgentRefused } from "docsluice/service/AgentJobs"
import { Effect, Redacted } from "effect"
import type { Script, Scripts } from "../../fixtures/ScriptedRunner.ts"
import { startAgents, unknown, waiting } from "../agentFixture.ts"
import { key } from "../collaborators.ts"
import type { Refused, Side, Told } from "./agentSides.ts"

const { catalogue } = AgentClient

type Tag = keyof typeof catalogue

/** The course of some jobs that rows of the interface are about. */
export interface AgentCase {
  /** The course, as a sentence. */
  readonly title: string
  /** Rows of the interface, as `interfaceRows` names them. */
  readonly rows: ReadonlyArray<string>
  /** Scripts of its prompts; default none. */
  readonly scripts?: Scripts
  /** Options of its server; default none. */
  readonly server?: Effect.Effect<NonNullable<Parameters<typeof startAgents>[0]["server"]>>
  readonly play: (side: Side) => Effect.Effect<void, Refused>
}

const rowOf = (tag: Tag): string => `Agent errors: ${catalogue[tag].status} ${catalogue[tag].error}`

/** Checks that a request fails with a row: status, text and, for our client, the class. */
const fails = (tag: Tag, request: Effect.Effect<unknown, Refused>): Effect.Effect<void> =>
  Effect.match(request, {
    onSuccess: () => assert.fail(`no ${tag}`),
    onFailure: (refused) => {
      const { error, status } = catalogue[tag]
      assert.deepInclude(refused, { status, error })
      assert.strictEqual(refused.tag ?? tag, tag)
    }
  })

/** Waits until the trace has an event of the type. */
const until = (side: Side, id: string, type: string): Effect.Effect<ReadonlyArray<Told>, Refused> =>
  side
    .trace(id)
    .pipe(Effect.delay("10 millis"), Effect.repeat({ until: (events) => events.some((event) => event.type === type) }))

const writes: Script = {
  run: (agent) => agent.write({ artifactId: "a", kind: "markdown", change: "init", path: "a.md", content: "# One" })
}

/** A run that ends when it is interrupted, half a second later. */
const lingering: Script = {
  run: (agent) =>
    agent.emit({ type: "progress.reported", phase: "working", message: "waiting" }).pipe(
      Effect.zipRight(Effect.never),
      Effect.onInterrupt(() => Effect.sleep("500 millis"))
    )
}

const failing: Script = {
  run: (agent) => {
    const error = { code: "internal", source: "tool", retryable: true, message: "the store is away" } as const
    return Effect.zipRight(
      agent.emit({ type: "error.occurred", error }),
      new AgentFailed({ error: error.message, retryable: true })
    )
  }
}

const delegating: Script = {
  run: (agent) =>
    Effect.as(
      agent.delegate("endless", () => Effect.never),
      "done"
    )
}

const spending = (credits: number): Script => ({ run: (agent) => Effect.as(agent.spend(credits), "data") })

/** No runner that ships rejects a submission or records no trace: those rows come from the scripted one. */
export const agentCases: ReadonlyArray<AgentCase> = [
  {
    title: "a job that is submitted, followed, traced and read to a snapshot",
    rows: [
      "Agent endpoints: POST /v2/agent",
      "Agent endpoints: GET /v2/agent/{jobId}",
      "Agent endpoints: trace endpoint",
      "Agent endpoints: snapshot endpoint",
      "Events: artifact.updated",
      "Events: run.finished"
    ],
    scripts: { writes },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "writes", model: "spark-2", maxCredits: 9 })
        assert.deepInclude(yield* side.ended(id), { status: "completed", creditsUsed: 0, code: undefined })
        const events = yield* side.trace(id)
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["run.started", "agent.started", "artifact.updated", "agent.finished", "run.finished"]
        )
        assert.strictEqual(events.at(-1)?.outcome, "succeeded")
        assert.strictEqual(yield* side.snapshot(id, events[2]?.snapshotId ?? ""), "# One")
      })
  },
  {
    title: "a running job that is cancelled",
    rows: [
      "States and transitions: running agent job, cancel operation",
      "Agent endpoints: cancel endpoint",
      "Trace error codes: cancelled"
    ],
    scripts: { waiting },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "waiting" })
        yield* until(side, id, "progress.reported")
        assert.strictEqual(yield* side.status(id), "processing")
        yield* side.cancel(id)
        const job = yield* side.ended(id)
        assert.deepInclude(job, {
          status: "failed",
          data: undefined,
          creditsUsed: 0,
          code: "cancelled",
          retryable: false
        })
        assert.match(job.error ?? "", /cancelled/)
        assert.include(
          (yield* side.trace(id)).map(({ type }) => type),
          "run.cancel_requested"
        )
        assert.strictEqual((yield* side.trace(id)).at(-1)?.outcome, "cancelled")
      })
  },
  {
    title: "a job that is being cancelled, and is cancelled again",
    rows: ["States and transitions: cancelling agent job, cancel operation", rowOf("AgentAlreadyCancelled")],
    scripts: { lingering },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "lingering" })
        yield* until(side, id, "progress.reported")
        yield* side.cancel(id)
        yield* fails("AgentAlreadyCancelled", side.cancel(id))
        assert.strictEqual(yield* side.status(id), "processing")
        assert.deepInclude(yield* side.ended(id), { status: "failed", code: "cancelled" })
      })
  },
  {
    title: "jobs that have completed, failed or been cancelled, and are cancelled",
    rows: ["States and transitions: terminal agent job, cancel operation", rowOf("AgentAlreadyFinished")],
    scripts: { waiting, failing },
    play: (side) =>
      Effect.forEach(["done", "failing", "waiting"], (prompt) =>
        Effect.gen(function* () {
          const id = yield* side.submit({ prompt })
          if (prompt === "waiting") yield* side.cancel(id)
          const job = yield* side.ended(id)
          yield* fails("AgentAlreadyFinished", side.cancel(id))
          assert.deepStrictEqual(yield* side.ended(id), job)
        })
      )
  },
  {
    title: "a job that reaches maxCredits, its own or the default",
    rows: [
      "States and transitions: running agent job, reaching the maxCredits limit",
      "Trace error codes: credit_limit_reached",
      "Limits: Credit cap"
    ],
    scripts: { dear: spending(3), boundless: spending(defaultMaxCredits) },
    play: (side) =>
      Effect.gen(function* () {
        for (const [request, limit] of [
          [{ prompt: "dear", maxCredits: 3 }, 3],
          [{ prompt: "boundless" }, defaultMaxCredits]
        ] as const) {
          const id = yield* side.submit(request)
          const job = yield* side.ended(id)
          assert.deepInclude(job, { status: "failed", data: undefined, creditsUsed: 0, code: "credit_limit_reached" })
          assert.include(job.error, `credit limit of ${limit}`)
          const last = (yield* side.trace(id)).at(-1)
          assert.deepInclude(last, { type: "run.finished", outcome: "credit_limit_reached" })
        }
        const below = yield* side.submit({ prompt: "dear", maxCredits: 4 })
        assert.deepInclude(yield* side.ended(below), { status: "completed", data: "data", creditsUsed: 3 })
      })
  },
  {
    title: "a task that the agent refuses",
    rows: ["Trace error codes: refused"],
    scripts: { refused: { run: () => new AgentRefused({ error: "not this" }) } },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "refused" })
        const job = yield* side.ended(id)
        assert.deepInclude(job, { status: "failed", error: "not this", code: "refused", retryable: false })
        assert.strictEqual((yield* side.trace(id)).at(-1)?.outcome, "refused")
      })
  },
  {
    title: "a run that fails unexpectedly, after an error that it tells of",
    rows: ["Trace error codes: internal", "Events: error.occurred"],
    scripts: { failing },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "failing" })
        assert.deepInclude(yield* side.ended(id), {
          status: "failed",
          code: "internal",
          retryable: true,
          creditsUsed: 0
        })
        const told = (yield* side.trace(id)).find(({ type }) => type === "error.occurred")
        assert.deepInclude(told, { code: "internal", retryable: true })
      })
  },
  {
    title: "a sub-agent that is at work when the agent that started it finishes",
    rows: ["Trace error codes: parent_finished"],
    scripts: { delegating },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "delegating" })
        assert.strictEqual((yield* side.ended(id)).status, "completed")
        const ended = (yield* side.trace(id)).filter(({ type }) => type === "agent.finished")
        assert.deepStrictEqual(
          ended.map(({ agent, code }) => [agent, code]),
          [
            ["endless", "parent_finished"],
            ["orchestrator", undefined]
          ]
        )
      })
  },
  {
    title: "an id that is not a UUID, at every operation on a job",
    rows: [rowOf("InvalidJobId")],
    play: (side) =>
      Effect.forEach(
        [side.status("7b"), side.trace("7b"), side.snapshot("7b", unknown), side.cancel("7b")],
        (request) => fails("InvalidJobId", request)
      )
  },
  {
    title: "an id of no job, at every operation on a job",
    rows: [rowOf("AgentJobNotFound")],
    play: (side) =>
      Effect.forEach(
        [side.status(unknown), side.trace(unknown), side.snapshot(unknown, unknown), side.cancel(unknown)],
        (request) => fails("AgentJobNotFound", request)
      )
  },
  {
    title: "snapshots that are malformed, or not there",
    rows: [rowOf("InvalidSnapshotId"), rowOf("SnapshotNotFound")],
    scripts: { writes },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "writes" })
        yield* fails("InvalidSnapshotId", side.snapshot(id, "7b"))
        yield* fails("SnapshotNotFound", side.snapshot(id, unknown))
      })
  },
  {
    title: "a job of a model that records neither trace nor snapshots",
    rows: [rowOf("TraceUnavailable"), rowOf("SnapshotsUnavailable")],
    scripts: { old: { traced: false } },
    play: (side) =>
      Effect.gen(function* () {
        const id = yield* side.submit({ prompt: "old" })
        yield* fails("TraceUnavailable", side.trace(id))
        yield* fails("SnapshotsUnavailable", side.snapshot(id, unknown))
        assert.strictEqual(
          yield* Effect.repeat(side.status(id), { while: (status) => status === "processing" }),
          "completed"
        )
      })
  },
  {
    title: "a key whose data must not be retained",
    rows: [rowOf("ZeroDataRetentionConflict")],
    server: Effect.map(Accounts.hashKey(Redacted.make(key)), (hash) => ({
      plans: [{ name: "strict", hash, zeroDataRetention: "required" as const }]
    })),
    play: (side) => fails("ZeroDataRetentionConflict", side.submit({ prompt: "x" }))
  },
  {
    title: "a submission that the agent service rejects",
    rows: [rowOf("AgentPassthroughFailed")],
    scripts: {
      rejected: {
        refusal: new AgentClient.AgentPassthroughFailed({ ...catalogue.AgentPassthroughFailed })
      }
    },
    play: (side) => fails("AgentPassthroughFailed", side.submit({ prompt: "rejected" }))
  }
]

/** The course on a server of its own, by one side. */
export const playedBy = ({ play, scripts, server }: AgentCase, side: (base: string) => Side): Effect.Effect<void> =>
  Effect.gen(function* () {
    const options = server === undefined ? undefined : yield* server
    const base = yield* startAgents({ ...(scripts && { scripts }), ...(options && { server: options }) })
    yield* Effect.timeout(play(side(base)), "2 minutes")
  }).pipe(
    Effect.scoped,
    Effect.catchAll((refused) => Effect.die(new Error(JSON.stringify(refused))))
  )
