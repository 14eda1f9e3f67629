/** Gradient-boosted decision trees: their compact form and the probabilities that they give. */
import * as FileText from "../FileText.ts"

/** The compact form, as the training writes it. */
export interface Packed {
  /** Names of the features, separated by a space. */
  readonly features: string
  /** Names of the classes, separated by a space. */
  readonly classes: string
  /** Score of each class before the first tree. */
  readonly bases: ReadonlyArray<number>
  /** Number of thresholds of each feature. */
  readonly counts: ReadonlyArray<number>
  /** Thresholds of all features in order, ascending: little-endian 32-bit floats in base64. */
  readonly thresholds: string
  /** A unit of a node's value. */
  readonly unit: number
  /**
   * Nodes of all trees in base64, six bytes each, parents before their left children and those before the right ones: feature (255: a
   * leaf), threshold, distance to the right child (16 bits), value (16 bits, signed). The trees of the classes take turns.
   */
  readonly nodes: string
}

export interface Trees {
  readonly features: ReadonlyArray<string>
  readonly classes: ReadonlyArray<string>
  readonly bases: ReadonlyArray<number>
  readonly unit: number
  readonly feature: Uint8Array
  /** Threshold of each node; 0 for a leaf. */
  readonly limit: Float64Array
  readonly right: Uint16Array
  readonly value: Int16Array
  /** First node of each tree. */
  readonly roots: ReadonlyArray<number>
}

/** Feature of a leaf. */
export const leaf = 255

const bytesOf = (text: string): DataView => {
  const bytes = FileText.bytesOf(atob(text))
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export const unpack = (packed: Packed): Trees => {
  const numbers = bytesOf(packed.thresholds)
  let at = 0
  const thresholds = packed.counts.map((count) =>
    Float32Array.from({ length: count }, () => numbers.getFloat32(4 * at++, true))
  )
  const nodes = bytesOf(packed.nodes)
  const length = nodes.byteLength / 6
  const feature = new Uint8Array(length)
  const limit = new Float64Array(length)
  const right = new Uint16Array(length)
  const value = new Int16Array(length)
  const roots: Array<number> = []
  // Nodes that the tree still lacks: a leaf fills one place, any other node opens one more.
  let open = 0
  for (let node = 0; node < length; node++) {
    if (open === 0) {
      roots.push(node)
      open = 1
    }
    const own = nodes.getUint8(6 * node)
    feature[node] = own
    limit[node] = thresholds[own]?.[nodes.getUint8(6 * node + 1)] ?? 0
    right[node] = nodes.getUint16(6 * node + 2, true)
    value[node] = nodes.getInt16(6 * node + 4, true)
    open += own === leaf ? -1 : 1
  }
  return {
    features: packed.features.split(" "),
    classes: packed.classes.split(" "),
    bases: packed.bases,
    unit: packed.unit,
    feature,
    limit,
    right,
    value,
    roots
  }
}

/** The next node of a tree for a case, below a node that is not a leaf. A missing value (not a number) is above every threshold. */
export const step = ({ feature, limit, right }: Trees, node: number, row: Float64Array): number =>
  (row[feature[node] ?? leaf] ?? Number.NaN) <= (limit[node] ?? 0) ? node + 1 : node + (right[node] ?? 1)

/** One class: the chance of its being true. Several: their chances, which sum to 1. */
const chances = (scores: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (scores.length === 1) return scores.map((score) => 1 / (1 + Math.exp(-score)))
  const highest = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - highest))
  const sum = powers.reduce((left, right) => left + right, 0)
  return powers.map((power) => power / sum)
}

/**
 * Probability of each class, in the order of `classes`, for the values of a case in the order of `features`. With a single class: the probability that it is true.
 */
export const probabilities = (trees: Trees, row: Float64Array): ReadonlyArray<number> => {
  const { feature, roots, unit, value } = trees
  const scores = Array.from(trees.bases)
  let of = 0
  for (const root of roots) {
    let node = root
    while (feature[node] !== leaf) node = step(trees, node, row)
    scores[of] = (scores[of] ?? 0) + (value[node] ?? 0) * unit
    of = of + 1 === scores.length ? 0 : of + 1
  }
  return chances(scores)
}
