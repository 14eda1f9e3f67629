import { assert, describe, it } from "@effect/vitest"
import { breadth, depth, fuse, type Ranking, weightOf } from "../../sinks/internal/shared/Fusion.ts"
import { space } from "../fixtures/vectorChunks.ts"

const ranked = (scores: Readonly<Record<string, number | null>>): Ranking<string> =>
  Object.entries(scores).map(([key, score]) => ({ key, score }))

const joined = (words: Ranking<string>, vectors: Ranking<string>, weight = 1) =>
  fuse(
    [
      { ranking: words, weight: 1, without: 0 },
      { ranking: vectors, weight, without: null }
    ],
    10
  )

const keys = (words: Ranking<string>, vectors: Ranking<string>, weight = 1) =>
  joined(words, vectors, weight).map(({ key }) => key)

describe("the fusion of rankings", () => {
  it("ranks what is first in both before what is first in one", () => {
    assert.deepEqual(keys(ranked({ both: 9, a: 8, c: 1 }), ranked({ both: 0.9, b: 0.8, d: 0.1 })), [
      "both",
      "a",
      "b",
      "c",
      "d"
    ])
  })

  it("goes by how far a score stands above the others, on whatever scale", () => {
    const others = Array.from({ length: 10 }, (_, at) => [`other${at}`, 10 - at / 10] as const)
    const words = ranked({ far: 30, near: 12, ...Object.fromEntries(others) })
    assert.deepEqual(keys(words, ranked({ near: 0.62, far: 0.6, other: 0.3 })).slice(0, 2), ["far", "near"])
    assert.deepEqual(keys(words, ranked({ near: -0.1, far: -3, other: -4 })).slice(0, 2), ["far", "near"])
    assert.deepEqual(keys(words, ranked({ near: 0.9, far: 0.31, other: 0.3 })).slice(0, 2), ["near", "far"])
  })

  it("takes two matches that are nearly as good for nearly as good, although one of them is the last", () => {
    assert.deepEqual(keys(ranked({ a: 3, b: 2.9 }), ranked({ b: 0.9, c: 0.5, a: 0.4 })), ["b", "a", "c"])
  })

  it("gives the same score however many candidates were read after the fiftieth", () => {
    const many = (count: number): Ranking<string> =>
      Array.from({ length: count }, (_, at) => ({ key: `k${at}`, score: 1000 - at ** 2 }))
    const scores = (count: number) => joined(many(count), ranked({ k3: 1, k60: 0.5 })).slice(0, 5)
    assert.deepEqual(scores(200), scores(51))
  })

  it("puts what the engine cannot compare after the others of its ranking", () => {
    assert.deepEqual(keys(ranked({ a: 2, b: 1.5, c: 1, old: null }), []), ["a", "b", "c", "old"])
    assert.deepEqual(keys(ranked({ old: null }), ranked({ v: 0.5, w: 0.1 })), ["v", "old", "w"])
  })

  it("lets equal scores stay in order of appearance, and gives no more than it is asked for", () => {
    assert.deepEqual(keys(ranked({ a: 1 }), ranked({ b: 1 })), ["a", "b"])
    assert.deepEqual(keys(ranked({ a: 1, b: 1 }), []), ["a", "b"])
    assert.lengthOf(fuse([{ ranking: ranked({ a: 3, b: 2, c: 1 }), weight: 1, without: 0 }], 2), 2)
    assert.strictEqual(breadth(5), 50)
    assert.strictEqual(breadth(100), 400)
  })

  it("asks for as many candidates as hits where there is one ranking, and for more where two are joined", () => {
    assert.strictEqual(depth({ text: "words", limit: 5 }), 5)
    assert.strictEqual(depth({ text: "", vector: [1], limit: 5 }), 5)
    assert.strictEqual(depth({ text: "words", vector: [1], limit: 5 }), 50)
  })

  it("lets vectors that are made from words count for a tenth, those of a model for as much as words, or as a query says", () => {
    assert.strictEqual(weightOf({ ...space, model: "hash-v1" }, {}), 0.1)
    assert.strictEqual(weightOf({ ...space, model: "text-embedding-3-small" }, {}), 1)
    assert.strictEqual(weightOf(null, {}), 1)
    assert.strictEqual(weightOf({ ...space, model: "hash-v1" }, { vectorWeight: 2 }), 2)
    assert.deepEqual(keys(ranked({ t: 1 }), ranked({ v: 1 }), 0.5), ["t", "v"])
    assert.deepEqual(keys(ranked({ t: 1 }), ranked({ v: 1 }), 2), ["v", "t"])
  })
})
