import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { contributions } from "../../../bench/layout/contributions.ts"
import * as LineModel from "../../../src/engine/pdf/lines/LineModel.ts"
import * as Trees from "../../../src/engine/pdf/lines/Trees.ts"

/** Nodes as they are packed: feature, threshold, distance to the right child, value. */
const nodesOf = (nodes: ReadonlyArray<readonly [number, number, number, number]>): string => {
  const view = new DataView(new ArrayBuffer(6 * nodes.length))
  nodes.forEach(([feature, threshold, right, value], at) => {
    view.setUint8(6 * at, feature)
    view.setUint8(6 * at + 1, threshold)
    view.setUint16(6 * at + 2, right, true)
    view.setInt16(6 * at + 4, value, true)
  })
  return Buffer.from(view.buffer).toString("base64")
}

const { leaf } = Trees

/** Two trees of one class: by `size` at 12 and by `bold` at 0.5, then by `size` at 10. */
const trees = Trees.unpack({
  features: "size bold",
  classes: "heading",
  bases: [-1],
  counts: [2, 1],
  thresholds: Buffer.from(Float32Array.of(10, 12, 0.5).buffer).toString("base64"),
  unit: 0.5,
  nodes: nodesOf([
    [0, 1, 4, 0],
    [1, 0, 2, -1],
    [leaf, 0, 0, -2],
    [leaf, 0, 0, 2],
    [leaf, 0, 0, 6],
    [0, 0, 2, 0],
    [leaf, 0, 0, -2],
    [leaf, 0, 0, 2]
  ])
})

const chance = (score: number): number => 1 / (1 + Math.exp(-score))

describe("Trees", () => {
  it("add the values of the leaves that a case comes to; a threshold belongs to the left", () => {
    const scores = [
      [[14, 0], -1 + 3 + 1],
      [[12, 0], -1 - 1 + 1],
      [[12, 1], -1 + 1 + 1],
      [[10, 0.5], -1 - 1 - 1]
    ] as const
    for (const [values, score] of scores) {
      assert.deepStrictEqual(Trees.probabilities(trees, Float64Array.from(values)), [chance(score)])
    }
  })

  it("put missing values above every threshold", () => {
    assert.deepStrictEqual(Trees.probabilities(trees, Float64Array.of(Number.NaN, 0)), [chance(3)])
  })

  it("explain a score: what each decision changed, by feature, the largest first", () => {
    assert.deepStrictEqual(contributions(trees, Float64Array.of(12, 1), 0), [
      { feature: "bold", value: 1, share: 1.5 },
      { feature: "size", value: 12, share: 0.5 }
    ])
  })

  it("of the model give chances that sum to 1 and are the same each time, whatever the values", () => {
    const { joins, roles } = LineModel.load()
    fc.assert(
      fc.property(fc.array(fc.double(), { minLength: 8, maxLength: 8 }), (numbers) => {
        const values = Float64Array.from(roles.features, (_, at) => numbers[at % 8] ?? 0)
        const chances = Trees.probabilities(roles, values)
        assert.approximately(
          chances.reduce((one, other) => one + other, 0),
          1,
          1e-9
        )
        assert.deepStrictEqual(Trees.probabilities(roles, values), chances)
        assert.isTrue(Trees.probabilities(joins, values).every((one) => one > 0 && one < 1))
      })
    )
  })
})
