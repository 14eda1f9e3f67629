/**
 * Lines that are drawn in a picture: long dark runs of pixels, thin across.
 *
 * @since 0.1.0
 */
import type { Rule } from "../pdf/PageItem.ts"
import type { Picture } from "./Picture.ts"

/** Shortest line across and down, as a share of the long side. */
const shortest = { across: 1 / 34, down: 1 / 66 }

/** Thickest line, as a share of the long side. */
const thickest = 1 / 200

/** Most pixels that may be missing in a line. */
const longestGap = 3

interface Run {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Grey value that parts ink from paper best: the one between the two classes that differ most (Otsu). */
const threshold = ({ pixels }: Picture): number => {
  const counts = new Float64Array(256)
  for (const value of pixels) counts[value] = (counts[value] ?? 0) + 1
  let sum = 0
  for (let value = 0; value < 256; value++) sum += value * (counts[value] ?? 0)
  let best = 0
  let most = -1
  let below = 0
  let sumBelow = 0
  for (let value = 0; value < 256; value++) {
    below += counts[value] ?? 0
    const above = pixels.length - below
    if (below === 0 || above === 0) continue
    sumBelow += value * (counts[value] ?? 0)
    const apart = sumBelow / below - (sum - sumBelow) / above
    const between = below * above * apart * apart
    if (between > most) {
      most = between
      best = value
    }
  }
  return best
}

/** Runs of at least `least` dark pixels along the lines of a plane whose pixel at place `along` of line `at` is dark. */
const runs = (lines: number, length: number, least: number, dark: (at: number, along: number) => boolean) => {
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

/** Joins the runs of neighbouring lines to rules; groups that are thicker than `most` are filled areas. */
const joined = (all: ReadonlyArray<Run>, most: number): ReadonlyArray<Run> => {
  interface Group {
    first: number
    last: number
    from: number
    to: number
  }
  let open: Array<Group> = []
  const closed: Array<Group> = []
  for (const run of all) {
    const still = open.filter((group) => run.at - group.last <= 2)
    closed.push(...open.filter((group) => run.at - group.last > 2))
    open = still
    const group = open.find((each) => run.from <= each.to && run.to >= each.from)
    if (group === undefined) open.push({ first: run.at, last: run.at, from: run.from, to: run.to })
    else {
      group.last = run.at
      group.from = Math.min(group.from, run.from)
      group.to = Math.max(group.to, run.to)
    }
  }
  return [...closed, ...open]
    .filter((group) => group.last - group.first < most)
    .map((group) => ({ at: (group.first + group.last + 1) / 2, from: group.from, to: group.to + 1 }))
}

/** Most lines of a page; a picture with more is a photograph or a pattern. */
const mostRules = 1500

/**
 * Lines of a picture, in pixels of the frame that is turned by `slope` (rise of the lines of text, in pixels for each pixel to the right)
 * around its left upper corner, so that they are level. Empty for a photograph.
 *
 * @since 0.1.0
 * @category constructors
 */
export const find = (picture: Picture, slope: number): ReadonlyArray<Rule> => {
  const { height, pixels, width } = picture
  const ink = threshold(picture)
  const long = Math.max(width, height)
  const most = Math.max(4, Math.round(long * thickest))
  const dark = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && (pixels[y * width + x] ?? 255) <= ink
  // Each line is followed along its slope; positions are those in the middle of the picture.
  const middleX = width / 2
  const middleY = height / 2
  const across = runs(height, width, long * shortest.across, (at, along) =>
    dark(along, Math.round(at + (along - middleX) * slope))
  )
  if (across.length > mostRules * most) return []
  const down = runs(width, height, long * shortest.down, (at, along) =>
    dark(Math.round(at - (along - middleY) * slope), along)
  )
  if (down.length > mostRules * most) return []
  return [
    ...joined(across, most).map((run): Rule => ({ horizontal: true, ...run })),
    ...joined(down, most).map((run): Rule => ({ horizontal: false, ...run }))
  ]
}
