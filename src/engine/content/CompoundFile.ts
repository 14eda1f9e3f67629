/**
 * OLE compound files: the container of Office documents before 2007 and of those with a password.
 *
 * Source: [MS-CFB]. Every chain is followed at most as far as the file has sectors, so time and memory are linear in it.
 */

/** A stream or a storage. */
export interface Entry {
  readonly name: string
  /** First sector of the stream. */
  readonly start: number
  /** Size of the stream in bytes. */
  readonly size: number
  /** One of the entries in a storage; a reserved number where there is none. */
  readonly child: number
}

/** An open file. Its bytes are not copied. */
export interface CompoundFile {
  /** Directly below the root. */
  readonly entries: ReadonlyArray<Entry>
  /** Entries in a storage, the first time that it is asked for: an entry is in one storage only. */
  readonly entriesIn: (storage: Entry) => ReadonlyArray<Entry>
  /** The stream's bytes; undefined when its chain of sectors ends early. */
  readonly read: (entry: Entry) => Uint8Array | undefined
  /** Copy of the file with new content of the stream, of the same length. */
  readonly replaced: (entry: Entry, content: Uint8Array) => Uint8Array
}

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] as const

export const isCompoundFile = (bytes: Uint8Array): boolean => signature.every((byte, at) => bytes[at] === byte)

const headerBytes = 512

const entryBytes = 128

/** First reserved sector number: numbers from here on are marks. */
const lastSector = 0xfffffffa

/** Size below which a stream is stored in the small sectors of the root's own stream. */
const smallStream = 4096

const none = 0xffffffff

/** Part of a stream, by its position in the file. */
interface Piece {
  readonly at: number
  readonly length: number
}

/** Sector numbers of a chain; never longer than the table, and never cyclic. */
const chain = (start: number, table: ReadonlyArray<number>): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let sector = start; sector < lastSector && found.length < table.length; sector = table[sector] ?? none) {
    found.push(sector)
  }
  return found
}

interface Sectors {
  readonly file: Buffer
  readonly size: number
  readonly count: number
}

const numbers = ({ file, size }: Sectors, sector: number): ReadonlyArray<number> => {
  const at = (sector + 1) * size
  const length = Math.max(0, Math.min(size, file.length - at))
  return Array.from({ length: length >> 2 }, (_, index) => file.readUInt32LE(at + index * 4))
}

/** Allocation table: the next sector of each sector. Its own sectors are listed in the header, then in a chain of further lists. */
const allocation = (sectors: Sectors): ReadonlyArray<number> => {
  const { count, file } = sectors
  const listed = Array.from({ length: 109 }, (_, at) => file.readUInt32LE(76 + at * 4))
  let next = file.readUInt32LE(68)
  for (let lists = 0; next < count && lists < count; lists++) {
    const list = numbers(sectors, next)
    listed.push(...list.slice(0, -1))
    next = list.at(-1) ?? none
  }
  const table: Array<number> = []
  for (const sector of new Set(listed)) {
    if (sector < count && table.length < count) {
      for (const number of numbers(sectors, sector)) {
        table.push(number)
      }
    }
  }
  return table
}

/** Positions of a stream's bytes; undefined when the chain is shorter than the stream. */
const piecesOf = (
  size: number,
  places: ReadonlyArray<number>,
  unit: number,
  end: number
): ReadonlyArray<Piece> | undefined => {
  const pieces: Array<Piece> = []
  let left = size
  for (const at of places) {
    if (left <= 0) {
      break
    }
    const length = Math.min(left, unit)
    if (at + length > end) {
      return undefined
    }
    pieces.push({ at, length })
    left -= length
  }
  return left > 0 ? undefined : pieces
}

interface Node extends Entry {
  readonly left: number
  readonly right: number
}

const nodeAt = (directory: Buffer, at: number): Node => {
  const nameBytes = Math.min(64, directory.readUInt16LE(at + 64))
  return {
    name: directory.toString("utf16le", at, at + Math.max(0, nameBytes - 2)),
    left: directory.readUInt32LE(at + 68),
    right: directory.readUInt32LE(at + 72),
    child: directory.readUInt32LE(at + 76),
    start: directory.readUInt32LE(at + 116),
    size: directory.readUInt32LE(at + 120)
  }
}

/** Entries directly below another: a tree of siblings, each visited once. `seen`: those that were visited before. */
const childrenOf = (parent: Entry, nodes: ReadonlyArray<Node>, seen: Set<number>): ReadonlyArray<Entry> => {
  const found: Array<Entry> = []
  const pending = [parent.child]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = nodes[id]
    if (node !== undefined && !seen.has(id)) {
      seen.add(id)
      found.push(node)
      pending.push(node.left, node.right)
    }
  }
  return found
}

/** Opens a file; undefined when it is not a compound file, or too damaged to have a directory. */
export const open = (bytes: Uint8Array): CompoundFile | undefined => {
  if (!isCompoundFile(bytes) || bytes.length < headerBytes) {
    return undefined
  }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const shift = file.readUInt16LE(30)
  const smallShift = file.readUInt16LE(32)
  if ((shift !== 9 && shift !== 12) || smallShift !== 6) {
    return undefined
  }
  const size = 2 ** shift
  const small = 2 ** smallShift
  const sectors: Sectors = { file, size, count: Math.ceil(file.length / size) }
  const table = allocation(sectors)
  const placesOf = (start: number): ReadonlyArray<number> => chain(start, table).map((sector) => (sector + 1) * size)
  const directoryPlaces = placesOf(file.readUInt32LE(48)).filter((at) => at + size <= file.length)
  const directory = Buffer.concat(directoryPlaces.map((at) => file.subarray(at, at + size)))
  const nodes = Array.from({ length: Math.floor(directory.length / entryBytes) }, (_, at) =>
    nodeAt(directory, at * entryBytes)
  )
  const [root] = nodes
  if (root === undefined) {
    return undefined
  }
  const rootPlaces = placesOf(root.start)
  const smallTable = chain(file.readUInt32LE(60), table).flatMap((sector) => numbers(sectors, sector))
  const smallPlace = (sector: number): number =>
    (rootPlaces[Math.floor((sector * small) / size)] ?? file.length) + ((sector * small) % size)
  const pieces = ({ size: length, start }: Entry): ReadonlyArray<Piece> | undefined =>
    length < smallStream
      ? piecesOf(length, chain(start, smallTable).map(smallPlace), small, file.length)
      : piecesOf(length, placesOf(start), size, file.length)
  const seen = new Set([0])
  return {
    entries: childrenOf(root, nodes, seen),
    entriesIn: (storage) => childrenOf(storage, nodes, seen),
    read: (entry) => {
      const found = pieces(entry)
      return found === undefined
        ? undefined
        : Buffer.concat(found.map(({ at, length }) => file.subarray(at, at + length)))
    },
    replaced: (entry, content) => {
      const copy = new Uint8Array(bytes)
      let from = 0
      for (const { at, length } of pieces(entry) ?? []) {
        copy.set(content.subarray(from, from + length), at)
        from += length
      }
      return copy
    }
  }
}

/** The content of a stream. */
export interface Stream {
  readonly content: Uint8Array
  /** Copy of the file with new content of the stream, of the same length. */
  readonly replaced: (content: Uint8Array) => Uint8Array
}

/** The first stream of a file with one of these names; undefined when there is none, or it is damaged. */
export const streamOf = (file: CompoundFile | undefined, ...names: ReadonlyArray<string>): Stream | undefined => {
  if (file === undefined) return undefined
  const entry = file.entries.find(({ name }) => names.includes(name))
  const content = entry && file.read(entry)
  return content && { content, replaced: (changed) => file.replaced(entry, changed) }
}
