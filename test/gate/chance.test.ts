import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runs } from "../fixtures/seed.ts"
import { type Service, simulate } from "./simulator.ts"

/** Seeds that no constant was chosen by. */
const seeds = Array.from({ length: runs(8) }, (_, index) => index + 1)

const documents = 2000
const retryAfter = 1000
/** Milliseconds of an answer, on average. */
const taken = 50

const each = (service: Service, workers: number) =>
  Effect.forEach(seeds, (seed) =>
    Effect.map(simulate({ retryAfter: retryAfter / 1000, ...service }, { documents, workers, seed }), (result) => ({
      ...result,
      seed
    }))
  )

describe("RequestGate before refusals", () => {
  for (const sporadic of [0.05, 0.1]) {
    for (const workers of [8, 32]) {
      it.live(
        `of ${100 * sporadic} % by chance: ${workers} workers take little longer than the ideal with each seed`,
        () =>
          Effect.gen(function* () {
            // Each refusal costs a worker the wait that it was told; somebody waits at the end while the others are done.
            const perDocument = taken + retryAfter * (sporadic / (1 - sporadic))
            const ideal = (perDocument * documents) / workers + retryAfter
            const ratios = (yield* each({ sporadic }, workers))
              .map(({ millis }) => millis / ideal)
              .toSorted((a, b) => a - b)
            assert.isAtMost(ratios[seeds.length / 2] ?? Infinity, 1.15, String(ratios))
            assert.isAtMost(ratios.at(-2) ?? Infinity, 1.3, String(ratios))
            assert.isAtMost(ratios.at(-1) ?? Infinity, 1.5, String(ratios))
          })
      )
    }
  }

  it.live("of a bucket: at most 60 of 2,000 are wasted, in at most 1.1 times the ideal with each seed", () =>
    Effect.gen(function* () {
      for (const { millis, seed, wasted } of yield* each(
        { rate: { kind: "bucket", capacity: 100, perSecond: 100 } },
        32
      )) {
        assert.isAtMost(wasted, 60, `seed ${seed}`)
        assert.isAtMost(millis, 1.1 * 19_050, `seed ${seed}`)
      }
    })
  )
})
