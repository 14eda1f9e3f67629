/** The turn of a page on the glass of a scanner: quarters, and slight slopes. */
import type * as PageTurn from "../pdf/PageTurn.ts"
import * as Picture from "./Picture.ts"

/** Largest slope that is looked for, in pixels down for each pixel to the right: 6 degrees. */
const steepest = 0.105

/** Slopes below are not worth a turn. */
const least = 0.0015

/** Steps between the slopes that are tried, first and last. */
const steps = { coarse: 0.004, fine: 0.0005 }

/** Long side of the picture in which the slope is looked for, in pixels. */
const enough = 1000

/** Most dark pixels that are looked at. */
const mostPoints = 60_000

interface Points {
  readonly x: Float32Array
  readonly y: Float32Array
  readonly height: number
}

/** Room for the points of a picture. */
let room = { x: new Float32Array(0), y: new Float32Array(0) }

/** Lower ends of dark strokes: those of the letters of a line stand on one line. Wider strokes are left out. */
const feet = (picture: Picture.Picture, widest = picture.width): Points => {
  const { height, pixels, width } = picture
  const ink = Picture.inkLevel(picture)
  // Below a lower end there is no other. The room is used again: memory outside of the heap is freed late.
  if (room.x.length < pixels.length >> 1) {
    room = { x: new Float32Array(pixels.length >> 1), y: new Float32Array(pixels.length >> 1) }
  }
  const { x, y } = room
  let count = 0
  for (let row = 0; row < height - 1; row++) {
    let first = count
    for (let at = 0; at < width; at++) {
      const here = row * width + at
      if ((pixels[here] ?? 255) <= ink && (pixels[here + width] ?? 0) > ink) {
        x[count] = at - width / 2
        y[count++] = row
      } else {
        if (count - first > widest) count = first
        first = count
      }
    }
  }
  const every = Math.max(1, Math.ceil(count / mostPoints))
  const kept = (values: Float32Array) => values.subarray(0, count).filter((_, at) => at % every === 0)
  return { x: kept(x), y: kept(y), height }
}

/** Sum of the squares of the points on each line of that slope: the greater, the fewer lines hold them. */
const order = ({ height, x, y }: Points, slope: number): number => {
  const counts = new Float64Array(height * 2)
  for (let at = 0; at < x.length; at++) {
    const line = Math.round((y[at] ?? 0) - (x[at] ?? 0) * slope) + (height >> 1)
    if (line >= 0 && line < counts.length) counts[line] = (counts[line] ?? 0) + 1
  }
  let sum = 0
  for (const count of counts) sum += count * count
  return sum
}

const best = (points: Points, from: number, to: number, step: number): number => {
  let found = 0
  let most = order(points, 0)
  for (let slope = from; slope <= to; slope += step) {
    const own = order(points, slope)
    if (own > most) {
      most = own
      found = slope
    }
  }
  return found
}

const small = (picture: Picture.Picture): Picture.Picture =>
  Math.max(picture.width, picture.height) >= enough * 2 ? Picture.halved(picture) : picture

const slopeOfPoints = (points: Points): number => {
  const near = best(points, -steepest, steepest, steps.coarse)
  return best(points, near - steps.coarse, near + steps.coarse, steps.fine)
}

/** Slope of the lines of text, in pixels down for each pixel to the right, at most 6 degrees; 0 for a level page. */
export const slopeOf = (picture: Picture.Picture): number => {
  const slope = slopeOfPoints(feet(small(picture)))
  return Math.abs(slope) < least ? 0 : slope
}

/** How much of the points stands on few lines: 1 if they are spread evenly. */
const sharpness = (points: Points, slope: number): number =>
  points.x.length === 0 ? 1 : (order(points, slope) * points.height) / points.x.length ** 2

/** Widest stroke of a letter in pixels; wider ones are drawn lines, which look alike from both sides. */
const widestLetter = 40

/** Share by which text has to be sharper upside down to be taken for it. */
const margin = 1.1

/** Both turns in which the lines of text run along one axis, the likelier first. */
const alongAxis = (picture: Picture.Picture, [turn, back]: Axis) => {
  const upright = Picture.upright(picture, turn)
  const points = feet(upright)
  const slope = slopeOfPoints(points)
  const sharp = sharpness(feet(upright, widestLetter), slope)
  const reverse = sharpness(feet(Picture.upright(picture, back), widestLetter), slope)
  return { sharp: sharpness(points, slope), turns: reverse > sharp * margin ? [back, turn] : [turn, back] }
}

type Axis = readonly [turn: PageTurn.Turn, back: PageTurn.Turn]

const level: Axis = [0, 180]
const upended: Axis = [90, 270]

/**
 * The turns of text in the picture, the likeliest first. Letters stand on one line, while their heads end at two, and their sides at
 * many: the axis is told by a quarter of the size, which side is up by half of it.
 */
export const likelyTurns = (picture: Picture.Picture): ReadonlyArray<PageTurn.Turn> => {
  const half = small(picture)
  const quarter = Math.max(half.width, half.height) >= enough ? Picture.halved(half) : half
  const isLevel = alongAxis(quarter, level).sharp >= alongAxis(quarter, upended).sharp
  const [likely, other] = isLevel ? [level, upended] : [upended, level]
  return [...alongAxis(half, likely).turns, ...other]
}

/** The picture turned around its middle so that lines of that slope are level; the corners that come in are white. */
export const levelled = (picture: Picture.Picture, slope: number): Picture.Picture => {
  if (slope === 0) return picture
  const { height, pixels, width } = picture
  const angle = Math.atan(slope)
  const cosine = Math.cos(angle)
  const sine = Math.sin(angle)
  const level = new Uint8Array(pixels.length).fill(255)
  for (let y = 0; y < height; y++) {
    const down = y - height / 2
    let fromX = -(width / 2) * cosine - down * sine + width / 2
    let fromY = -(width / 2) * sine + down * cosine + height / 2
    for (let x = 0; x < width; x++, fromX += cosine, fromY += sine) {
      const left = Math.floor(fromX)
      const top = Math.floor(fromY)
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      const at = top * width + left
      const right = fromX - left
      const low = fromY - top
      const above = (pixels[at] ?? 255) * (1 - right) + (pixels[at + 1] ?? 255) * right
      const below = (pixels[at + width] ?? 255) * (1 - right) + (pixels[at + width + 1] ?? 255) * right
      level[y * width + x] = above * (1 - low) + below * low
    }
  }
  return { width, height, pixels: level }
}
