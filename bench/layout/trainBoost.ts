/**
 * Gradient boosting of decision trees over histograms: cases in bins, trees grown leaf by leaf, softmax or logistic loss. The same data
 * and seed give the same trees.
 */
import { Buffer } from "node:buffer"
import { leaf, type Packed } from "../../src/engine/pdf/lines/Trees.ts"

/** One labelled case. */
export interface Case {
  /** In the order of the features. */
  readonly values: Float64Array
  /** Index of its class; with one class: 1 if it is true, otherwise 0. */
  readonly label: number
  readonly weight: number
}

export interface BoostOptions {
  readonly rounds: number
  readonly leaves: number
  readonly rate: number
  readonly seed: number
  /** Most thresholds of a feature. */
  readonly bins: number
  /** Least weight of a leaf. */
  readonly least: number
  /** Shares of the cases and of the features that each tree sees. */
  readonly rows: number
  readonly columns: number
  readonly smoothing: number
}

export const defaults: BoostOptions = {
  rounds: 120,
  leaves: 24,
  rate: 0.08,
  seed: 1,
  bins: 48,
  least: 4,
  rows: 0.6,
  columns: 0.25,
  smoothing: 8
}

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Thresholds between the values of a feature, at most `most`, at equal numbers of cases. */
const thresholdsOf = (values: Float64Array, most: number): Float32Array => {
  const known = values.filter((value) => !Number.isNaN(value)).toSorted()
  const found: Array<number> = []
  const put = (low: number, high: number): void => {
    const middle = Math.fround(low + (high - low) / 2)
    const limit = middle < high ? middle : Math.fround(low)
    if (found.at(-1) !== limit) found.push(limit)
  }
  const different = new Set(known)
  if (different.size <= most) {
    const all = [...different]
    for (let at = 1; at < all.length; at++) put(all[at - 1] ?? 0, all[at] ?? 0)
  } else {
    for (let cut = 1; cut <= most; cut++) {
      let at = Math.floor((cut * known.length) / (most + 1))
      const low = known[at] ?? 0
      while (at < known.length && known[at] === low) at++
      if (at < known.length) put(low, known[at] ?? 0)
    }
  }
  // Missing values are above every threshold: with one value only, a threshold still parts it from the missing ones.
  if (found.length === 0 && known.length > 0 && known.length < values.length)
    found.push(Math.fround((known[0] ?? 0) + 1))
  return Float32Array.from(found)
}

const binOf = (value: number, thresholds: Float32Array): number => {
  if (Number.isNaN(value)) return thresholds.length
  let low = 0
  let high = thresholds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= (thresholds[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}

interface Node {
  readonly feature: number
  readonly bin: number
  readonly value: number
  readonly left: Node | undefined
  readonly right: Node | undefined
}

interface Split {
  readonly gain: number
  readonly feature: number
  readonly bin: number
}

interface Leaf {
  readonly rows: Int32Array
  readonly histogram: Float64Array
  readonly gradient: number
  readonly hessian: number
  split: Split | undefined
  children: readonly [Leaf, Leaf] | undefined
}

class Grower {
  private readonly binned: ReadonlyArray<Uint8Array>
  private readonly width: number
  private readonly options: BoostOptions

  constructor(binned: ReadonlyArray<Uint8Array>, options: BoostOptions) {
    this.binned = binned
    this.width = options.bins + 1
    this.options = options
  }

  private histogram(
    rows: Int32Array,
    features: ReadonlyArray<number>,
    gradients: Float64Array,
    hessians: Float64Array
  ): Float64Array {
    const found = new Float64Array(features.length * this.width * 2)
    features.forEach((feature, order) => {
      const bins = this.binned[feature] ?? new Uint8Array()
      const base = order * this.width * 2
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at] ?? 0
        const place = base + 2 * (bins[row] ?? 0)
        found[place] = (found[place] ?? 0) + (gradients[row] ?? 0)
        found[place + 1] = (found[place + 1] ?? 0) + (hessians[row] ?? 0)
      }
    })
    return found
  }

  private best(of: Leaf, features: ReadonlyArray<number>): Split | undefined {
    const { least, smoothing } = this.options
    const score = (gradient: number, hessian: number) => (gradient * gradient) / (hessian + smoothing)
    const whole = score(of.gradient, of.hessian)
    let best: Split | undefined
    features.forEach((feature, order) => {
      let gradient = 0
      let hessian = 0
      const base = order * this.width * 2
      for (let bin = 0; bin < this.width - 1; bin++) {
        gradient += of.histogram[base + 2 * bin] ?? 0
        hessian += of.histogram[base + 2 * bin + 1] ?? 0
        if (hessian < least) continue
        if (of.hessian - hessian < least) break
        const gain = score(gradient, hessian) + score(of.gradient - gradient, of.hessian - hessian) - whole
        if (gain > (best?.gain ?? 1e-3)) best = { gain, feature, bin }
      }
    })
    return best
  }

  /** Grows one tree by splitting the leaf of the highest gain, until it has all of its leaves. */
  grow(rows: Int32Array, features: ReadonlyArray<number>, gradients: Float64Array, hessians: Float64Array): Node {
    const leafOf = (own: Int32Array, histogram: Float64Array): Leaf => {
      let gradient = 0
      let hessian = 0
      for (let at = 0; at < own.length; at++) {
        gradient += gradients[own[at] ?? 0] ?? 0
        hessian += hessians[own[at] ?? 0] ?? 0
      }
      const made: Leaf = { rows: own, histogram, gradient, hessian, split: undefined, children: undefined }
      made.split = this.best(made, features)
      return made
    }
    const root = leafOf(rows, this.histogram(rows, features, gradients, hessians))
    const open = [root]
    for (let count = 1; count < this.options.leaves; count++) {
      let next: Leaf | undefined
      for (const each of open) {
        if (each.split !== undefined && each.split.gain > (next?.split?.gain ?? 0)) next = each
      }
      if (next?.split === undefined) break
      const { feature, bin } = next.split
      const bins = this.binned[feature] ?? new Uint8Array()
      const left = next.rows.filter((row) => (bins[row] ?? 0) <= bin)
      const right = next.rows.filter((row) => (bins[row] ?? 0) > bin)
      const [small, large] = left.length <= right.length ? [left, right] : [right, left]
      const ofSmall = this.histogram(small, features, gradients, hessians)
      const whole = next.histogram
      const ofLarge = ofSmall.map((value, at) => (whole[at] ?? 0) - value)
      const children = [
        leafOf(left, left === small ? ofSmall : ofLarge),
        leafOf(right, right === large ? ofLarge : ofSmall)
      ] as const
      next.children = children
      open.splice(open.indexOf(next), 1, ...children)
    }
    return this.settle(root)
  }

  private settle(of: Leaf): Node {
    const value = (-of.gradient / (of.hessian + this.options.smoothing)) * this.options.rate
    if (of.children === undefined || of.split === undefined) {
      return { feature: leaf, bin: 0, value, left: undefined, right: undefined }
    }
    const [left, right] = of.children
    return { feature: of.split.feature, bin: of.split.bin, value, left: this.settle(left), right: this.settle(right) }
  }
}

const scoreOf = (tree: Node, binned: ReadonlyArray<Uint8Array>, row: number): number => {
  let node = tree
  while (node.left !== undefined && node.right !== undefined) {
    node = (binned[node.feature]?.[row] ?? 0) <= node.bin ? node.left : node.right
  }
  return node.value
}

const flatten = (node: Node, unit: number, into: Array<number>): number => {
  const at = into.length
  const value = Math.max(-32_768, Math.min(32_767, Math.round(node.value / unit)))
  into.push(node.feature, node.bin, 0, 0, value & 255, (value >> 8) & 255)
  if (node.left === undefined || node.right === undefined) return 1
  const left = flatten(node.left, unit, into)
  const right = flatten(node.right, unit, into)
  into[at + 2] = (left + 1) & 255
  into[at + 3] = (left + 1) >> 8
  return 1 + left + right
}

/** Trains trees; with a single class its cases are true or false. */
export const train = (
  cases: ReadonlyArray<Case>,
  features: ReadonlyArray<string>,
  classes: ReadonlyArray<string>,
  options: BoostOptions = defaults
): Packed => {
  const chance = random(options.seed)
  const thresholds = features.map((_, feature) =>
    thresholdsOf(
      Float64Array.from(cases, ({ values }) => values[feature] ?? Number.NaN),
      options.bins
    )
  )
  const binned = features.map((_, feature) =>
    Uint8Array.from(cases, ({ values }) =>
      binOf(values[feature] ?? Number.NaN, thresholds[feature] ?? new Float32Array())
    )
  )
  const of = classes.length
  const weight = Float64Array.from(cases, (each) => each.weight)
  const labels = Int32Array.from(cases, (each) => each.label)
  const whole = weight.reduce((sum, each) => sum + each, 0)
  const target = (row: number, at: number): number => (of === 1 ? (labels[row] ?? 0) : labels[row] === at ? 1 : 0)
  const bases = classes.map((_, at) => {
    const share = cases.reduce((sum, each, row) => sum + each.weight * target(row, at), 0) / whole
    const kept = Math.max(1e-6, Math.min(1 - 1e-6, share))
    return of === 1 ? Math.log(kept / (1 - kept)) : Math.log(kept)
  })
  const scores = bases.map((base) => new Float64Array(cases.length).fill(base))
  const grower = new Grower(binned, options)
  const usable = features.flatMap((_, at) => ((thresholds[at]?.length ?? 0) > 0 ? [at] : []))
  const trees: Array<Node> = []
  for (let round = 0; round < options.rounds; round++) {
    const rows = Int32Array.from(cases.keys()).filter(() => chance() < options.rows)
    const chanceOf = scores.map((own) => new Float64Array(own.length))
    for (let row = 0; row < cases.length; row++) {
      if (of === 1) {
        chanceOf[0]?.fill(1 / (1 + Math.exp(-(scores[0]?.[row] ?? 0))), row, row + 1)
        continue
      }
      let highest = Number.NEGATIVE_INFINITY
      for (const own of scores) highest = Math.max(highest, own[row] ?? 0)
      let sum = 0
      for (const own of scores) sum += Math.exp((own[row] ?? 0) - highest)
      scores.forEach((own, at) => chanceOf[at]?.fill(Math.exp((own[row] ?? 0) - highest) / sum, row, row + 1))
    }
    for (let at = 0; at < of; at++) {
      const gradients = new Float64Array(cases.length)
      const hessians = new Float64Array(cases.length)
      for (let row = 0; row < cases.length; row++) {
        const p = chanceOf[at]?.[row] ?? 0
        const w = weight[row] ?? 0
        gradients[row] = w * (p - target(row, at))
        hessians[row] = Math.max(1e-6, w * p * (1 - p))
      }
      const seen = usable.filter(() => chance() < options.columns)
      const tree = grower.grow(rows, seen.length === 0 ? usable : seen, gradients, hessians)
      trees.push(tree)
      const own = scores[at] ?? new Float64Array()
      for (let row = 0; row < cases.length; row++) own[row] = (own[row] ?? 0) + scoreOf(tree, binned, row)
    }
  }
  return pack(trees, features, thresholds, classes, bases)
}

/** Unit of a node's value: an eight-thousandth, so that 16 bits reach to 4. */
const unit = 1 / 8192

const pack = (
  trees: ReadonlyArray<Node>,
  features: ReadonlyArray<string>,
  thresholds: ReadonlyArray<Float32Array>,
  classes: ReadonlyArray<string>,
  bases: ReadonlyArray<number>
): Packed => {
  const nodes: Array<number> = []
  for (const tree of trees) flatten(tree, unit, nodes)
  const numbers = new DataView(new ArrayBuffer(4 * thresholds.reduce((sum, each) => sum + each.length, 0)))
  let at = 0
  for (const each of thresholds) for (const value of each) numbers.setFloat32(4 * at++, value, true)
  return {
    features: features.join(" "),
    classes: classes.join(" "),
    bases: bases.map((base) => Math.round(base * 1e6) / 1e6),
    counts: thresholds.map((each) => each.length),
    thresholds: Buffer.from(numbers.buffer).toString("base64"),
    unit,
    nodes: Buffer.from(nodes).toString("base64")
  }
}
