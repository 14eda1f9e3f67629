import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Scenario from "./scenario.ts"

it.scopedLive(
  "loses nothing, stores nothing twice and pays nothing twice, through faults, re-runs, a move, changes, outages and lost targets",
  () =>
    Effect.gen(function* () {
      const report = yield* Scenario.play({ files: 120, limited: 6, broken: 3, changed: 10, concurrency: 8 })
      for (const step of report.steps) {
        assert.deepInclude(step.summary, step.expected, step.name)
        assert.strictEqual(step.requests, step.expectedRequests, step.name)
        assert.isTrue(step.check?.ok ?? true, `${step.name}: ${JSON.stringify(step.check)}`)
        assert.isTrue(step.ok, step.name)
      }
      assert.strictEqual(report.steps.length, 14)
      assert.strictEqual(report.paidTwice, 0)
      assert.isAtMost(report.maxInFlight, 8)
      assert.isTrue(report.ok)
    })
)
