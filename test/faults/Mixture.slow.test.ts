import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Mixture from "./mixture.ts"

it.scopedLive(
  "32 workers amid every fault of a document: no final answer is asked for again, and nothing is sent earlier than told",
  () =>
    Effect.gen(function* () {
      const report = yield* Mixture.play(240, 32)
      assert.deepStrictEqual(report.problems, [])
      assert.strictEqual(report.early, 0)
      assert.strictEqual(report.retriedInVain, 0)
    })
)

it.scopedLive("an interrupted run leaves no upload, socket or file open, and the next one stores everything", () =>
  Effect.gen(function* () {
    const report = yield* Mixture.interrupt(60, 16)
    assert.isAtLeast(report.open, 3)
    assert.strictEqual(report.leftOpen, 0)
    assert.strictEqual(report.leftWaiting, 0)
    // An answer that is on its way at that moment is lost.
    assert.isAtMost(report.paidTwice, 16)
    assert.deepStrictEqual(report.problems, [])
  })
)
