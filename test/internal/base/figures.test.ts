import { assert, describe, it } from "@effect/vitest"
import * as Figures from "../../../src/internal/base/figures.ts"

describe("figures", () => {
  it("says durations as a person does", () => {
    assert.deepStrictEqual([5, 65, 3700].map(Figures.lasted), ["5 s", "1 min 5 s", "1 h 1 min"])
    assert.deepStrictEqual([12, 1500, 59_940, 59_960, 119_600].map(Figures.timed), [
      "12 ms",
      "1.5 s",
      "59.9 s",
      "1 min 0 s",
      "2 min 0 s"
    ])
  })

  it("leaves out figures of 0, and groups the digits of others", () => {
    assert.deepStrictEqual(
      Figures.tallies([
        [0, "failed"],
        [1234, "unchanged"]
      ]),
      ["1,234 unchanged"]
    )
  })

  it("gives sizes in the largest unit that leaves a number above 1", () => {
    assert.deepStrictEqual([0, 1023, 1536, 5 * 1024 ** 3].map(Figures.binarySized), [
      "0 bytes",
      "1023 bytes",
      "1.5 KB",
      "5.0 GB"
    ])
  })
})
