import { deflateSync, inflateSync } from "node:zlib"
import { unfilter } from "../../../engine/ocr/Picture.ts"
import { type Picture, Unfit } from "./page.ts"

/** Channels by colour type. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Pixels of a picture whose transparency is removed here; others are decoded where PDFs are read. */
const mostPixels = 100_000_000

interface Parts {
  readonly header: Buffer
  readonly palette: Buffer
  readonly data: Buffer
}

const partsOf = (bytes: Buffer): Parts => {
  const data: Array<Buffer> = []
  let header: Buffer = Buffer.alloc(0)
  let palette: Buffer = Buffer.alloc(0)
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const part = bytes.subarray(at + 8, at + 8 + length)
    const type = bytes.toString("latin1", at + 4, at + 8)
    if (type === "IHDR") header = part
    else if (type === "PLTE") palette = part
    else if (type === "IDAT") data.push(part)
    at += length + 12
  }
  return { header, palette, data: Buffer.concat(data) }
}

/** The pixels on white, without their transparency, 8 bits a channel. */
const onWhite = (packed: Buffer, width: number, height: number, count: number, depth: number): Buffer => {
  if (width * height > mostPixels) throw new Unfit("it is a transparent PNG of more than 100 million pixels")
  const bytes = depth / 8
  const step = count * bytes
  const stride = width * step
  const data = inflateSync(packed, { maxOutputLength: (stride + 1) * height })
  unfilter(data, height, stride, step)
  const colours = count - 1
  const pixels = Buffer.alloc(width * height * colours)
  let to = 0
  for (let y = 0; y < height; y++) {
    let from = y * (stride + 1) + 1
    for (let x = 0; x < width; x++, from += step) {
      const opaque = data[from + colours * bytes] ?? 255
      for (let channel = 0; channel < colours; channel++)
        pixels[to++] = Math.round(((data[from + channel * bytes] ?? 0) * opaque + 255 * (255 - opaque)) / 255)
    }
  }
  return pixels
}

/** A PNG: its data as they are, or on white where it is transparent. */
export const png = (bytes: Buffer): Picture => {
  const { data, header, palette } = partsOf(bytes)
  if (header.length < 13 || data.length === 0) throw new Unfit("it is a damaged PNG; save it again")
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth, type] = [header.readUInt8(8), header.readUInt8(9)]
  const count = channels[type]
  if (count === undefined || width === 0 || height === 0) throw new Unfit("it is a damaged PNG; save it again")
  if (header.readUInt8(12) !== 0) throw new Unfit("it is an interlaced PNG; save it without interlacing")
  const colour =
    type === 3
      ? `[/Indexed /DeviceRGB ${Math.floor(palette.length / 3) - 1} <${palette.toString("hex")}>]`
      : count >= 3
        ? "/DeviceRGB"
        : "/DeviceGray"
  if (type === 4 || type === 6) {
    const packed = deflateSync(onWhite(data, width, height, count, depth))
    const entries = `/ColorSpace ${colour} /BitsPerComponent 8 /Filter /FlateDecode`
    return { width, strips: [{ height, data: packed, entries }] }
  }
  const filters = `<< /Predictor 15 /Colors ${count} /BitsPerComponent ${depth} /Columns ${width} >>`
  const entries = `/ColorSpace ${colour} /BitsPerComponent ${depth} /Filter /FlateDecode /DecodeParms ${filters}`
  return { width, strips: [{ height, data, entries }] }
}
