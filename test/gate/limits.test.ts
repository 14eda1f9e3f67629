import { assert, describe, it } from "@effect/vitest"
import * as RequestGate from "docsluice/RequestGate"
import { Clock, Effect, Fiber } from "effect"
import { type Result, simulate } from "./simulator.ts"
import { inVirtualTime } from "./virtualTime.ts"

/** Seeds that no constant was chosen by. */
const seeds = [101, 202]

const each = (one: (seed: number) => Effect.Effect<void>) => Effect.forEach(seeds, one, { discard: true })

const between = ({ arrivals }: Result, from: number, to: number) => arrivals.filter(({ at }) => at >= from && at < to)

describe("RequestGate and the limits of a service", () => {
  it.live(
    "a bucket of 100 refilled at 100 a second refuses at most 60 of 2,000, and takes at most 1.1 times the ideal",
    () =>
      each((seed) =>
        Effect.gen(function* () {
          const rate = { kind: "bucket", capacity: 100, perSecond: 100 } as const
          const result = yield* simulate({ rate, retryAfter: 1 }, { documents: 2000, workers: 64, seed })
          assert.isAtMost(result.wasted, 60)
          assert.isAtMost(result.millis, 1.1 * 19_000)
        })
      )
  )

  it.live("a rate that is given is kept from the first request on", () =>
    each((seed) =>
      Effect.gen(function* () {
        const gate = { rate: { requests: 50, per: "1 second" } } as const
        const result = yield* simulate(
          { rate: { kind: "bucket", capacity: 2, perSecond: 50 } },
          { documents: 300, workers: 32, seed, gate }
        )
        assert.strictEqual(result.wasted, 0)
        assert.isAtMost(result.millis, 1.1 * 6000)
      })
    )
  )

  it.live("sporadic refusals hold up nobody else", () =>
    each((seed) =>
      Effect.gen(function* () {
        const gate = { concurrency: 8 }
        const given = { documents: 1000, workers: 32, seed, gate }
        const without = yield* simulate({}, given)
        const result = yield* simulate({ sporadic: 0.02 }, given)
        assert.isAtMost(result.millis, 1.15 * without.millis + 1000)
      })
    )
  )

  it.live("a concurrency limit of 4, then 16, then 4 is found within 5 seconds each, with less than 3 % wasted", () =>
    each((seed) =>
      Effect.gen(function* () {
        const concurrency = (at: number) => (at >= 12_000 && at < 24_000 ? 16 : 4)
        const result = yield* simulate({ concurrency }, { documents: 100_000, workers: 64, seed, within: 36_000 })
        assert.isBelow(result.wasted, 0.03 * result.arrivals.length)
        const rate = (from: number, to: number) =>
          between(result, from, to).filter(({ refused }) => !refused).length / ((to - from) / 1000)
        // A document takes 50 ms: 20 a second for each that is in flight.
        assert.isAbove(rate(5000, 12_000), 0.9 * 80)
        assert.isAbove(rate(17_000, 24_000), 0.9 * 320)
        assert.isAbove(rate(29_000, 36_000), 0.9 * 80)
        assert.isBelow(between(result, 29_000, 36_000).filter(({ refused }) => refused).length, 20)
      })
    )
  )

  it.live(
    "sends one request at once, and one more for every two seconds without an answer, up to the concurrency",
    () =>
      inVirtualTime(
        Effect.gen(function* () {
          for (const [given, most] of [
            [3, 3],
            ["adaptive", 4]
          ] as const) {
            const gate = yield* RequestGate.make({ concurrency: given })
            const begun = yield* Clock.currentTimeMillis
            const sent: Array<number> = []
            const request = Effect.gen(function* () {
              const number = sent.push((yield* Clock.currentTimeMillis) - begun)
              yield* Effect.sleep(number === 1 ? "9 seconds" : "30 seconds")
            })
            const all = Array.from({ length: 6 }, () => gate.use(request, () => "answered"))
            const running = yield* Effect.fork(Effect.all(all, { concurrency: "unbounded" }))
            yield* Effect.sleep("8900 millis")
            assert.deepStrictEqual(sent, [0, 2000, 4000, 6000].slice(0, most))
            assert.strictEqual(gate.snapshot().inFlight, most)
            yield* Fiber.interrupt(running)
          }
        }).pipe(Effect.scoped)
      )
  )

  it.live("sends one request at a time to a service that does not answer, however often it is tried", () =>
    inVirtualTime(
      Effect.gen(function* () {
        const gate = yield* RequestGate.make({ concurrency: 8 })
        let [running, together] = [0, 0]
        const request = Effect.acquireUseRelease(
          Effect.sync(() => {
            running += 1
            together = Math.max(together, running)
          }),
          () => Effect.zipRight(Effect.sleep("1500 millis"), Effect.fail("down")),
          () => Effect.sync(() => void running--)
        )
        const all = Array.from({ length: 6 }, () => Effect.ignore(gate.use(request, () => "unreachable")))
        yield* Effect.all(all, { concurrency: "unbounded" })
        assert.strictEqual(together, 1)
      }).pipe(Effect.scoped)
    )
  )
})
