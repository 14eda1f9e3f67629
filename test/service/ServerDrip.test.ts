import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { drip, metricsWith, start, upload } from "./serverFixture.ts"

/** A large upload that has hardly begun. */
const head =
  "POST /v2/parse HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 50000000\r\n\r\n--B\r\n"

describe("Server", () => {
  it.scopedLive("answers 408 when an upload drips", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { idleTimeout: "500 millis" } })
      assert.match(yield* drip(base, head), /^HTTP\/1\.1 408 /)
    })
  )

  it.scopedLive("has room for others while 32 uploads that fill it drip a byte at a time", () =>
    Effect.gen(function* () {
      const base = yield* start({ server: { capacity: 32 } })
      const dripping = yield* Effect.forEach(Array.from({ length: 32 }), () => Effect.fork(drip(base, head)))
      yield* metricsWith(base, "docsluice_requests_in_flight 33\n")
      const [waited] = yield* Effect.timed(Effect.repeat(upload(base, {}), { until: ({ status }) => status === 200 }))
      // Well before the idle time, which is 30 seconds.
      assert.isBelow(Duration.toSeconds(waited), 15)
      const dropped = yield* Effect.raceAll(dripping.map(Fiber.join))
      // A client that still sends meets a reset, which may take the answer away before a busy process reads it.
      if (dropped !== "") assert.match(dropped, /^HTTP\/1\.1 408 [^]*Retry-After: 1\r\n/iu)
      yield* metricsWith(base, 'docsluice_requests_total{status="408"} 1\n')
      yield* Fiber.interruptAll(dripping)
    })
  )
})
