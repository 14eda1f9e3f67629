/** A page as a picture of grey values. */
import { inflateSync } from "node:zlib"
import type * as PageTurn from "../pdf/PageTurn.ts"

export interface Picture {
  readonly width: number
  readonly height: number
  /** Rows from top to bottom, one byte for each pixel: 0 is black. */
  readonly pixels: Uint8Array
}

/** Bytes of a pixel by the colour type of a PNG. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

const nearest = (left: number, above: number, corner: number): number => {
  const guess = left + above - corner
  const toLeft = Math.abs(guess - left)
  const toAbove = Math.abs(guess - above)
  const toCorner = Math.abs(guess - corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

/** Undoes the filters of the rows in place; each row keeps the byte that named its filter. */
export const unfilter = (data: Uint8Array, height: number, stride: number, step: number): void => {
  for (let y = 0; y < height; y++) {
    const row = y * (stride + 1)
    const filter = data[row] ?? 0
    if (filter === 0) continue
    for (let at = 0; at < stride; at++) {
      const here = row + 1 + at
      const left = at < step ? 0 : (data[here - step] ?? 0)
      const above = y === 0 ? 0 : (data[here - stride - 1] ?? 0)
      const corner = y === 0 || at < step ? 0 : (data[here - stride - 1 - step] ?? 0)
      const own = data[here] ?? 0
      if (filter === 1) data[here] = own + left
      else if (filter === 2) data[here] = own + above
      else if (filter === 3) data[here] = own + ((left + above) >> 1)
      else data[here] = own + nearest(left, above, corner)
    }
  }
}

/**
 * Reads a PNG of eight bits a channel, not interlaced and without a palette, as PDFium's pages are written. Transparent pixels count as
 * they are. Throws a `RangeError` on any other.
 */
export const fromPng = (png: Uint8Array): Picture => {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const width = view.getUint32(16)
  const height = view.getUint32(20)
  const step = channels[view.getUint8(25)]
  if (view.getUint8(24) !== 8 || view.getUint8(28) !== 0 || step === undefined) {
    throw new RangeError("the picture of the page has an unknown form")
  }
  const parts: Array<Uint8Array> = []
  for (let at = 8; at + 12 <= png.length;) {
    const length = view.getUint32(at)
    // The type of the chunk is "IDAT".
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const stride = width * step
  const data = inflateSync(Buffer.concat(parts), { maxOutputLength: (stride + 1) * height })
  unfilter(data, height, stride, step)
  const pixels = new Uint8Array(width * height)
  const coloured = step >= 3
  for (let y = 0; y < height; y++) {
    let from = y * (stride + 1) + 1
    for (let to = y * width; to < (y + 1) * width; to++) {
      const red = data[from] ?? 0
      pixels[to] = coloured ? (red * 77 + (data[from + 1] ?? 0) * 151 + (data[from + 2] ?? 0) * 28) >> 8 : red
      from += step
    }
  }
  return { width, height, pixels }
}

/** The picture in which text that is turned clockwise by `turn` is upright. */
export const upright = (picture: Picture, turn: PageTurn.Turn): Picture => {
  const { height, pixels, width } = picture
  if (turn === 0) return picture
  const turned = new Uint8Array(pixels.length)
  if (turn === 180) {
    for (let at = 0; at < pixels.length; at++) turned[pixels.length - 1 - at] = pixels[at] ?? 0
    return { width, height, pixels: turned }
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = turn === 90 ? (width - 1 - x) * height + y : x * height + (height - 1 - y)
      turned[to] = pixels[y * width + x] ?? 0
    }
  }
  return { width: height, height: width, pixels: turned }
}

/** The picture at half its size. */
export const halved = (picture: Picture): Picture => {
  const width = picture.width >> 1
  const height = picture.height >> 1
  const pixels = new Uint8Array(width * height)
  const pixel = (x: number, y: number) => picture.pixels[y * picture.width + x] ?? 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = pixel(2 * x, 2 * y) + pixel(2 * x + 1, 2 * y) + pixel(2 * x, 2 * y + 1) + pixel(2 * x + 1, 2 * y + 1)
      pixels[y * width + x] = sum >> 2
    }
  }
  return { width, height, pixels }
}

/** A rectangle of a picture, in pixels. */
export interface Part {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A part of the picture. */
export const part = (picture: Picture, { height, left, top, width }: Part): Picture => {
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const from = (top + y) * picture.width + left
    pixels.set(picture.pixels.subarray(from, from + width), y * width)
  }
  return { width, height, pixels }
}

/** Least height in pixels of a gap at which a picture is cut. */
const leastGap = 12

/** Middle of the highest run of rows without ink in the middle third of the picture, 12 or more; 0 if there is none. */
export const emptyRow = ({ height, pixels, width }: Picture, ink: number): number => {
  let best = { from: 0, rows: leastGap - 1 }
  let rows = 0
  for (let y = Math.floor(height / 3); y < (height * 2) / 3; y++) {
    const isEmpty = pixels.subarray(y * width, (y + 1) * width).every((value) => value > ink)
    rows = isEmpty ? rows + 1 : 0
    if (rows > best.rows) best = { from: y + 1 - rows, rows }
  }
  return best.rows < leastGap ? 0 : best.from + (best.rows >> 1)
}

/** The parts of the picture above and below a row; one part for row 0. */
export const cut = (picture: Picture, row: number): ReadonlyArray<Picture> => {
  if (row === 0) return [picture]
  const { height, width } = picture
  return [
    part(picture, { left: 0, top: 0, width, height: row }),
    part(picture, { left: 0, top: row, width, height: height - row })
  ]
}

/** Number of pixels in a part that are not lighter than `ink`, of every third in both directions. */
export const darkness = (picture: Picture, { height, left, top, width }: Part, ink: number): number => {
  let dark = 0
  for (let y = top; y < top + height; y += 3) {
    for (let x = left; x < left + width; x += 3) {
      if ((picture.pixels[y * picture.width + x] ?? 255) <= ink) dark++
    }
  }
  return dark
}

/** The picture as a file: a portable grey map, which needs no decoding. */
export const toGreyMap = ({ height, pixels, width }: Picture): Uint8Array =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1"), pixels])

/** Grey value of the lightest ink: it parts the pixels into the two classes that differ most (Otsu). */
export const inkLevel = ({ pixels }: Picture): number => {
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
