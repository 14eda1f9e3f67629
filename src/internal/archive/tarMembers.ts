/** The members of a tar archive one after the other, with the place of each. */
import type { EntryProblem, ObjectEntry } from "../objects/objectStore.ts"
import type { ByteSource } from "./byteSource.ts"
import { Damaged } from "./damaged.ts"
import * as MemberName from "./memberName.ts"
import type { Snapshot } from "./snapshot.ts"
import * as TarHeader from "./tarHeader.ts"

export interface TarMember extends ObjectEntry {
  readonly archive: Snapshot
  /** Place of the first byte in the unpacked archive. */
  readonly at: number
}

/** Longest extended header or long name, in bytes; a longer one is damage. */
const longest = 1024 * 1024

const ended = (): Damaged => new Damaged("it ends too early; make it again, or copy it again")

const exactly = async (source: ByteSource, length: number): Promise<Buffer> => {
  const bytes = await source.read(length)
  if (bytes.length < length) throw ended()
  return bytes
}

const padding = (size: number): number => (TarHeader.block - (size % TarHeader.block)) % TarHeader.block

const body = async (source: ByteSource, size: number): Promise<Buffer> => {
  if (size > longest) throw new Damaged("an extended header is longer than 1 MB; make the archive again")
  const bytes = Buffer.from(await exactly(source, size))
  await source.skip(padding(size))
  return bytes
}

const files: ReadonlySet<string> = new Set(["0", "\0", "7"])

const problemOf = (name: string | null, sparse: boolean): EntryProblem | undefined => {
  if (name === null) return { reason: "Name" }
  return sparse ? { reason: "Io", problem: "it is stored with holes; make the archive without holes" } : undefined
}

/** A header with the extensions before it. */
interface Extended {
  readonly size: number
  readonly modified: number
  readonly name: Buffer
  readonly sparse: boolean
}

const memberOf = (archive: Snapshot, at: number, { modified, name: bytes, size, sparse }: Extended): TarMember => {
  const name = MemberName.decoded(bytes)
  return {
    key: MemberName.pathOf(name ?? MemberName.shown(bytes)),
    size,
    etag: `${modified}-${size}-${archive.version}`,
    problem: problemOf(name, sparse),
    archive,
    at
  }
}

/**
 * The files in the order of the archive; folders, links and devices are left out. Between two of them the source stands after the header,
 * so that the bytes may be read from it. Fails at an end without the mark that ends an archive.
 *
 * @yields each file with its place
 */
export async function* members(source: ByteSource, archive: Snapshot): AsyncGenerator<TarMember> {
  let next: TarHeader.Extension = {}
  let longName: Buffer | undefined
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one member comes after the other
    const header = TarHeader.read(await exactly(source, TarHeader.block))
    if (header === null) return
    switch (header.type) {
      case "x":
        // oxlint-disable-next-line no-await-in-loop -- one member comes after the other
        next = TarHeader.extension(await body(source, header.size))
        continue
      case "L": {
        // oxlint-disable-next-line no-await-in-loop -- one member comes after the other
        const bytes = await body(source, header.size)
        const end = bytes.indexOf(0)
        longName = end < 0 ? bytes : bytes.subarray(0, end)
        continue
      }
      case "g":
      case "K":
        // oxlint-disable-next-line no-await-in-loop -- one member comes after the other
        await body(source, header.size)
        continue
      default: {
        const size = next.size ?? header.size
        const at = source.position()
        const name = next.name ?? longName ?? header.name
        const folder = name.at(-1) === 0x2f
        if (header.type === "S") throw new Damaged("it holds a file with holes; make the archive without holes")
        if (files.has(header.type) && !folder) {
          const modified = next.modified ?? header.modified
          yield memberOf(archive, at, { size, modified, name, sparse: next.sparse === true })
        }
        next = {}
        longName = undefined
        const end = at + size + padding(size)
        // oxlint-disable-next-line no-await-in-loop -- one member comes after the other
        await source.skip(end - source.position())
        if (source.position() < at + size) throw ended()
      }
    }
  }
}
