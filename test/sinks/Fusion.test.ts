import { assert, describe, it } from "@effect/vitest"
import { breadth, depth, fuse, weightOf } from "../../sinks/internal/shared/Fusion.ts"
import { space } from "../fixtures/vectorChunks.ts"

const keys = (rankings: ReadonlyArray<ReadonlyArray<string>>, weights: ReadonlyArray<number> = []) =>
  fuse(
    rankings.map((ranking, at) => ({ keys: ranking, weight: weights[at] ?? 1 })),
    10
  ).map(({ key }) => key)

const many = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`)

describe("the fusion of rankings", () => {
  it("ranks an item that is first in both lists before one that is first in one", () => {
    assert.deepEqual(
      keys([
        ["a", "both"],
        ["b", "both"]
      ]),
      ["both", "a", "b"]
    )
  })

  it("ranks an item that is first in one list before one that is in the middle of both", () => {
    const [text, vectors] = [many("t", 20), many("v", 20)]
    text[5] = "middle"
    vectors[5] = "middle"
    const fused = keys([text, vectors])
    assert.deepEqual(fused.slice(0, 2), ["t0", "v0"])
    assert.isAbove(fused.indexOf("middle"), 1)
  })

  it("lets equal scores stay in order of appearance, and gives no more than it is asked for", () => {
    assert.deepEqual(keys([["a"], ["b"]]), ["a", "b"])
    assert.lengthOf(fuse([{ keys: many("k", 30), weight: 1 }], 10), 10)
    assert.strictEqual(breadth(5), 50)
    assert.strictEqual(breadth(100), 400)
  })

  it("asks for as many candidates as hits where there is one ranking, and for more where two are joined", () => {
    assert.strictEqual(depth({ text: "words", limit: 5 }), 5)
    assert.strictEqual(depth({ text: "", vector: [1], limit: 5 }), 5)
    assert.strictEqual(depth({ text: "words", vector: [1], limit: 5 }), 50)
  })

  it("lets vectors that are made from words count for a quarter, and those of a model for as much as words", () => {
    assert.strictEqual(weightOf({ ...space, model: "hash-v1" }), 0.25)
    assert.strictEqual(weightOf({ ...space, model: "text-embedding-3-small" }), 1)
    assert.strictEqual(weightOf(null), 1)
    assert.deepEqual(keys([["t"], ["v"]], [0.5, 1]), ["v", "t"])
  })
})
