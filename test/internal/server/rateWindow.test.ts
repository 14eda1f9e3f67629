import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as rateWindow from "../../../src/internal/server/rateWindow.ts"

describe("rateWindow", () => {
  it("lets none begin at a rate of 0", () => {
    assert.strictEqual(rateWindow.make({ requests: 0, per: 100 }).wait(5), 100)
  })

  it("lets exactly as many begin within any period as it may, and tells when the next one may", () => {
    const steps = FastCheck.array(FastCheck.integer({ min: 0, max: 60 }), { maxLength: 200 })
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 6 }), steps, (requests, pauses) => {
        const window = rateWindow.make({ requests, per: 100 })
        const begun: Array<number> = []
        let now = 1_000_000
        for (const pause of pauses) {
          now += pause
          const recent = begun.filter((at) => at > now - 100)
          const wait = window.wait(now)
          assert.strictEqual(wait === 0, recent.length < requests)
          if (wait > 0) {
            assert.isBelow(begun.filter((at) => at > now + wait - 100).length, requests)
            assert.isAbove(begun.filter((at) => at > now + wait - 1 - 100).length, requests - 1)
          } else {
            window.count(now)
            begun.push(now)
          }
        }
      })
    )
  })
})
