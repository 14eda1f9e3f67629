import { assert, describe, it } from "@effect/vitest"
import * as RequestGate from "docsluice/RequestGate"
import { Clock, Effect, Fiber } from "effect"
import * as RateLimits from "./rateLimits.ts"
import { type Result, type Service, simulate } from "./simulator.ts"
import { inVirtualTime } from "./virtualTime.ts"

/** Seeds that no constant was chosen by. */
const seeds = [101, 202]

const each = (one: (seed: number) => Effect.Effect<void>) => Effect.forEach(seeds, one, { discard: true })

const between = ({ arrivals }: Result, from: number, to: number) => arrivals.filter(({ at }) => at >= from && at < to)

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const windowOf = (rate: RateLimits.RateLimit): number =>
  rate.kind === "bucket" ? Math.max(1000, (1000 * rate.capacity) / rate.perSecond) : rate.window

const seconds = { retryAfter: "seconds" } as const
const date = { retryAfter: "date" } as const
const untold = { retryAfter: "untold" } as const

/** Limits that no constant was chosen by. */
const limits: ReadonlyArray<{
  readonly name: string
  readonly service: Service & { readonly rate: RateLimits.RateLimit }
  readonly documents: number
  readonly workers: number
}> = [
  {
    name: "75 in each second from the first request on, told in seconds",
    service: { rate: { kind: "fixed", requests: 75, window: 1000, phase: null }, taken: 65, ...seconds },
    documents: 1800,
    workers: 28
  },
  {
    name: "18 in each second of a clock, told as a date",
    service: { rate: { kind: "fixed", requests: 18, window: 1000, phase: 850 }, taken: 45, ...date },
    documents: 400,
    workers: 10
  },
  {
    name: "90 in each minute, told in seconds",
    service: { rate: { kind: "fixed", requests: 90, window: 60_000, phase: null }, taken: 250, ...seconds },
    documents: 450,
    workers: 40
  },
  {
    name: "150 in each half minute of a clock, not told",
    service: { rate: { kind: "fixed", requests: 150, window: 30_000, phase: 11_000 }, taken: 80, ...untold },
    documents: 1200,
    workers: 20
  },
  {
    name: "35 in any second, not told",
    service: { rate: { kind: "log", requests: 35, window: 1000 }, taken: 60, ...untold },
    documents: 800,
    workers: 14
  },
  {
    name: "110 in any minute, told in seconds",
    service: { rate: { kind: "log", requests: 110, window: 60_000 }, taken: 90, ...seconds },
    documents: 550,
    workers: 26
  },
  {
    name: "60 in a second, with the second before, told in seconds",
    service: { rate: { kind: "counter", requests: 60, window: 1000, phase: 420 }, taken: 35, ...seconds },
    documents: 1400,
    workers: 22
  },
  {
    name: "140 in a minute, with the minute before, not told",
    service: { rate: { kind: "counter", requests: 140, window: 60_000, phase: 50_000 }, taken: 120, ...untold },
    documents: 840,
    workers: 36
  },
  {
    name: "a bucket of 25 refilled at 5 a second, told as a date",
    service: { rate: { kind: "bucket", capacity: 25, perSecond: 5 }, taken: 300, ...date },
    documents: 300,
    workers: 14
  },
  {
    name: "a leaky bucket of 1, 12 a second, told in seconds",
    service: { rate: { kind: "bucket", capacity: 1, perSecond: 12 }, taken: 70, ...seconds },
    documents: 350,
    workers: 16
  }
]

describe("RequestGate and the rate limits of services", () => {
  for (const { documents, name, service, workers } of limits) {
    it.live(`${name}: at most 1.15 times the ideal, and 5 % refused after the first window`, () =>
      Effect.gen(function* () {
        const results = yield* Effect.forEach([11, 22, 33], (seed) => simulate(service, { documents, workers, seed }))
        const ideal = RateLimits.leastTime(service.rate, documents) + (service.taken ?? 0)
        const ratio = median(results.map(({ millis }) => millis / ideal))
        assert.isAtMost(ratio, 1.15)
        const refused = median(
          results.map((result) => {
            const later = between(result, windowOf(service.rate), Infinity)
            return later.filter((arrival) => arrival.refused).length / later.length
          })
        )
        assert.isAtMost(refused, 0.05)
      })
    )
  }

  it.live("a minute's limit that is told costs at most 20 refusals in the first minute, with 40 workers", () =>
    each((seed) =>
      Effect.gen(function* () {
        const rate = { kind: "fixed", requests: 90, window: 60_000, phase: null } as const
        const result = yield* simulate({ rate, ...seconds }, { documents: 180, workers: 40, seed })
        assert.isAtMost(between(result, 0, 60_000).filter(({ refused }) => refused).length, 20)
      })
    )
  )

  it.live("a service that always tells a minute, though it counts by the second, holds up only what it refused", () =>
    each((seed) =>
      Effect.gen(function* () {
        const rate = { kind: "fixed", requests: 75, window: 1000, phase: null } as const
        const result = yield* simulate({ rate, retryAfter: 60 }, { documents: 1800, workers: 28, seed })
        assert.isAtMost(result.millis, 1.15 * RateLimits.leastTime(rate, 1800) + 61_000)
      })
    )
  )

  for (const apart of [0, 6000]) {
    it.live(
      `two clients, one ${apart / 1000} seconds after the other, use 90 % of a limit, and neither gets less than a fifth`,
      () =>
        each((seed) =>
          Effect.gen(function* () {
            const rate = { kind: "fixed", requests: 90, window: 1000, phase: null } as const
            const within = apart + 20_000
            const given = { documents: 3000, workers: 20, seed, clients: 2, apart, within }
            const served = between(
              yield* simulate({ rate, taken: 70, ...seconds }, given),
              within - 15_000,
              within
            ).filter(({ refused }) => !refused)
            assert.isAtLeast(served.length, 0.9 * 15 * 90)
            for (const client of [0, 1]) {
              assert.isAtLeast(served.filter((one) => one.client === client).length, 0.2 * served.length)
            }
          })
        )
    )
  }
})

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
