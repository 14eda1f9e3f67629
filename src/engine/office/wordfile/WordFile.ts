/**
 * Text of a Word 97 document by its stories: the main text, comments and text boxes, with what says where they belong.
 *
 * Source: [MS-DOC] 2.5 (`Fib`), 2.8 (PLCs), 2.9.38 (`Clx`), 2.9.55 (`FTXBXS`), 2.9.253 (`Spa`). Linear in the stream.
 */
import * as CompoundFile from "../../content/CompoundFile.ts"

/** A text that belongs to a place of the main text. */
export interface Attached {
  /** Offset in the main text. */
  readonly place: number
  readonly text: string
}

export interface WordFile {
  readonly main: string
  readonly boxes: ReadonlyArray<Attached>
  /** Comments after the names of their authors. */
  readonly comments: ReadonlyArray<Attached>
  /** Bytes of the stream `WordDocument` that hold deleted text, as `[start, end)`, with the bytes of a character. */
  readonly deleted: ReadonlyArray<{ readonly start: number; readonly end: number; readonly width: 1 | 2 }>
}

/** Offsets in the file's information block. */
const at = {
  flags: 10,
  mainLength: 76,
  footnoteLength: 80,
  headerLength: 84,
  macroLength: 88,
  commentLength: 92,
  endnoteLength: 96,
  boxLength: 100,
  commentPlaces: 186,
  commentTexts: 194,
  characterPages: 250,
  pieces: 418,
  commentAuthors: 442,
  boxPlaces: 474,
  boxTexts: 602
} as const

const encrypted = 0x0100
const secondTable = 0x0200

interface Piece {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly width: 1 | 2
}

const western = new TextDecoder("windows-1252")

class Reader {
  private readonly stream: Buffer
  private readonly table: Buffer
  private readonly pieces: ReadonlyArray<Piece>

  constructor(stream: Buffer, table: Buffer) {
    this.stream = stream
    this.table = table
    this.pieces = this.readPieces()
  }

  number(offset: number): number {
    return this.stream.readUInt32LE(offset)
  }

  /** The structure in the table stream whose place and length stand at an offset of the information block. */
  private part(offset: number): Buffer {
    const start = this.number(offset)
    return this.table.subarray(start, start + this.number(offset + 4))
  }

  /** Positions of a list, and its data of `size` bytes each. */
  private list(offset: number, size: number): { readonly places: ReadonlyArray<number>; readonly data: Buffer } {
    const part = this.part(offset)
    const count = part.length < 4 ? 0 : Math.floor((part.length - 4) / (4 + size))
    const places = Array.from({ length: count === 0 ? 0 : count + 1 }, (_, index) => part.readUInt32LE(4 * index))
    return { places, data: part.subarray(4 * (count + 1)) }
  }

  private readPieces(): ReadonlyArray<Piece> {
    const part = this.part(at.pieces)
    let offset = 0
    while (part[offset] === 1) offset += 3 + part.readUInt16LE(offset + 1)
    if (part[offset] !== 2) return []
    const list = part.subarray(offset + 5, offset + 5 + part.readUInt32LE(offset + 1))
    const count = Math.floor((list.length - 4) / 12)
    const pieces: Array<Piece> = []
    let characters = 0
    for (let index = 0; index < count; index++) {
      const [from, to] = [list.readUInt32LE(4 * index), list.readUInt32LE(4 * index + 4)]
      const code = list.readUInt32LE(4 * (count + 1) + 8 * index + 2)
      const width = (code & 0x4000_0000) === 0 ? 2 : 1
      const start = width === 1 ? (code & 0x3fff_ffff) >>> 1 : code & 0x3fff_ffff
      characters += to - from
      // Pieces that share bytes are no text of a program.
      if (to < from || characters > this.stream.length) return []
      pieces.push({ from, to, start, width })
    }
    return pieces
  }

  text(from: number, to: number): string {
    return this.pieces
      .flatMap((piece) => {
        const [first, last] = [Math.max(from, piece.from), Math.min(to, piece.to)]
        if (first >= last) return []
        const bytes = this.stream.subarray(
          piece.start + (first - piece.from) * piece.width,
          piece.start + (last - piece.from) * piece.width
        )
        return [piece.width === 1 ? western.decode(bytes) : bytes.toString("utf16le")]
      })
      .join("")
  }

  boxes(story: number): ReadonlyArray<Attached> {
    const anchors = this.list(at.boxPlaces, 26)
    const places = new Map<number, number>()
    for (const [index, place] of anchors.places.slice(0, -1).entries())
      places.set(anchors.data.readUInt32LE(26 * index), place)
    const { data, places: texts } = this.list(at.boxTexts, 22)
    return texts.slice(0, -1).flatMap((from, index) => {
      const place = places.get(data.readUInt32LE(22 * index + 14))
      const to = texts[index + 1] ?? from
      return place === undefined || to <= from ? [] : [{ place, text: this.text(story + from, story + to) }]
    })
  }

  private authors(): ReadonlyArray<string> {
    const part = this.part(at.commentAuthors)
    const found: Array<string> = []
    for (let offset = 0; offset + 2 <= part.length;) {
      const end = offset + 2 + 2 * part.readUInt16LE(offset)
      found.push(part.toString("utf16le", offset + 2, Math.min(end, part.length)))
      offset = end
    }
    return found
  }

  comments(story: number): ReadonlyArray<Attached> {
    const { data, places } = this.list(at.commentPlaces, 30)
    const texts = this.part(at.commentTexts)
    const authors = this.authors()
    return places.slice(0, -1).flatMap((place, index) => {
      if (texts.length < 4 * index + 8) return []
      const [from, to] = [texts.readUInt32LE(4 * index), texts.readUInt32LE(4 * index + 4)]
      const text = to <= from ? "" : this.text(story + from, story + to)
      const author = authors[data.readUInt16LE(30 * index + 20)] ?? ""
      return [{ place, text: `${author === "" ? "Comment" : `Comment by ${author}`}: ${text}` }]
    })
  }

  /** Bytes of deleted text, from the pages of character properties ([MS-DOC] 2.9.33, `ChpxFkp`). */
  deleted(): WordFile["deleted"] {
    const { data, places } = this.list(at.characterPages, 4)
    const pages = new Set(places.slice(0, -1).map((_, index) => data.readUInt32LE(4 * index) & 0x3f_ffff))
    return [...pages].flatMap((number) => this.deletedOn(this.stream.subarray(number * 512, number * 512 + 512)))
  }

  private deletedOn(page: Buffer): WordFile["deleted"] {
    const count = page.length === 512 ? (page[511] ?? 0) : 0
    if (count > 101) return []
    return Array.from({ length: count }, (_, run) => run).flatMap((run) => {
      const offset = 2 * (page[4 * (count + 1) + run] ?? 0)
      const properties = page.subarray(offset + 1, offset + 1 + (page[offset] ?? 0))
      if (offset === 0 || !saysDeleted(properties)) return []
      const [start, end] = [page.readUInt32LE(4 * run), page.readUInt32LE(4 * run + 4)]
      return this.pieces.flatMap((piece) => {
        const last = piece.start + (piece.to - piece.from) * piece.width
        const own = { start: Math.max(start, piece.start), end: Math.min(end, last), width: piece.width }
        return own.start < own.end ? [own] : []
      })
    })
  }
}

const deletedMark = 0x0800

/** Bytes of an operand by the three highest bits of its property; 6 says its own. */
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3] as const

const saysDeleted = (properties: Buffer): boolean => {
  for (let offset = 0; offset + 2 < properties.length;) {
    const property = properties.readUInt16LE(offset)
    if (property === deletedMark) return properties[offset + 2] === 1
    const kind = property >> 13
    offset += 2 + (kind === 6 ? 1 + (properties[offset + 2] ?? 0) : (operandBytes[kind] ?? 1))
  }
  return false
}

/** The document; undefined when it is encrypted, older, or damaged. */
export const read = (file: CompoundFile.CompoundFile, stream: Buffer): WordFile | undefined => {
  try {
    const flags = stream.readUInt16LE(at.flags)
    if ((flags & encrypted) !== 0 || stream.readUInt16LE(2) < 0xc1) return undefined
    const table = CompoundFile.streamOf(file, (flags & secondTable) === 0 ? "0Table" : "1Table")?.content
    if (table === undefined) return undefined
    const reader = new Reader(stream, Buffer.from(table.buffer, table.byteOffset, table.length))
    const main = reader.number(at.mainLength)
    const comments = [at.footnoteLength, at.headerLength, at.macroLength].reduce(
      (sum, own) => sum + reader.number(own),
      main
    )
    const boxes = comments + reader.number(at.commentLength) + reader.number(at.endnoteLength)
    return {
      main: reader.text(0, main),
      comments: reader.comments(comments),
      boxes: reader.boxes(boxes),
      deleted: reader.deleted()
    }
  } catch (cause) {
    // A position outside of a stream: the file is damaged.
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}
