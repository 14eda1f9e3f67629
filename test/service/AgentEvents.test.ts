import { assert, describe, it } from "@effect/vitest"
import * as Agent from "docsluice/service/Agent"
import { Chunk, Effect, Either, Stream } from "effect"
import { jobId } from "./agentDouble.ts"
import {
  type Answer,
  event,
  failed,
  finished,
  hour,
  named,
  processing,
  scripted,
  type Sent,
  trace
} from "./agentScript.ts"

const collected = (
  answers: ReadonlyArray<Answer>,
  more: Readonly<Record<string, ReadonlyArray<Answer>>> = {},
  sent: Array<Sent> = []
) =>
  hour(
    Stream.runCollect(Agent.events(jobId)).pipe(
      Effect.provide(scripted({ "GET /trace": answers, "GET ": [processing], ...more }, sent))
    )
  )

describe("Agent.events", () => {
  it.effect("gives each event once over the answers that repeat it, and ends with run.finished", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const one = trace(event(1, "run.started"))
      const two = trace(event(1, "run.started"), event(2))
      const all = trace(event(1, "run.started"), event(2), finished(3))
      const events = yield* collected([one, one, two, all], {}, sent)
      assert.deepStrictEqual(named(events), ["a1", "a2", "a3"])
      assert.deepStrictEqual(
        sent.map(({ at, row }) => [at, row]),
        [
          [0, "GET /trace"],
          [1000, "GET /trace"],
          [1000, "GET "],
          [2500, "GET /trace"],
          [3500, "GET /trace"]
        ]
      )
    })
  )

  it.effect("orders by agent, then by number, and puts run.finished last", () =>
    Effect.gen(function* () {
      const answer = trace(finished(3), event(2, "x", "b"), event(2), event(1, "x", "b"), event(1))
      assert.deepStrictEqual(named(yield* collected([answer])), ["a1", "a2", "b1", "b2", "a3"])
    })
  )

  it.effect("an event waits for its predecessor during two answers, and goes on without it then", () =>
    Effect.gen(function* () {
      const early = trace(event(1), event(3))
      const mended = trace(event(1), event(3), event(2), finished(4))
      assert.deepStrictEqual(named(yield* collected([early, mended])), ["a1", "a2", "a3", "a4"])
      const sent: Array<Sent> = []
      const late = [early, early, early, early, mended]
      assert.deepStrictEqual(named(yield* collected(late, {}, sent)), ["a1", "a3", "a2", "a4"])
    })
  )

  it.effect("keeps events without ids and numbers, each as often as the trace holds it", () =>
    Effect.gen(function* () {
      const [same, other] = [{ type: "same" }, { type: "other" }]
      const events = yield* collected([
        trace(same),
        trace(same, other, same),
        trace(same, other, same, { type: "run.finished" })
      ])
      assert.deepStrictEqual(named(events), ["same", "other", "same", "run.finished"])
    })
  )

  it.effect("ends when the job has ended and its trace does not say so, with all that was held back", () =>
    Effect.gen(function* () {
      const answers = [trace(event(1)), trace(event(1)), trace(event(1), event(3), event(2))]
      const events = yield* collected(answers, { "GET ": [processing, failed] })
      assert.deepStrictEqual(named(events), ["a1", "a2", "a3"])
      const silent = yield* collected([trace(event(1)), trace(event(1), event(3))], { "GET ": [failed] })
      assert.deepStrictEqual(named(silent), ["a1", "a3"])
    })
  )

  it.effect("come next to the steps of their run, and the last of them after the result when it is late", () =>
    Effect.gen(function* () {
      const layer = scripted({
        "POST ": [[200, { id: jobId }]],
        "GET ": [processing, [200, { status: "completed", data: 42 }]],
        "GET /trace": [trace(event(1)), trace(event(1), event(2)), trace(event(1), event(2), finished(3))]
      })
      const followed = Agent.run({ prompt: "x" }).pipe(
        Stream.flatMap(
          (update) =>
            Stream.merge(
              Stream.succeed<string>(update._tag),
              update._tag === "Submitted"
                ? Stream.map(Agent.events(update.jobId), (one) => one.eventId ?? "")
                : Stream.empty
            ),
          { concurrency: 2 }
        )
      )
      const seen = yield* hour(Effect.provide(Stream.runCollect(followed), layer))
      assert.sameMembers(Array.from(seen), ["Submitted", "a1", "Changed", "a2", "Completed", "a3"])
      assert.strictEqual(Chunk.unsafeLast(seen), "a3")
    })
  )

  it.effect("fails with the row of a trace that cannot be read", () =>
    Effect.gen(function* () {
      const gone: Answer = [404, { error: "Agent job not found" }]
      const end = yield* Effect.either(collected([trace(event(1)), gone]))
      assert.strictEqual(Either.isLeft(end) ? end.left._tag : "", "AgentJobNotFound")
    })
  )
})

describe("Agent.artifacts", () => {
  it.effect("gives the text of each snapshot once, in the order of the events", () =>
    Effect.gen(function* () {
      const sent: Array<Sent> = []
      const updated = (sequence: number, more: object) => ({ ...event(sequence, "artifact.updated"), ...more })
      const answer = trace(
        updated(1, { artifact: { kind: "report", artifactId: "r", snapshotId: "s1", change: "created" } }),
        updated(2, { snapshotId: "s2" }),
        updated(3, { snapshotId: "s2" }),
        updated(4, {}),
        finished(5)
      )
      const layer = scripted(
        {
          "GET /trace": [answer],
          "GET /snapshots/s1": [[200, { snapshotId: "s1", snapshot: "# One" }]],
          "GET /snapshots/s2": [[200, { snapshotId: "s2", snapshot: "# Two" }]]
        },
        sent
      )
      const artifacts = yield* hour(Effect.provide(Stream.runCollect(Agent.artifacts(jobId)), layer))
      assert.deepStrictEqual(
        Chunk.toReadonlyArray(artifacts).map(({ event, ...rest }) => Object.assign(rest, { type: event.type })),
        [
          { jobId, snapshotId: "s1", artifactId: "r", kind: "report", snapshot: "# One", type: "artifact.updated" },
          { jobId, snapshotId: "s2", snapshot: "# Two", type: "artifact.updated" }
        ]
      )
      assert.lengthOf(sent, 3)
    })
  )

  it.effect("fails with the row of a snapshot that is not there", () =>
    Effect.gen(function* () {
      const layer = scripted({
        "GET /trace": [trace({ ...event(1, "artifact.updated"), snapshotId: "s1" })],
        "GET /snapshots/s1": [[404, { error: "Snapshot not found" }]]
      })
      const end = yield* hour(Effect.either(Effect.provide(Stream.runDrain(Agent.artifacts(jobId)), layer)))
      assert.strictEqual(Either.isLeft(end) ? end.left._tag : "", "SnapshotNotFound")
    })
  )
})
