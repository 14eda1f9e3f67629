/** A zip archive: its members from the central directory, and the bytes of each from its place in the file. */
import { pipeline } from "node:stream"
import * as zlib from "node:zlib"
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type ZipFile } from "yauzl"
import type { SourceUnavailable } from "../../Source.ts"
import { type EntryProblem, ObjectChanged, type ObjectEntry, type ObjectStore } from "../objects/objectStore.ts"
import * as Bounds from "./bounds.ts"
import type { ByteHandle } from "./byteHandle.ts"
import { Damaged } from "./damaged.ts"
import * as Mark from "./mark.ts"
import { ranged, sized } from "./memberBytes.ts"
import * as MemberName from "./memberName.ts"
import { paged } from "./paged.ts"
import * as Snapshot from "./snapshot.ts"

/** A file that holds files, for all kinds. */
export interface About {
  readonly address: string
  /** Opens the bytes of the archive, from the first. */
  readonly open: () => Promise<ByteHandle>
  readonly failed: (cause: unknown) => SourceUnavailable
}

export interface ZipMember extends ObjectEntry {
  readonly archive: Snapshot.Snapshot
  /** Place of the local header. */
  readonly at: number
  /** Bytes in the file. */
  readonly packed: number
  readonly crc32: number
  readonly deflated: boolean
}

/** Reads of an open file for the reader of the central directory, which is closed elsewhere. */
class HandleReader extends RandomAccessReader {
  readonly #handle: ByteHandle

  constructor(handle: ByteHandle) {
    super()
    this.#handle = handle
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void
  ): void {
    this.#handle.read(buffer, offset, length, position).then(
      ({ bytesRead }) => callback(null, bytesRead),
      (cause: unknown) => callback(cause instanceof Error ? cause : new Error(String(cause)))
    )
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null)
  }
}

const isUtf8 = 0x800

/** The name: UTF-8 where the entry says so or where it is that, else the code page of old. */
const nameOf = ({ extraFields, fileNameRaw, generalPurposeBitFlag }: Entry): string | null => {
  const utf8 = MemberName.decoded(fileNameRaw)
  if ((generalPurposeBitFlag & isUtf8) !== 0) return utf8 === null ? null : utf8.replaceAll("\\", "/")
  return utf8 === null
    ? getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
    : utf8.replaceAll("\\", "/")
}

/** Kinds of files on the systems whose attributes begin with those of Unix. */
const regular = 0o10
const kindOf = ({ externalFileAttributes, versionMadeBy }: Entry): number =>
  versionMadeBy >>> 8 === 3 ? externalFileAttributes >>> 28 : 0

const methods: ReadonlySet<number> = new Set([0, 8])

const problemOf = (entry: Entry, name: string | null): EntryProblem | undefined => {
  if (name === null) return { reason: "Name" }
  if (entry.isEncrypted()) return { reason: "Encrypted" }
  return methods.has(entry.compressionMethod)
    ? undefined
    : { reason: "Io", problem: `it is packed with method ${entry.compressionMethod}; pack it with deflate` }
}

/** The member; null for a folder, a link and a device. */
const memberOf = (entry: Entry, archive: Snapshot.Snapshot): ZipMember | null => {
  const name = nameOf(entry)
  const kind = kindOf(entry)
  if (name?.endsWith("/") === true || (kind !== 0 && kind !== regular)) return null
  return {
    key: MemberName.pathOf(name ?? MemberName.shown(entry.fileNameRaw)),
    size: entry.uncompressedSize,
    etag: `crc32:${entry.crc32.toString(16)}-${entry.uncompressedSize}`,
    problem: problemOf(entry, name),
    archive,
    at: entry.relativeOffsetOfLocalHeader,
    packed: entry.compressedSize,
    crc32: entry.crc32,
    deflated: entry.compressionMethod === 8
  }
}

/** Bytes of a local header without its name. */
const localHeader = 30

/** Bytes that a member takes next to its name and content: a local header, and an entry of the directory. */
const headers = localHeader + 46

const entrySignature = 0x02014b50

/** Fails when an entry follows the last that the archive counts: a count of 16 bits is too small for many. */
const expectEnd = async (handle: ByteHandle, { readEntryCursor }: { readonly readEntryCursor: unknown }) => {
  if (typeof readEntryCursor !== "number") return
  const next = Buffer.alloc(4)
  const { bytesRead } = await handle.read(next, 0, 4, readEntryCursor)
  if (bytesRead === 4 && next.readUInt32LE(0) === entrySignature) {
    throw new Damaged("it holds more files than it counts; make it again with zip64, or unpack it into a folder")
  }
}

/** The central directory; fails with the right word for what is no zip archive. */
const directoryOf = async (handle: ByteHandle, { size }: Snapshot.Snapshot): Promise<ZipFile> => {
  try {
    return await fromRandomAccessReaderPromise(new HandleReader(handle), size, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false
    })
  } catch (error) {
    const mark = await Mark.ofHandle(handle)
    // Anything may stand before a zip archive, as in those that unpack themselves.
    if (mark === null || mark === "zip") throw error
    const is = mark === "tar" ? "it is a tar archive" : `it is packed with ${mark}`
    const instead = mark === "tar" || mark === "gzip" ? "name it with tar: instead of zip:" : "unpack it into a folder"
    throw new Damaged(`${is}; ${instead}`, "Invalid")
  }
}

async function* members({ open }: About): AsyncGenerator<ZipMember> {
  const handle = await open()
  try {
    const archive = await Snapshot.ofHandle(handle)
    const zip = await directoryOf(handle, archive)
    let packed = 0
    let unpacked = 0
    for await (const entry of zip.eachEntry()) {
      packed += entry.compressedSize + headers + 2 * entry.fileNameLength
      unpacked += entry.uncompressedSize
      if (packed > archive.size) {
        throw new Damaged("its files overlap, as those of a bomb do; make it again, or unpack it into a folder")
      }
      Bounds.check(archive.size, unpacked)
      const member = memberOf(entry, archive)
      if (member !== null) yield member
    }
    await expectEnd(handle, zip)
    await Snapshot.expect(handle, archive)
  } finally {
    await handle.close()
  }
}

/** Place of a member's first byte. */
const dataAt = async (handle: ByteHandle, { archive, at, packed }: ZipMember): Promise<number> => {
  const header = Buffer.alloc(localHeader)
  const { bytesRead } = await handle.read(header, 0, localHeader, at)
  if (bytesRead < localHeader || header.readUInt32LE(0) !== 0x04034b50) {
    throw new Damaged("a member is not where the archive says; make the archive again")
  }
  const start = at + localHeader + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + packed > archive.size) throw new Damaged("a member ends after the archive; make the archive again")
  return start
}

const ignore = (): void => undefined

async function* bytesOf({ open }: About, member: ZipMember): AsyncGenerator<Uint8Array> {
  const handle = await open()
  try {
    await Snapshot.expect(handle, member.archive)
    const packed = ranged(handle, await dataAt(handle, member), member.packed)
    let crc = 0
    const parts: AsyncIterable<Uint8Array> = member.deflated
      ? pipeline(packed, zlib.createInflateRaw(), ignore)
      : packed
    for await (const part of sized(parts, member.size)) {
      crc = zlib.crc32(part, crc)
      yield part
    }
    if (crc !== member.crc32) throw new Damaged("a member has another checksum than the archive says; make it again")
    await Snapshot.expect(handle, member.archive)
  } finally {
    await handle.close()
  }
}

/** The error of a member's bytes: another archive took the place of the one that was listed, or what else it is. */
export const failureOf =
  ({ failed }: Pick<About, "failed">) =>
  (cause: unknown): SourceUnavailable | ObjectChanged =>
    cause instanceof Damaged && cause.reason === "Failed" ? new ObjectChanged() : failed(cause)

/** The archive as a store; reads nothing yet. */
export const make = (about: About): ObjectStore<ZipMember> => ({
  address: about.address,
  list: () => paged(() => members(about), about.failed),
  bytes: { _tag: "Parts", parts: (member) => bytesOf(about, member), failure: failureOf(about) }
})
