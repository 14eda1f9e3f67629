/** A small PDF writer: what the tests put on a page is all that is in the file. */
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"

export type Mark =
  | {
      readonly type: "text"
      /** Points from the left edge. */
      readonly x: number
      /** Points from the top edge to the base line. */
      readonly y: number
      readonly text: string
      /** Default 10. */
      readonly size?: number
      readonly font?: "regular" | "bold" | "mono"
      /** Degrees, counterclockwise. */
      readonly rotate?: 0 | 90 | 180 | 270
    }
  | { readonly type: "line"; readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }
  | {
      readonly type: "image"
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
    }
  | {
      readonly type: "link"
      readonly x0: number
      readonly y0: number
      readonly x1: number
      readonly y1: number
      readonly uri: string
    }

export interface PageSpec {
  readonly marks: ReadonlyArray<Mark>
  /** Default 612 × 792. */
  readonly width?: number
  readonly height?: number
}

export interface DocumentSpec {
  readonly pages: ReadonlyArray<PageSpec>
  readonly info?: Readonly<Record<string, string>>
  readonly language?: string
  /** Packs the information dictionary and the catalog into a compressed object stream. */
  readonly packed?: boolean
  /** Entries of the regular font, instead of Helvetica in the encoding of Windows. */
  readonly font?: string
  /** Further objects, whose numbers follow those of the pages: from 10 on in a document of one page. */
  readonly objects?: ReadonlyArray<string>
}

export const text = (
  x: number,
  y: number,
  content: string,
  style: Partial<Extract<Mark, { type: "text" }>> = {}
): Mark => ({ type: "text", x, y, text: content, ...style })

/** Lines below each other, by default 12 points apart. */
export const lines = (
  x: number,
  y: number,
  contents: ReadonlyArray<string>,
  style: Partial<Extract<Mark, { type: "text" }>> = {},
  leading = 12
): ReadonlyArray<Mark> => contents.map((content, at) => text(x, y + at * leading, content, style))

/** A ruled table: every cell in a box. */
export const ruledTable = (
  x: number,
  y: number,
  columns: ReadonlyArray<number>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  rowHeight = 18
): ReadonlyArray<Mark> => {
  const width = columns.reduce((sum, column) => sum + column, 0)
  const bottom = y + rows.length * rowHeight
  const marks: Array<Mark> = []
  for (let at = 0; at <= rows.length; at++) {
    marks.push({ type: "line", x0: x, y0: y + at * rowHeight, x1: x + width, y1: y + at * rowHeight })
  }
  let left = x
  for (const column of [0, ...columns]) {
    left += column
    marks.push({ type: "line", x0: left, y0: y, x1: left, y1: bottom })
  }
  rows.forEach((row, down) => {
    let cell = x
    row.forEach((content, across) => {
      if (content !== "") marks.push(text(cell + 4, y + down * rowHeight + 12, content))
      cell += columns[across] ?? 0
    })
  })
  return marks
}

const escaped = (content: string): string => content.replace(/[\\()]/g, (char) => `\\${char}`)

const fonts = { regular: "F1", bold: "F2", mono: "F3" } as const

const turns = { 0: "1 0 0 1", 90: "0 1 -1 0", 180: "-1 0 0 -1", 270: "0 -1 1 0" } as const

const operators = (mark: Mark, height: number): string => {
  if (mark.type === "link") return ""
  if (mark.type === "line") {
    return `0.5 w ${mark.x0} ${height - mark.y0} m ${mark.x1} ${height - mark.y1} l S\n`
  }
  if (mark.type === "image") {
    return `q ${mark.width} 0 0 ${mark.height} ${mark.x} ${height - mark.y - mark.height} cm /Im1 Do Q\n`
  }
  const font = `/${fonts[mark.font ?? "regular"]} ${mark.size ?? 10} Tf`
  return `BT ${font} ${turns[mark.rotate ?? 0]} ${mark.x} ${height - mark.y} Tm (${escaped(mark.text)}) Tj ET\n`
}

const annotation = (mark: Mark, height: number): string =>
  mark.type === "link"
    ? `<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${mark.x0} ${height - mark.y1} ${mark.x1} ${height - mark.y0}] ` +
      `/A << /S /URI /URI (${escaped(mark.uri)}) >> >>`
    : ""

export const stream = (content: Uint8Array, entries = ""): string =>
  `<< /Length ${content.length}${entries} >>\nstream\n${Buffer.from(content).toString("latin1")}\nendstream`

/** A picture of 8 × 8 grey points, no two neighbours alike. */
const picture = (): string =>
  stream(
    Uint8Array.from({ length: 64 }, (_, at) => (at * 37) % 256),
    " /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8"
  )

const infoObject = (info: Readonly<Record<string, string>>): string =>
  `<< ${Object.entries(info)
    .map(([key, value]) => `/${key} ${pdfString(value)}`)
    .join(" ")} >>`

/** Latin-1 as a literal string, anything else as UTF-16 in hexadecimal. */
const pdfString = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value)
    ? `(${escaped(value)})`
    : `<FEFF${Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, "0")).join("")}>`

const catalog = (spec: DocumentSpec): string =>
  `<< /Type /Catalog /Pages 2 0 R${spec.language === undefined ? "" : ` /Lang ${pdfString(spec.language)}`} >>`

const objectsOf = (spec: DocumentSpec): Array<string> => {
  const firstPage = 8
  const kids = spec.pages.map((_, at) => `${firstPage + at * 2} 0 R`).join(" ")
  const font = (entries: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${entries} >>`
  const latin = " /Encoding /WinAnsiEncoding"
  const objects = [
    catalog(spec),
    `<< /Type /Pages /Kids [${kids}] /Count ${spec.pages.length} >>`,
    font(spec.font ?? `Helvetica${latin}`),
    font(`Helvetica-Bold${latin}`),
    font(`Courier${latin}`),
    picture(),
    infoObject(spec.info ?? {})
  ]
  spec.pages.forEach((page, at) => {
    const height = page.height ?? 792
    const resources = "/Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << /Im1 6 0 R >> >>"
    const annotations = page.marks.map((mark) => annotation(mark, height)).join(" ")
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width ?? 612} ${height}] ${resources} ` +
        `/Contents ${firstPage + at * 2 + 1} 0 R /Annots [${annotations}] >>`,
      stream(Buffer.from(page.marks.map((mark) => operators(mark, height)).join(""), "latin1"))
    )
  })
  return [...objects, ...(spec.objects ?? [])]
}

const header = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"

const assemble = (objects: ReadonlyArray<string>, trailer: string): Uint8Array => {
  let file = header
  const offsets: Array<number> = []
  objects.forEach((object, at) => {
    offsets.push(file.length)
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  const start = file.length
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 7 0 R${trailer} >>\n`
  return Buffer.from(`${file}startxref\n${start}\n%%EOF\n`, "latin1")
}

/** Catalog and information dictionary in an object stream, the rest plain, all under a cross-reference stream. */
const assemblePacked = (spec: DocumentSpec): Uint8Array => {
  const objects = objectsOf(spec)
  const [root = "", , , , , , info = ""] = objects
  const directory = `1 0 7 ${root.length + 1} `
  const packed = deflateSync(Buffer.from(`${directory}${root} ${info}`, "latin1"))
  objects.push(stream(packed, ` /Type /ObjStm /N 2 /First ${directory.length} /Filter /FlateDecode`))
  const container = objects.length
  let file = header
  const rows: Array<readonly [number, number, number]> = [[0, 0, 65535]]
  objects.forEach((object, at) => {
    if (at === 0 || at === 6) {
      rows.push([2, container, at === 0 ? 0 : 1])
      return
    }
    rows.push([1, file.length, 0])
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
  })
  const start = file.length
  rows.push([1, start, 0])
  const table = Uint8Array.from(
    rows.flatMap(([kind, field, rest]) => [
      kind,
      (field >> 16) & 255,
      (field >> 8) & 255,
      field & 255,
      rest >> 8,
      rest & 255
    ])
  )
  const size = rows.length
  file += `${container + 1} 0 obj\n${stream(table, ` /Type /XRef /Size ${size} /W [1 3 2] /Root 1 0 R /Info 7 0 R`)}\nendobj\n`
  return Buffer.from(`${file}startxref\n${start}\n%%EOF\n`, "latin1")
}

export const write = (spec: DocumentSpec): Uint8Array =>
  spec.packed === true ? assemblePacked(spec) : assemble(objectsOf(spec), "")

const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex")
const md5 = (...parts: ReadonlyArray<Uint8Array>) =>
  parts.reduce((hash, part) => hash.update(part), createHash("md5")).digest()

/** RC4, which OpenSSL 3 no longer offers. */
const rc4 = (key: Uint8Array, data: Uint8Array): Uint8Array => {
  const state = Array.from({ length: 256 }, (_, at) => at)
  let other = 0
  const swap = (left: number, right: number) => {
    const held = state[left] ?? 0
    state[left] = state[right] ?? 0
    state[right] = held
  }
  for (let at = 0; at < 256; at++) {
    other = (other + (state[at] ?? 0) + (key[at % key.length] ?? 0)) % 256
    swap(at, other)
  }
  let one = 0
  let two = 0
  return data.map((byte) => {
    one = (one + 1) % 256
    two = (two + (state[one] ?? 0)) % 256
    swap(one, two)
    return byte ^ (state[((state[one] ?? 0) + (state[two] ?? 0)) % 256] ?? 0)
  })
}

/** The same document with a password (40-bit standard security handler; the streams themselves are not encrypted). */
export const writeEncrypted = (spec: DocumentSpec, password: string): Uint8Array => {
  const padded = Buffer.concat([Buffer.from(password, "latin1"), padding]).subarray(0, 32)
  const id = Buffer.from("00112233445566778899aabbccddeeff", "hex")
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const user = rc4(md5(padded, owner, permissions, id).subarray(0, 5), padding)
  const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString("hex")}>`
  const security = `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O ${hex(owner)} /U ${hex(user)} >>`
  return assemble(objectsOf(spec), ` /ID [${hex(id)} ${hex(id)}] /Encrypt ${security}`)
}
