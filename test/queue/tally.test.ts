import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"
import { makeCounts } from "../../src/internal/queue/handle.ts"
import type { Counts } from "../../src/internal/queue/message.ts"
import { Tally } from "../../src/internal/queue/results.ts"
import * as Session from "../../src/internal/run/session.ts"

const session = Effect.flatMap(RunState.make, Session.make)

/** A worker's part in a run, which sends one request more before each result. */
const working = Effect.map(session, (own) => {
  const counts = makeCounts({ session: own })
  return (): Counts => {
    own.run.counters.requests += 1
    own.parsed += 1
    return counts()
  }
})

describe("the counts of a run's workers", () => {
  it.effect("are those of all their requests, though results are lost, arrive late, or arrive twice", () =>
    Effect.gen(function* () {
      const [left, right] = [yield* working, yield* working]
      const run = yield* session
      const tally = new Tally("run")
      const [first, lost, third, late, last] = [left(), left(), left(), left(), left()]
      for (const counts of [first, right(), third, last, late, late, right()]) tally.add(run, "run", counts)
      assert.strictEqual(lost.now.requests, 2)
      assert.strictEqual(run.run.counters.requests, 7)
      assert.strictEqual(run.parsed, 7)
    })
  )

  it.effect("leave out what a worker did for an earlier run of the root", () =>
    Effect.gen(function* () {
      const worker = yield* working
      const run = yield* session
      const tally = new Tally("run")
      const [, , third, fourth] = [worker(), worker(), worker(), worker()]
      for (const counts of [third, fourth]) tally.add(run, "earlier", counts)
      assert.strictEqual(run.run.counters.requests, 2)
    })
  )
})
