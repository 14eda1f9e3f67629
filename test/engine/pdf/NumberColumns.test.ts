import { assert, describe, it } from "@effect/vitest"
import * as NumberColumns from "../../../src/engine/pdf/NumberColumns.ts"

describe("columns of numbers that were taken for one", () => {
  it("are divided, with their headings", () => {
    const rows = [
      ["Name", "Count Value"],
      ["Orbit", "252 96.21"],
      ["Surface of 2 lakes", "381 2.24"],
      ["Signal", "−3 56.15"],
      ["All", ""]
    ]
    assert.deepStrictEqual(NumberColumns.divide(rows), [
      ["Name", "Count", "Value"],
      ["Orbit", "252", "96.21"],
      ["Surface of 2 lakes", "381", "2.24"],
      ["Signal", "−3", "56.15"],
      ["All", "", ""]
    ])
  })

  it("keep a heading of other words in the first of them", () => {
    const rows = [["Sum of both"], ["1 2.5"], ["2 3.5"], ["3 4.5"], ["4 5.5"], ["5 6.5"]]
    assert.deepStrictEqual(NumberColumns.divide(rows)[0], ["Sum of both", ""])
  })

  it("stay one where thousands are apart, where numbers differ in number, and where words are among them", () => {
    for (const cells of [
      ["12 345", "1 234", "999 100"],
      ["1 2.5", "1 2.5 3", "1 2.5", "1 2.5"],
      ["1 2.5", "two of them", "three of them", "4 5.5"],
      ["1 2.5", "2 3.5"]
    ]) {
      const rows = cells.map((cell) => ["a", cell])
      assert.strictEqual(NumberColumns.divide(rows), rows)
    }
  })
})
