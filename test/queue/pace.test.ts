import { assert, describe, it } from "@effect/vitest"
import { SharedPace } from "../../src/internal/queue/pace.ts"

describe("the shared pace of a queue", () => {
  it("sets no limit while half of the workers or fewer have learned a rate", () => {
    const pace = new SharedPace()
    for (const [name, rate] of [
      ["a", 20],
      ["b", null],
      ["c", 30],
      ["d", null]
    ] as const)
      pace.heard(name, rate, 1000)
    assert.isUndefined(pace.change(1000))
  })

  it("limits claims to what the workers have learned together once more than half have, and tells it once", () => {
    const pace = new SharedPace()
    for (const name of ["a", "b", "c"]) pace.heard(name, 20, 1000)
    pace.heard("d", null, 1000)
    assert.closeTo(pace.change(1000) ?? 0, 88, 0.001)
    pace.heard("a", 21, 1500)
    assert.isUndefined(pace.change(1500))
    for (const name of ["a", "b", "c"]) pace.heard(name, 30, 2000)
    assert.closeTo(pace.change(2000) ?? 0, 132, 0.001)
  })

  it("ends the limit when the workers have given theirs up, or are gone", () => {
    const pace = new SharedPace()
    for (const name of ["a", "b"]) pace.heard(name, 20, 1000)
    assert.isNumber(pace.change(1000))
    pace.heard("b", null, 2000)
    assert.isNull(pace.change(2000))
    for (const name of ["a", "b"]) pace.heard(name, 20, 3000)
    assert.isNumber(pace.change(3000))
    assert.isNull(pace.change(14_000))
    assert.strictEqual(pace.workers(14_000), 0)
  })
})
