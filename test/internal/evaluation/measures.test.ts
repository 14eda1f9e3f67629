import { assert, describe, it } from "@effect/vitest"
import { intervals } from "../../../src/internal/evaluation/bootstrap.ts"
import * as Measures from "../../../src/internal/evaluation/measures.ts"

/** Judgements d1 3, d2 2, d3 1, d4 1; the ranking d2, x, d1, y, d3 finds three of the four. */
const ranking: Measures.Judged = {
  grades: [3, 2, 1, 1],
  found: [[2], [], [3], [], [1]],
  tokens: [100, 100, 100, 100, 100]
}

describe("measures of a ranking", () => {
  it("are trec_eval's recall, recip_rank, map and ndcg_cut", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 5, 10].map((k) => Measures.recall(ranking, k)),
      [0.25, 0.25, 0.5, 0.75, 0.75]
    )
    assert.strictEqual(Measures.reciprocalRank(ranking), 1)
    // (1/1 + 2/3 + 3/5 + 0) / 4
    assert.closeTo(Measures.averagePrecision(ranking), 0.566667, 1e-6)
    // 2 / 3
    assert.closeTo(Measures.ndcg(ranking, 1), 0.666667, 1e-6)
    // (2 + 3/2) / (3 + 2/log2 3 + 1/2)
    assert.closeTo(Measures.ndcg(ranking, 3), 0.735007, 1e-6)
    // (2 + 3/2 + 1/log2 6) / (3 + 2/log2 3 + 1/2 + 1/log2 5)
    assert.closeTo(Measures.ndcg(ranking, 10), 0.748546, 1e-6)
  })

  it("of a ranking that finds nothing are 0, and those of a perfect one 1", () => {
    const none = { ...ranking, found: [[], [], []] }
    const perfect = { ...ranking, found: [[3], [2], [1], [1]] }
    const all = [
      (judged: Measures.Judged) => Measures.recall(judged, 5),
      (judged: Measures.Judged) => Measures.hit(judged, 5),
      (judged: Measures.Judged) => Measures.ndcg(judged, 5),
      (judged: Measures.Judged) => Measures.recallWithin(judged, 1000),
      Measures.reciprocalRank,
      Measures.averagePrecision
    ]
    assert.deepStrictEqual(
      all.map((measure) => [measure(none), measure(perfect)]),
      all.map(() => [0, 1])
    )
    assert.isNull(Measures.firstRank(none))
  })

  it("count a hit that covers several units once, and are never above 1", () => {
    const both = { grades: [1, 1], found: [[1, 1]], tokens: [10] }
    assert.deepStrictEqual(
      [Measures.recall(both, 1), Measures.ndcg(both, 1), Measures.ndcg(both, 5), Measures.averagePrecision(both)],
      [1, 1, 1, 1]
    )
  })

  it("within a prompt stop at the first hit that does not fit, whatever comes after it", () => {
    const judged = { grades: [1], found: [[], [], [1]], tokens: [300, 300, 10] }
    assert.deepStrictEqual(
      [299, 599, 609, 610].map((budget) => Measures.recallWithin(judged, budget)),
      [0, 0, 0, 1]
    )
    assert.strictEqual(Measures.recallWithin({ grades: [1], found: [[1], []], tokens: [300, 300] }, 300), 1)
  })
})

describe("confidence intervals", () => {
  const values = Array.from({ length: 100 }, (_, at) => (at < 30 ? 1 : 0))

  it("are the same for the same seed, others for another, and hold the mean", () => {
    const of = (seed: number) => intervals({ a: values }, { resamples: 1000, seed })["a"]
    assert.deepStrictEqual(of(1), of(1))
    const graded = values.map((value, at) => value + at / 1000)
    const bounds = (seed: number) => intervals({ graded }, { resamples: 1000, seed })["graded"]?.low
    assert.notStrictEqual(bounds(1), bounds(2))
    assert.strictEqual(of(1)?.value, 0.3)
  })

  it("of a share are about as wide as those of its normal approximation", () => {
    const { high = 0, low = 0 } = intervals({ a: values }, { resamples: 2000, seed: 7 })["a"] ?? {}
    // 0.3 ± 1.96 √(0.3 · 0.7 / 100) = 0.21 to 0.39
    assert.closeTo(low, 0.21, 0.02)
    assert.closeTo(high, 0.39, 0.02)
  })
})
