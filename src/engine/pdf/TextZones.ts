/** Zones of a page that tables do not cross: columns of running text, and what stands above, between and below them. */
import * as Box from "./Box.ts"
import type { Item } from "./PageItem.ts"
import { runsOf } from "./runs.ts"
import * as TextLine from "./TextLine.ts"

/** Characters and words of a part of a line from which on it counts as running text. */
const longProse = 26
const mostProseWords = 5

/** Fewest lines of running text in a column. */
const fewest = 5

/** Most columns are found by dividing a page this often. */
const deepest = 3

interface Line {
  readonly items: ReadonlyArray<Item>
  /** Boxes of its parts of running text. */
  readonly prose: ReadonlyArray<Box.Box>
}

const lineOf = ({ items, size }: TextLine.TextLine): Line => {
  const parts = runsOf(items, (_, last, item) => item.box.x0 - last.box.x1 <= size * 0.8)
  const prose = parts.filter((part) => {
    const text = part.map((item) => item.text).join(" ")
    return text.length >= longProse && text.trim().split(/\s+/).length >= mostProseWords
  })
  return { items, prose: prose.map((part) => Box.around(part.map((item) => item.box))) }
}

interface Gutter {
  readonly from: number
  readonly to: number
}

/** The gutter between columns of running text; undefined when there are none. */
const gutterOf = (lines: ReadonlyArray<Line>): Gutter | undefined => {
  const boxes = lines.flatMap((line) => line.prose)
  let best: Gutter | undefined
  let most = fewest - 1
  for (const edge of new Set(boxes.map((box) => Math.round(box.x1)))) {
    const left = boxes.filter((box) => box.x1 <= edge + 1)
    const right = boxes.filter((box) => box.x0 > edge + 1)
    const fewer = Math.min(left.length, right.length)
    const crossing = boxes.length - left.length - right.length
    if (fewer <= most || crossing > fewer) continue
    const one = Box.around(left)
    const other = Box.around(right)
    if (Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0) < Math.min(Box.height(one), Box.height(other)) / 2)
      continue
    most = fewer
    best = { from: one.x1, to: other.x0 }
  }
  return best
}

const crosses = (items: ReadonlyArray<Item>, { from, to }: Gutter): boolean => {
  const middle = (from + to) / 2
  return items.some((item) => item.box.x0 < middle && item.box.x1 > middle)
}

/** The lines of each zone, top to bottom and left to right. Together the zones hold every item with text once. */
export const find = (items: ReadonlyArray<Item>, depth = 0): ReadonlyArray<ReadonlyArray<TextLine.TextLine>> => {
  const own = TextLine.group(items)
  const lines = depth < deepest ? own.map(lineOf) : []
  const gutter = gutterOf(lines)
  if (gutter === undefined) return [own]
  const middle = (gutter.from + gutter.to) / 2
  const sides = lines.map((line): boolean | undefined => {
    if (crosses(line.items, gutter)) return false
    return line.prose.length > 0 ? true : undefined
  })
  const found: Array<{ readonly split: boolean; readonly items: Array<Item> }> = []
  lines.forEach((line, at) => {
    const before = sides.slice(0, at).findLast((side) => side !== undefined)
    const after = sides.slice(at).find((side) => side !== undefined)
    const split = sides[at] ?? (before === true || after === true)
    const open = found.at(-1)
    if (open === undefined || open.split !== split) found.push({ split, items: [...line.items] })
    else open.items.push(...line.items)
  })
  return found.flatMap((zone) => {
    if (!zone.split) return [TextLine.group(zone.items)]
    const left = zone.items.filter((item) => Box.centerX(item.box) < middle)
    const right = zone.items.filter((item) => Box.centerX(item.box) >= middle)
    return find(left, depth + 1).concat(find(right, depth + 1))
  })
}
