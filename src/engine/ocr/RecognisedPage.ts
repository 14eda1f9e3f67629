/**
 * Places recognised words on a page as text: level, of even sizes, without noise.
 *
 * @since 0.1.0
 */
import type * as Box from "../pdf/Box.ts"
import type { RecognisedLine, RecognisedWord } from "./Recognition.ts"

/**
 * A word of a page with the size of its font.
 *
 * @since 0.1.0
 * @category models
 */
export interface PlacedWord extends RecognisedWord {
  /** Height of the font, in the unit of the boxes; that of `box`. */
  readonly size: number
}

/** Confidence below which a word is noise of the paper. */
const noise = 0.3

/** Confidence below which a word without letters and digits is noise. */
const noiseOfSigns = 0.75

const hasLetters = /[\p{L}\p{N}]/u

/** Parts of lines and frames that are taken for characters. */
const stroke = /^[|¦_—–=~]+$/

/** True if a word is likely a character of the page, and not dirt, a frame or a part of a figure. */
const isText = (word: RecognisedWord): boolean => {
  if (stroke.test(word.text)) return false
  if (word.confidence < noise) return false
  return hasLetters.test(word.text) || word.confidence >= noiseOfSigns
}

/** Largest slope of a page that is straightened: 12 degrees. */
const steepest = 0.21

/**
 * Slope of the lines of text, in pixels down for each pixel to the right: the median by length of the lines with three words or more.
 *
 * @since 0.1.0
 * @category accessors
 */
export const slopeOf = (lines: ReadonlyArray<RecognisedLine>): number => {
  const slopes = lines
    .filter(({ words }) => words.length >= 3)
    .map(({ baseline }) => {
      const length = baseline.x1 - baseline.x0
      return { length, slope: length > 0 ? (baseline.y1 - baseline.y0) / length : 0 }
    })
    .toSorted((one, other) => one.slope - other.slope)
  const total = slopes.reduce((sum, { length }) => sum + length, 0)
  let before = 0
  for (const { length, slope } of slopes) {
    before += length
    if (before * 2 >= total) return Math.abs(slope) < 0.001 || Math.abs(slope) > steepest ? 0 : slope
  }
  return 0
}

/** Share by which the size of a line may differ from the usual one and still be that. */
const sameSize = 0.13

/** The size of most letters; 0 without lines. */
const usualSize = (lines: ReadonlyArray<RecognisedLine>): number => {
  const sizes = lines
    .map(({ height, words }) => ({ height, letters: words.reduce((sum, { text }) => sum + text.length, 0) }))
    .toSorted((one, other) => one.height - other.height)
  const total = sizes.reduce((sum, { letters }) => sum + letters, 0)
  let before = 0
  for (const { height, letters } of sizes) {
    before += letters
    if (before * 2 >= total) return height
  }
  return 0
}

/**
 * The words of a page on level lines, in the unit of `scale` for each pixel. The turn by `slope` is around the middle of the picture.
 *
 * All words of a line stand between the same two heights, and lines of nearly the usual size have that size: the heights of single lines
 * are measured at few letters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const place = (
  lines: ReadonlyArray<RecognisedLine>,
  slope: number,
  picture: { readonly width: number; readonly height: number },
  scale: number
): ReadonlyArray<PlacedWord> => {
  const text = lines.flatMap((line) => {
    const words = line.words.filter(isText)
    return words.length === 0 ? [] : [{ ...line, words }]
  })
  const usual = usualSize(text)
  const middleX = picture.width / 2
  const middleY = picture.height / 2
  return text.flatMap(({ baseline, descent, height, words }) => {
    const size = Math.abs(height - usual) <= usual * sameSize ? usual : height
    const below = Math.min(descent, size * 0.3)
    // Where the line was measured badly, its words lie outside of it.
    const bottoms = words.map(({ box }) => box.y1 - (box.x1 + box.x0 - 2 * middleX) * 0.5 * slope)
    const foot = (baseline.y0 + baseline.y1) / 2 - ((baseline.x0 + baseline.x1) / 2 - middleX) * slope
    const lowest = Math.max(...bottoms)
    const base = foot > lowest + size || foot < Math.min(...bottoms) - size ? lowest : foot
    const y1 = base + below
    return words.map((word): PlacedWord => {
      const shift = ((word.box.y0 + word.box.y1) / 2 - middleY) * slope
      const box: Box.Box = {
        x0: (word.box.x0 + shift) * scale,
        x1: (word.box.x1 + shift) * scale,
        y0: (y1 - size) * scale,
        y1: y1 * scale
      }
      return { ...word, box, size: size * scale }
    })
  })
}
