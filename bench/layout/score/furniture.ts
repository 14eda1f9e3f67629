/** Running lines: those kept in the text, and those that are nowhere. */
import * as Tokens from "../tokens.ts"
import type { Truth } from "../truth.ts"
import type { BoxedBlock } from "./blocks.ts"

export interface Furniture {
  /** Share of the lines whose words are in the Markdown although no block of the truth says them. */
  readonly kept: number
  /** Share of the lines that are neither in the Markdown nor blocks of the page; undefined for engines without boxes. */
  readonly lost: number | undefined
}

/** Removes the words from the bag if at least 60 % of them are there. */
const take = (surplus: Map<string, number>, words: ReadonlyArray<string>): boolean => {
  const there = words.filter((word) => (surplus.get(word) ?? 0) > 0)
  if (there.length < words.length * 0.6) return false
  for (const word of there) surplus.set(word, (surplus.get(word) ?? 0) - 1)
  return true
}

const centre = ({ box: [x0, y0, x1, y1] }: BoxedBlock): readonly [number, number] => [(x0 + x1) / 2, (y0 + y1) / 2]

export const compare = (
  truth: Truth,
  words: { readonly truth: ReadonlyArray<string>; readonly found: ReadonlyArray<string> },
  lines: ReadonlyArray<BoxedBlock | undefined>,
  blocks: ReadonlyArray<BoxedBlock> | undefined
): Furniture | undefined => {
  if (truth.furniture.length === 0) return undefined
  const surplus = new Map<string, number>()
  for (const word of words.found) surplus.set(word, (surplus.get(word) ?? 0) + 1)
  for (const word of words.truth) surplus.set(word, (surplus.get(word) ?? 0) - 1)
  let kept = 0
  let lost = 0
  truth.furniture.forEach(({ page, text }, at) => {
    const line = lines[at]
    if (take(surplus, Tokens.of(text))) kept++
    else if (line !== undefined) {
      const [x, y] = centre(line)
      const covers = ({ box, page: own }: BoxedBlock) =>
        own === page && box[0] <= x && box[2] >= x && box[1] <= y && box[3] >= y
      if (blocks?.some(covers) === false) lost++
    }
  })
  const count = truth.furniture.length
  return { kept: kept / count, lost: blocks === undefined ? undefined : lost / count }
}
