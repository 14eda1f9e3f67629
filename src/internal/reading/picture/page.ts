/** Pages of a PDF that each show one picture. */

/** A part of a picture as a stream of a PDF. */
export interface Strip {
  /** Rows of pixels. */
  readonly height: number
  readonly data: Uint8Array
  /** Entries of its dictionary next to the sizes, such as `/Filter /DCTDecode`. */
  readonly entries: string
}

/** A picture as its strips, from top to bottom. */
export interface Picture {
  /** Pixels. */
  readonly width: number
  readonly strips: ReadonlyArray<Strip>
}

/** Long side of a page, in points: that of A4. */
const longSide = 842

/** A picture that cannot be put on a page; the message says why, and what helps. */
export class Unfit extends Error {
  override readonly name = "Unfit"
}

const latin = (text: string): Buffer => Buffer.from(text, "latin1")

const streamOf = (entries: string, data: Uint8Array): Buffer =>
  Buffer.concat([latin(`<< ${entries} /Length ${data.length} >>\nstream\n`), data, latin("\nendstream")])

/** Objects of a page: the page, its content, its strips. */
const objectsOf = ({ strips, width }: Picture, first: number): ReadonlyArray<Buffer> => {
  const height = strips.reduce((sum, strip) => sum + strip.height, 0)
  const scale = longSide / Math.max(width, height)
  const [wide, high] = [width * scale, height * scale]
  let above = 0
  const drawn = strips.map((strip, at) => {
    above += strip.height
    const [part, bottom] = [strip.height * scale, high - above * scale]
    return `q ${wide.toFixed(3)} 0 0 ${part.toFixed(3)} 0 ${bottom.toFixed(3)} cm /I${at} Do Q`
  })
  const names = strips.map((_, at) => `/I${at} ${first + 2 + at} 0 R`).join(" ")
  const box = `[0 0 ${wide.toFixed(3)} ${high.toFixed(3)}]`
  return [
    latin(
      `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${first + 1} 0 R /Resources << /XObject << ${names} >> >> >>`
    ),
    streamOf("", latin(drawn.join("\n"))),
    ...strips.map(({ data, entries, height: rows }) =>
      streamOf(`/Type /XObject /Subtype /Image /Width ${width} /Height ${rows} ${entries}`, data)
    )
  ]
}

/** A PDF with a page for each picture; the same for the same pictures. */
export const pdfOf = (pictures: ReadonlyArray<Picture>): Uint8Array<ArrayBuffer> => {
  const pages: Array<number> = []
  const objects: Array<Buffer> = []
  for (const picture of pictures) {
    const first = objects.length + 3
    pages.push(first)
    objects.push(...objectsOf(picture, first))
  }
  const all = [
    latin("<< /Type /Catalog /Pages 2 0 R >>"),
    latin(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(" ")}] >>`),
    ...objects
  ]
  const parts: Array<Buffer> = [latin("%PDF-1.4\n")]
  const places: Array<number> = []
  let at = 9
  for (const [index, object] of all.entries()) {
    const part = Buffer.concat([latin(`${index + 1} 0 obj\n`), object, latin("\nendobj\n")])
    places.push(at)
    at += part.length
    parts.push(part)
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")
  parts.push(
    latin(`xref\n0 ${all.length + 1}\n0000000000 65535 f \n${table}`),
    latin(`trailer\n<< /Size ${all.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`)
  )
  return new Uint8Array(Buffer.concat(parts))
}
