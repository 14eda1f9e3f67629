/** The ink of words: its extent, which tells the size of the font, and the thickness of its strokes, which tells bold text. */
import type * as Box from "../pdf/Box.ts"
import { median } from "../pdf/PageItem.ts"
import * as Weighted from "../pdf/Weighted.ts"
import { inkLevel, type Picture } from "./Picture.ts"
import type { PlacedWord } from "./RecognisedPage.ts"

/** Least share of a row of a word that is dark; less is dirt. */
const leastInk = 0.02

/**
 * The box of a word as high as its ink: from the row with most ink up and down to the first rows without. Boxes of the recogniser often
 * reach to a line or a word above.
 */
export const tight = (picture: Picture, box: Box.Box, ink: number): Box.Box => {
  const left = Math.max(0, Math.floor(box.x0))
  const right = Math.min(picture.width, Math.ceil(box.x1))
  const top = Math.max(0, Math.floor(box.y0))
  const bottom = Math.min(picture.height, Math.ceil(box.y1))
  const least = Math.max(1, (right - left) * leastInk)
  const rows = Array.from({ length: Math.max(0, bottom - top) }, (_, at) => {
    let dark = 0
    for (let x = left; x < right; x++) if ((picture.pixels[(top + at) * picture.width + x] ?? 255) <= ink) dark++
    return dark
  })
  const middle = rows.indexOf(Math.max(...rows))
  if (middle < 0) return box
  let first = middle
  let last = middle
  // One empty row may be noise of the scan.
  while (first > 0 && Math.max(rows[first - 1] ?? 0, rows[first - 2] ?? 0) >= least) first--
  while (last + 1 < rows.length && Math.max(rows[last + 1] ?? 0, rows[last + 2] ?? 0) >= least) last++
  return { x0: box.x0, x1: box.x1, y0: top + first, y1: top + last + 1 }
}

/** Longest run of a stroke as a share of the size of the font; longer ones are bars of letters. */
const longestRun = 0.3

/** Thickness above which a word is bold, in that of most words of the page. */
const bold = 1.22

/** Mean length in pixels of the dark runs across a word's box; 0 without ink. */
const thickness = (picture: Picture, box: Box.Box, ink: number, longest: number): number => {
  const left = Math.max(0, Math.floor(box.x0))
  const right = Math.min(picture.width, Math.ceil(box.x1))
  const bottom = Math.min(picture.height, Math.ceil(box.y1))
  let dark = 0
  let runs = 0
  for (let y = Math.max(0, Math.floor(box.y0)); y < bottom; y++) {
    let run = 0
    for (let x = left; x <= right; x++) {
      if (x < right && (picture.pixels[y * picture.width + x] ?? 255) <= ink) run++
      else if (run > 0) {
        if (run <= longest) {
          dark += run
          runs++
        }
        run = 0
      }
    }
  }
  return runs === 0 ? 0 : dark / runs
}

/**
 * A test for boxes of bold words on a page with these words. Thickness is compared in relation to the size of the font, which is the
 * height of a box. `scale` is the unit of the boxes for each pixel.
 */
export const boldness = (
  picture: Picture,
  words: ReadonlyArray<PlacedWord>,
  scale: number
): ((words: ReadonlyArray<Pick<PlacedWord, "text" | "box">>) => boolean) => {
  const ink = inkLevel(picture)
  const relative = (box: Box.Box): number => {
    const size = (box.y1 - box.y0) / scale
    const pixels = { x0: box.x0 / scale, x1: box.x1 / scale, y0: box.y0 / scale, y1: box.y1 / scale }
    return size > 0 ? thickness(picture, pixels, ink, size * longestRun) / size : 0
  }
  const known = new Map(words.map(({ box }) => [box, relative(box)]))
  const usual = median(words.flatMap(({ box, text }) => Array.from(text, () => known.get(box) ?? 0)))
  return (some) => usual > 0 && Weighted.mean(some, ({ box }) => known.get(box) ?? 0) > usual * bold
}
