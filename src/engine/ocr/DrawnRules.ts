/** Lines that are drawn in a picture: long dark runs of pixels, thin across. */
import type { Rule } from "../pdf/PageItem.ts"
import * as Picture from "./Picture.ts"

/** Shortest line that ends at another one, and shortest one that may stand alone, as shares of the long side. */
const shortest = { met: 1 / 66, alone: 1 / 18 }

/** Largest distance in pixels of an end from the line that it meets. */
const touch = 6

/** Thickest line, as a share of the long side. */
const thickest = 1 / 200

/** Most pixels that may be missing in one place of a line, and the least share of its pixels that are dark. */
const longestGap = 3
const densest = 0.8

/** Largest share of the pixels on a side of a line that are dark: more on both sides is text. */
const crowded = 0.35

/** A line of a picture, in pixels. */
export interface DrawnRule extends Rule {
  readonly thickness: number
}

/** A plane of pixels, seen along its rows or along its columns. */
interface Plane {
  readonly lines: number
  readonly length: number
  readonly dark: (at: number, along: number) => boolean
}

interface Run {
  readonly at: number
  readonly from: number
  readonly to: number
}

const runsOf = ({ dark, length, lines }: Plane, least: number): ReadonlyArray<Run> => {
  const found: Array<Run> = []
  for (let at = 0; at < lines; at++) {
    let from = -1
    let last = -1
    for (let along = 0; along < length; along++) {
      if (!dark(at, along)) continue
      if (from < 0 || along - last > longestGap + 1) {
        if (from >= 0 && last - from >= least) found.push({ at, from, to: last })
        from = along
      }
      last = along
    }
    if (from >= 0 && last - from >= least) found.push({ at, from, to: last })
  }
  return found
}

interface Group {
  readonly first: number
  last: number
  from: number
  to: number
}

/** Joins the runs of neighbouring lines. */
const joined = (all: ReadonlyArray<Run>): ReadonlyArray<Group> => {
  let open: Array<Group> = []
  const closed: Array<Group> = []
  for (const run of all) {
    closed.push(...open.filter((group) => run.at - group.last > 2))
    open = open.filter((group) => run.at - group.last <= 2)
    const group = open.find((each) => run.from <= each.to && run.to >= each.from)
    if (group === undefined) open.push({ first: run.at, last: run.at, from: run.from, to: run.to })
    else {
      group.last = run.at
      group.from = Math.min(group.from, run.from)
      group.to = Math.max(group.to, run.to)
    }
  }
  return [...closed, ...open]
}

const darkShare = ({ dark }: Plane, at: number, { from, to }: Group): number => {
  let count = 0
  for (let along = from; along <= to; along++) if (dark(at, along)) count++
  return count / (to - from + 1)
}

/** True if a group is dark itself and light on both sides, as the lines of characters are not. */
const isDrawn = (plane: Plane, group: Group): boolean => {
  const middle = Math.round((group.first + group.last) / 2)
  if (darkShare(plane, middle, group) < densest) return false
  return darkShare(plane, group.first - 4, group) < crowded && darkShare(plane, group.last + 4, group) < crowded
}

/** Most runs on a page; a picture with more is a photograph or a pattern. */
const mostRuns = 15_000

const along = (plane: Plane, least: number, most: number, horizontal: boolean): ReadonlyArray<DrawnRule> => {
  const all = runsOf(plane, least)
  if (all.length > mostRuns) return []
  return joined(all)
    .filter((group) => group.last - group.first < most && isDrawn(plane, group))
    .map(({ first, from, last, to }) => ({
      horizontal,
      at: (first + last + 1) / 2,
      from,
      to: to + 1,
      thickness: last - first + 1
    }))
}

/** The lines of a level picture. Filled areas do not count; a photograph has no lines. */
export const find = (picture: Picture.Picture): ReadonlyArray<DrawnRule> => {
  const { height, pixels, width } = picture
  const ink = Picture.inkLevel(picture)
  const long = Math.max(width, height)
  const most = Math.max(4, Math.round(long * thickest))
  const dark = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && (pixels[y * width + x] ?? 255) <= ink
  const least = long * shortest.met
  const across = along({ lines: height, length: width, dark: (at, x) => dark(x, at) }, least, most, true)
  const down = along({ lines: width, length: height, dark: (at, y) => dark(at, y) }, least, most, false)
  const alone = (rule: DrawnRule) => rule.to - rule.from >= long * shortest.alone
  // The stems of large letters are as long as the walls of small cells, but end at no line.
  const far = { across: across.filter(alone), down: down.filter(alone) }
  return [
    ...across.filter((rule) => alone(rule) || endsAt(rule, far.down)),
    ...down.filter((rule) => alone(rule) || endsAt(rule, far.across))
  ]
}

/** True if both ends of a line are at lines of the other direction. */
const endsAt = ({ at, from, to }: DrawnRule, others: ReadonlyArray<DrawnRule>): boolean => {
  const met = (end: number) =>
    others.some((other) => Math.abs(other.at - end) <= touch && other.from - touch <= at && other.to + touch >= at)
  return met(from) && met(to)
}

/** The picture without these lines, which disturb the recognition of the text next to them. */
export const erased = (picture: Picture.Picture, rules: ReadonlyArray<DrawnRule>): Picture.Picture => {
  if (rules.length === 0) return picture
  const { height, width } = picture
  const pixels = picture.pixels.slice()
  for (const { at, from, horizontal, thickness, to } of rules) {
    const half = thickness / 2 + 1.5
    const first = Math.floor(at - half)
    const last = Math.ceil(at + half)
    for (let across = first; across <= last; across++) {
      for (let place = from - 1; place <= to; place++) {
        const x = horizontal ? place : across
        const y = horizontal ? across : place
        if (x >= 0 && y >= 0 && x < width && y < height) pixels[y * width + x] = 255
      }
    }
  }
  return { width, height, pixels }
}
