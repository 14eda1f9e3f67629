import { assert, describe, it } from "@effect/vitest"
import { Openings } from "../../src/internal/gate/openings.ts"

describe("Openings", () => {
  it("goes back to the closing when the request that seemed to end it is refused late", () => {
    const openings = new Openings()
    for (const at of [0, 1, 2]) openings.sent(at)
    openings.sent(10)
    openings.refused(12, 4, 10, 0)
    assert.isNull(openings.sent(20))
    // The refusal of the fifth did not come in time.
    assert.include(openings.sent(30), { accepted: 3, refusals: 1 })
    openings.refused(35, 5, 20, 0)
    openings.refused(36, 6, 30, 0)
    assert.include(openings.closing, { since: 10, at: 30, count: 3 })
    openings.sent(100)
    assert.include(openings.answered(7, 100), { accepted: 3, time: 65, open: 10, closed: 20, refusals: 3 })
  })
})
