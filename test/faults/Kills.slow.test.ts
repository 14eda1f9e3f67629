import { assert, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import * as Killing from "./killing.ts"
import { steps } from "./order.ts"

const numbers = { files: 16, limited: 0, broken: 0, changed: 6, concurrency: 4 }

const check = ({ check, moment, ...round }: Killing.Round) => {
  const label = JSON.stringify({ moment, check, ...round })
  assert.isTrue(check.ok, label)
  assert.isAtMost(round.twice, numbers.concurrency, label)
  assert.isTrue(round.ok, label)
}

it.scopedLive(
  "has every document once in every sink after kills at random moments and the next run, and parses few twice",
  () =>
    Effect.gen(function* () {
      const random = yield* Effect.all(Array.from({ length: 6 }, () => Random.next))
      const { rounds, whole } = yield* Killing.play(numbers, 6, (index, wholeMs) => ({
        // one in each sixth of a run's time, so that the first comes in time even when that run was slow
        afterMs: Math.round(((index + (random[index] ?? 0)) / 6) * wholeMs)
      }))
      check(whole)
      assert.deepInclude(whole, { ended: true, twice: 0 }, "a run that ends leaves the next one nothing to parse")
      for (const round of rounds) check(round)
      assert.isTrue(rounds.some(({ ended }) => !ended))
    }),
  300_000
)

it.scopedLive(
  "has every document once in every sink after a kill between any two steps and the next run",
  () =>
    Effect.gen(function* () {
      const { rounds } = yield* Killing.play(numbers, steps.length, (index) => ({
        pause: { step: steps[index] ?? "before-write", times: steps[index] === "before-finish-run" ? 1 : 2 },
        plain: true
      }))
      for (const round of rounds) {
        assert.isTrue(round.paused, `${JSON.stringify(round.moment)} was not come to`)
        assert.isFalse(round.ended)
        check(round)
      }
    }),
  300_000
)
