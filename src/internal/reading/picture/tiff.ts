/**
 * TIFF as scanners and fax machines write it: pages in strips, each packed in a way that PDF has too.
 *
 * Source: TIFF 6.0; Adobe Photoshop TIFF Technical Notes for Deflate.
 */
import { type Picture, type Strip, Unfit } from "./page.ts"

/** Pages that are read. */
const mostPages = 1000

/** Strips of a page. */
const mostStrips = 10_000

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  offsets: 273,
  samples: 277,
  rows: 278,
  counts: 279,
  faxOptions: 292,
  predictor: 317,
  palette: 320,
  tiles: 322
} as const

/** Bytes of a value by its type. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4 }

type Values = (tag: number) => ReadonlyArray<number>

class Reader {
  private readonly bytes: Buffer
  private readonly little: boolean

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.little = bytes[0] === 0x49
  }

  number(at: number, size: number): number {
    return this.little ? this.bytes.readUIntLE(at, size) : this.bytes.readUIntBE(at, size)
  }

  /** The values of a page by their tags, and the place of the next page; 0 after the last. */
  page(at: number): { readonly values: Values; readonly next: number } {
    const count = this.number(at, 2)
    const places = new Map<number, number>()
    for (let index = 0; index < count; index++) places.set(this.number(at + 2 + 12 * index, 2), at + 2 + 12 * index)
    const values = (tag: number): ReadonlyArray<number> => {
      const place = places.get(tag)
      if (place === undefined) return []
      const size = sizes[this.number(place + 2, 2)] ?? 0
      const length = Math.min(this.number(place + 4, 4), tag === tags.palette ? 768 : mostStrips)
      const from = size * length <= 4 ? place + 8 : this.number(place + 8, 4)
      return size === 0 ? [] : Array.from({ length }, (_, index) => this.number(from + index * size, size))
    }
    return { values, next: this.number(at + 2 + 12 * count, 4) }
  }
}

const reversed = (byte: number): number =>
  Number.parseInt(byte.toString(2).padStart(8, "0").split("").toReversed().join(""), 2)

const filterOf = (values: Values, width: number, height: number, channels: number, bits: number): string => {
  const [compression = 1] = values(tags.compression)
  const [predictor = 1] = values(tags.predictor)
  const differences = `/DecodeParms << /Predictor ${predictor} /Colors ${channels} /BitsPerComponent ${bits} /Columns ${width} >>`
  const fax = (kind: number): string => {
    const black = values(tags.photometric)[0] === 1 ? "true" : "false"
    return `/Filter /CCITTFaxDecode /DecodeParms << /K ${kind} /Columns ${width} /Rows ${height} /BlackIs1 ${black} /EncodedByteAlign ${compression === 2} >>`
  }
  switch (compression) {
    case 1:
      return ""
    case 2:
      return fax(0)
    case 3:
      return fax(((values(tags.faxOptions)[0] ?? 0) & 1) === 1 ? 1 : 0)
    case 4:
      return fax(-1)
    case 5:
      return `/Filter /LZWDecode ${differences}`
    case 8:
    case 32_946:
      return `/Filter /FlateDecode ${differences}`
    case 32_773:
      return "/Filter /RunLengthDecode"
    default:
      throw new Unfit(`it is a TIFF that is packed with method ${compression}; save it as PNG or with LZW`)
  }
}

const colourOf = (values: Values, channels: number): string => {
  const [photometric = 1] = values(tags.photometric)
  if (photometric === 3) {
    const all = values(tags.palette)
    const count = all.length / 3
    const colours = Array.from({ length: count }, (_, at) => [all[at], all[at + count], all[at + 2 * count]])
    const hex = Buffer.from(colours.flat().map((value) => (value ?? 0) >> 8)).toString("hex")
    return `/ColorSpace [/Indexed /DeviceRGB ${count - 1} <${hex}>]`
  }
  if (channels === 3) return "/ColorSpace /DeviceRGB"
  if (channels === 4 && photometric === 5) return "/ColorSpace /DeviceCMYK"
  if (channels !== 1) throw new Unfit("it is a TIFF with transparency or of other colours; save it as PNG")
  const isFax = [2, 3, 4].includes(values(tags.compression)[0] ?? 1)
  return `/ColorSpace /DeviceGray${photometric === 0 && !isFax ? " /Decode [1 0]" : ""}`
}

const pageOf = (bytes: Buffer, values: Values): Picture => {
  const [width = 0] = values(tags.width)
  const [height = 0] = values(tags.height)
  const [channels = 1] = values(tags.samples)
  const [bits = 1] = values(tags.bits)
  if (width === 0 || height === 0) throw new Unfit("it is a damaged TIFF; save it again")
  if (values(tags.tiles).length > 0) throw new Unfit("it is a TIFF in tiles; save it as PNG")
  const rows = Math.min(values(tags.rows)[0] ?? height, height)
  const counts = values(tags.counts)
  const colour = colourOf(values, channels)
  const isReversed = values(tags.fillOrder)[0] === 2
  const strips = values(tags.offsets).map((offset, at): Strip => {
    const part = bytes.subarray(offset, offset + (counts[at] ?? bytes.length))
    const own = Math.max(1, Math.min(rows, height - at * rows))
    const filter = filterOf(values, width, own, channels, bits)
    return {
      height: own,
      data: isReversed ? part.map(reversed) : part,
      entries: `${colour} /BitsPerComponent ${bits} ${filter}`
    }
  })
  return { width, strips }
}

/** The pages of a TIFF. */
export const tiff = (bytes: Buffer): ReadonlyArray<Picture> => {
  const reader = new Reader(bytes)
  const pages: Array<Picture> = []
  const seen = new Set<number>()
  for (let at = reader.number(4, 4); at !== 0 && !seen.has(at) && pages.length < mostPages;) {
    seen.add(at)
    const { next, values } = reader.page(at)
    pages.push(pageOf(bytes, values))
    at = next
  }
  return pages
}
