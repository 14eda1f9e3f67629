/** Blocks found against blocks of the truth, by their boxes. */
import { f1 } from "./metrics.ts"

export interface BoxedBlock {
  /** 1-based. */
  readonly page: number
  readonly type: string
  /** `[x0, y0, x1, y1]` relative to the page. */
  readonly box: readonly [number, number, number, number]
}

export interface Blocks {
  /** A block is found when its box and one of the same page share at least half of their union. */
  readonly f1: number
  /** Share of found blocks with the right type; undefined where none is found. */
  readonly types: number | undefined
}

const overlap = ({ box: one }: BoxedBlock, { box: other }: BoxedBlock): number => {
  const width = Math.min(one[2], other[2]) - Math.max(one[0], other[0])
  const height = Math.min(one[3], other[3]) - Math.max(one[1], other[1])
  if (width <= 0 || height <= 0) return 0
  const area = (box: BoxedBlock["box"]): number => (box[2] - box[0]) * (box[3] - box[1])
  return (width * height) / (area(one) + area(other) - width * height)
}

/** The interface has no type for footnotes: they are text. */
const typeOf = ({ type }: BoxedBlock): string => (type === "footnote" ? "text" : type)

export const compare = (truth: ReadonlyArray<BoxedBlock>, found: ReadonlyArray<BoxedBlock>): Blocks | undefined => {
  if (truth.length === 0) return undefined
  const pairs = truth
    .flatMap((wanted) =>
      found.flatMap((block) => {
        const shared = wanted.page === block.page ? overlap(wanted, block) : 0
        return shared >= 0.5 ? [{ wanted, block, shared }] : []
      })
    )
    .toSorted((one, other) => other.shared - one.shared)
  const used = new Set<BoxedBlock>()
  const matched = pairs.filter(({ block, wanted }) => {
    if (used.has(wanted) || used.has(block)) return false
    used.add(wanted).add(block)
    return true
  })
  const right = matched.filter(({ block, wanted }) => typeOf(block) === typeOf(wanted)).length
  return {
    f1: f1(found.length === 0 ? 0 : matched.length / found.length, matched.length / truth.length),
    types: matched.length === 0 ? undefined : right / matched.length
  }
}
