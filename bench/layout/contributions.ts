/** The features that decided a score. */
import * as Trees from "../../src/engine/pdf/lines/Trees.ts"
import * as Tally from "../../src/engine/Tally.ts"

/**
 * Share of each feature in the score of a class, the largest first: the sum over all trees of what the value of a node changes at a
 * decision by that feature.
 */
export const contributions = (
  trees: Trees.Trees,
  row: Float64Array,
  ofClass: number
): ReadonlyArray<{ readonly feature: string; readonly value: number; readonly share: number }> => {
  const shares = new Map<number, number>()
  trees.roots.forEach((root, tree) => {
    if (tree % trees.bases.length !== ofClass) return
    let node = root
    while (trees.feature[node] !== Trees.leaf) {
      const feature = trees.feature[node] ?? Trees.leaf
      const next = Trees.step(trees, node, row)
      const change = ((trees.value[next] ?? 0) - (trees.value[node] ?? 0)) * trees.unit
      Tally.add(shares, feature, change)
      node = next
    }
  })
  return [...shares]
    .map(([feature, share]) => ({ feature: trees.features[feature] ?? "", value: row[feature] ?? Number.NaN, share }))
    .toSorted((left, right) => Math.abs(right.share) - Math.abs(left.share))
}
