/** Boxes on a PNG, and parts of one: the picture is unpacked, changed, and packed again. */
import { crc32, deflateSync, inflateSync } from "node:zlib"

/** 0 to 1 of the picture's width and height. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number]

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Bytes of a pixel, by the PNG's colour type: grey, RGB, grey with alpha, RGBA. */
const depths: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

interface Picture {
  readonly width: number
  readonly height: number
  readonly colour: number
  readonly pixels: Uint8Array
}

const paeth = (left: number, up: number, corner: number): number => {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Undoes the filter of each row; a loop for each filter, since a page has millions of bytes. */
const unfiltered = (raw: Uint8Array, stride: number, height: number, depth: number): Uint8Array => {
  const pixels = new Uint8Array(stride * height)
  const none = new Uint8Array(stride)
  let up = none
  for (let index = 0; index < height; index++) {
    const from = index * (stride + 1)
    const row = pixels.subarray(index * stride, (index + 1) * stride)
    row.set(raw.subarray(from + 1, from + 1 + stride))
    const filter = raw[from]
    if (filter === 1) for (let at = depth; at < stride; at++) row[at] = (row[at] ?? 0) + (row[at - depth] ?? 0)
    if (filter === 2) for (let at = 0; at < stride; at++) row[at] = (row[at] ?? 0) + (up[at] ?? 0)
    if (filter === 3) {
      for (let at = 0; at < stride; at++) {
        const left = at < depth ? 0 : (row[at - depth] ?? 0)
        row[at] = (row[at] ?? 0) + ((left + (up[at] ?? 0)) >> 1)
      }
    }
    if (filter === 4) {
      for (let at = 0; at < stride; at++) {
        const left = at < depth ? 0 : (row[at - depth] ?? 0)
        const corner = at < depth ? 0 : (up[at - depth] ?? 0)
        row[at] = (row[at] ?? 0) + paeth(left, up[at] ?? 0, corner)
      }
    }
    up = row
  }
  return pixels
}

/** Null for a PNG of a form that no page is drawn in: palettes, 16 bits, interlaced. */
const unpack = (png: Uint8Array): Picture | null => {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  if (!bytes.subarray(0, 8).equals(signature)) return null
  const data: Array<Uint8Array> = []
  let [width, height, colour] = [0, 0, 0]
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (type === "IHDR") {
      ;[width, height, colour] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] ?? 0]
      if (body[8] !== 8 || body[12] !== 0) return null
    }
    if (type === "IDAT") data.push(body)
    at += 12 + length
  }
  const depth = depths[colour]
  if (depth === undefined) return null
  const stride = width * depth
  const raw = inflateSync(Buffer.concat(data), { maxOutputLength: (stride + 1) * height })
  return { width, height, colour, pixels: unfiltered(raw, stride, height, depth) }
}

const part = (type: string, body: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(12 + body.length)
  bytes.writeUInt32BE(body.length, 0)
  bytes.write(type, 4, "latin1")
  bytes.set(body, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length)
  return bytes
}

const pack = ({ colour, height, pixels, width }: Picture): Uint8Array => {
  const stride = pixels.length / Math.max(1, height)
  const raw = new Uint8Array((stride + 1) * height)
  for (let row = 0; row < height; row++)
    raw.set(pixels.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, colour, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    part("IHDR", head),
    part("IDAT", deflateSync(raw, { level: 1 })),
    part("IEND", new Uint8Array(0))
  ])
}

/** Width and height of a PNG in pixels. */
export const sizeOf = (png: Uint8Array): { readonly width: number; readonly height: number } => {
  const head = new DataView(png.buffer, png.byteOffset, png.byteLength)
  return { width: head.getUint32(16), height: head.getUint32(20) }
}

/** The part of the picture in the box, whole pixels; null for a picture of another form. */
export const cropped = (png: Uint8Array, [x0, y0, x1, y1]: Box): Uint8Array | null => {
  const picture = unpack(png)
  if (picture === null) return null
  const { colour, height, pixels, width } = picture
  const depth = depths[colour] ?? 0
  const [left, top] = [Math.floor(x0 * width), Math.floor(y0 * height)]
  const [right, bottom] = [Math.min(width, Math.ceil(x1 * width)), Math.min(height, Math.ceil(y1 * height))]
  const stride = (right - left) * depth
  const part = new Uint8Array(stride * (bottom - top))
  for (let row = top; row < bottom; row++) {
    const from = (row * width + left) * depth
    part.set(pixels.subarray(from, from + stride), (row - top) * stride)
  }
  return pack({ width: right - left, height: bottom - top, colour, pixels: part })
}

/** Red, in each colour type. */
const inks: Readonly<Record<number, ReadonlyArray<number>>> = {
  0: [0],
  2: [217, 30, 24],
  4: [0, 255],
  6: [217, 30, 24, 255]
}

/** Draws the outlines of the boxes; a picture of another form stays as it is. */
export const boxed = (png: Uint8Array, boxes: ReadonlyArray<Box>): Uint8Array => {
  if (boxes.length === 0) return png
  const picture = unpack(png)
  if (picture === null) return png
  const { colour, height, pixels, width } = picture
  const ink = inks[colour] ?? []
  const line = Math.max(2, Math.round(width / 400))
  const fill = (left: number, top: number, right: number, bottom: number): void => {
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
      for (let x = Math.max(0, left); x < Math.min(width, right); x++) pixels.set(ink, (y * width + x) * ink.length)
    }
  }
  for (const [x0, y0, x1, y1] of boxes) {
    const [left, right] = [Math.round(Math.min(x0, x1) * width), Math.round(Math.max(x0, x1) * width)]
    const [top, bottom] = [Math.round(Math.min(y0, y1) * height), Math.round(Math.max(y0, y1) * height)]
    fill(left - line, top - line, right + line, top)
    fill(left - line, bottom, right + line, bottom + line)
    fill(left - line, top, left, bottom)
    fill(right, top, right + line, bottom)
  }
  return pack(picture)
}
