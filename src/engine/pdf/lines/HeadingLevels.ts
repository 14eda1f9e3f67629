/** Levels of the headings of a document, by their numbers, its bookmarks, its tags and their styles together. */
import * as Tally from "../../Tally.ts"

/** A heading before it has a level. */
export interface Heading {
  /** Font height over the document's usual one. */
  readonly size: number
  readonly bold: boolean
  readonly italic: boolean
  /** All of its letters are capitals. */
  readonly capitals: boolean
  /** Parts of its decimal number: 2 for `1.2`; 0 without one. */
  readonly depth: number
  /** Level of its heading element in a structure tree that is sound, of its bookmark; undefined without one. */
  readonly given: number | undefined
}

/** Sizes that differ by less are one size. */
const sameSize = 0.04

interface Style extends Pick<Heading, "size" | "bold" | "italic" | "capitals"> {
  readonly of: Array<Heading>
}

const isOf = (style: Style, heading: Heading): boolean =>
  Math.abs(style.size - heading.size) <= sameSize * style.size &&
  style.bold === heading.bold &&
  style.italic === heading.italic &&
  style.capitals === heading.capitals

/** Styles in the order of their weight: larger, then bold, then in capitals, then upright. */
const stylesOf = (headings: ReadonlyArray<Heading>): ReadonlyArray<Style> => {
  const styles: Array<Style> = []
  for (const heading of headings.toSorted((left, right) => right.size - left.size)) {
    const style = styles.find((each) => isOf(each, heading))
    if (style === undefined) styles.push({ ...heading, of: [heading] })
    else style.of.push(heading)
  }
  const weight = (style: Style) => (style.bold ? 4 : 0) + (style.capitals ? 2 : 0) - (style.italic ? 1 : 0)
  return styles.toSorted((left, right) =>
    Math.abs(left.size - right.size) <= sameSize * left.size ? weight(right) - weight(left) : right.size - left.size
  )
}

/** The value of most of the headings that have one, the smaller of two, if a third of all have one. */
const usual = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const counts = new Map<number, number>()
  let known = 0
  for (const value of values) {
    if (value === undefined) continue
    known++
    Tally.add(counts, value)
  }
  const [best] = [...counts].toSorted(([left, one], [right, other]) => other - one || left - right)
  return best !== undefined && known * 3 >= values.length ? best[0] : undefined
}

/** Ranks of the headings, 1 for the highest; lower ones may leave ranks out. */
const ranksOf = (headings: ReadonlyArray<Heading>): ReadonlyMap<Heading, number> => {
  const ranks = new Map<Heading, number>()
  let last = 0
  for (const style of stylesOf(headings)) {
    const given = usual(style.of.map((heading) => heading.given))
    const depth = usual(style.of.map((heading) => (heading.depth === 0 ? undefined : heading.depth)))
    const rank = given ?? depth ?? last + 1
    for (const heading of style.of) {
      const own = heading.depth === 0 || depth === undefined ? rank : rank + heading.depth - depth
      ranks.set(heading, Math.max(1, heading.given ?? own))
    }
    last = Math.max(rank, given === undefined && depth === undefined ? last + 1 : rank)
  }
  return ranks
}

/**
 * Level of each heading, in order. The first one has the level `top`; a heading is at most one level below the heading before it, has the
 * level of its siblings, and none is above `top` or below 6.
 */
export const of = (headings: ReadonlyArray<Heading>, top: number): ReadonlyArray<number> => {
  const ranks = ranksOf(headings)
  const open: Array<{ readonly rank: number; readonly level: number }> = []
  return headings.map((heading) => {
    const rank = ranks.get(heading) ?? 1
    while (open.length > 0 && (open.at(-1)?.rank ?? 0) >= rank) open.pop()
    const level = Math.min(6, (open.at(-1)?.level ?? top - 1) + 1)
    open.push({ rank, level })
    return level
  })
}
