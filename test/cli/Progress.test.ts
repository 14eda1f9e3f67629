import { assert, describe, it } from "@effect/vitest"
import { duration, render } from "../../src/cli/Progress.ts"

const counts = { discovered: 40, complete: true, done: 10, unchanged: 3, failed: 1, pages: 25, chunks: 90 }

describe("Progress", () => {
  it("shows files, pages, chunks, rate, failures and the time left", () => {
    assert.strictEqual(
      render(counts, 5000),
      "10/40 files [#####...............] · 25 pages · 90 chunks · 2.0 files/s · 3 unchanged · 1 failed · 15 s left"
    )
  })

  it("promises no time while files are still being discovered", () => {
    assert.strictEqual(
      render({ ...counts, complete: false, unchanged: 0, failed: 0 }, 5000),
      "10/40+ files · 25 pages · 90 chunks · 2.0 files/s"
    )
  })

  it("says durations as a person does", () => {
    assert.deepStrictEqual([5, 65, 3700].map(duration), ["5 s", "1 min 5 s", "1 h 1 min"])
  })
})
