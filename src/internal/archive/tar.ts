/**
 * A tar archive, packed with gzip or not. One that is not packed is read in place. A packed one is unpacked once while it is listed, and
 * once more, into a temporary file, when the first of its members is read: reading all of them costs two passes, not one for each.
 */
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream"
import * as zlib from "node:zlib"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ObjectStore } from "../objects/objectStore.ts"
import * as Bounds from "./bounds.ts"
import * as ByteSource from "./byteSource.ts"
import { Damaged } from "./damaged.ts"
import * as Mark from "./mark.ts"
import { ranged } from "./memberBytes.ts"
import { paged } from "./paged.ts"
import * as Snapshot from "./snapshot.ts"
import { members, type TarMember } from "./tarMembers.ts"
import { failureOf, type About as Zipped } from "./zip.ts"

export type { TarMember } from "./tarMembers.ts"

/** A tar archive, which is unpacked from its path. */
interface About extends Omit<Zipped, "open"> {
  /** Absolute path. */
  readonly path: string
}

/** True for gzip; fails for what is packed otherwise. */
const isPacked = async (handle: FileHandle): Promise<boolean> => {
  const mark = await Mark.ofHandle(handle)
  if (mark === "zip") throw new Damaged("it is a zip archive; name it with zip: instead of tar:", "Invalid")
  if (mark === null || mark === "tar") return false
  if (mark === "gzip") return true
  throw new Damaged(`it is packed with ${mark}; pack it with gzip, or unpack it`, "Invalid")
}

const ignore = (): void => undefined

/** The unpacked bytes of an open archive, bounded. */
const unpacked = (handle: FileHandle, { size }: Snapshot.Snapshot): ByteSource.ByteSource =>
  ByteSource.ofStream(pipeline(ranged(handle, 0, size), zlib.createGunzip(), ignore), (count) =>
    Bounds.check(size, count)
  )

async function* listed(
  { path }: About,
  each?: (member: TarMember, source: ByteSource.ByteSource) => Promise<void>
): AsyncGenerator<TarMember> {
  const handle = await open(path, "r")
  try {
    const archive = await Snapshot.ofHandle(handle)
    const source = (await isPacked(handle)) ? unpacked(handle, archive) : ByteSource.ofFile(handle, archive.size)
    try {
      for await (const member of members(source, archive)) {
        // The bytes of a member can be read while the list stands at it.
        await each?.(member, source)
        yield member
      }
    } finally {
      await source.close()
    }
    await Snapshot.expect(handle, archive)
  } finally {
    await handle.close()
  }
}

const step = 65_536

/** Writes the bytes of the members that are to be read to their places in a new file; the others are holes there. */
const unpack = async (about: About, into: string, opens: (member: TarMember) => boolean): Promise<void> => {
  const handle = await open(into, "wx", 0o600)
  try {
    const write = async (member: TarMember, source: ByteSource.ByteSource): Promise<void> => {
      if (!opens(member)) return
      for (let at = member.at; at < member.at + member.size;) {
        // oxlint-disable-next-line no-await-in-loop -- one part after the other bounds the memory
        const part = await source.read(Math.min(step, member.at + member.size - at))
        if (part.length === 0) throw new Damaged("it ends too early; make it again, or copy it again")
        // oxlint-disable-next-line no-await-in-loop -- one part after the other bounds the memory
        await handle.write(part, 0, part.length, at)
        at += part.length
      }
    }
    for await (const member of listed(about, write)) void member
  } finally {
    await handle.close()
  }
}

/** A folder of the system's temporary one for what is unpacked, made when it is needed and deleted with the scope. */
const temporary = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new Array<string>()),
    (folders) =>
      Effect.promise(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
  ),
  (folders) => async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "docsluice-tar-"))
    folders.push(folder)
    return folder
  }
)

/** The archive as a store; reads nothing yet. */
export const make = (about: About): Effect.Effect<ObjectStore<TarMember>, never, Scope.Scope> =>
  Effect.map(temporary, (folder) => {
    let opens: (member: TarMember) => boolean = () => true
    let unpacking: Promise<string> | undefined

    const unpackedFile = async (): Promise<string> => {
      const file = join(await folder(), "unpacked")
      await unpack(about, file, opens)
      return file
    }

    async function* ofFile(file: string, { archive, at, size }: TarMember): AsyncGenerator<Uint8Array> {
      const handle = await open(file, "r")
      try {
        if (file === about.path) await Snapshot.expect(handle, archive)
        yield* ranged(handle, at, size)
      } finally {
        await handle.close()
      }
    }

    /** The file that holds the bytes of a member at its place. */
    const fileOf = async ({ archive }: TarMember): Promise<string> => {
      const handle = await open(about.path, "r")
      try {
        await Snapshot.expect(handle, archive)
        if (!(await isPacked(handle))) return about.path
      } finally {
        await handle.close()
      }
      unpacking ??= unpackedFile()
      return unpacking
    }

    async function* bytesOf(member: TarMember): AsyncGenerator<Uint8Array> {
      yield* ofFile(await fileOf(member), member)
    }

    return {
      address: about.address,
      list: (_, wanted) => {
        opens = wanted
        return paged(() => listed(about), about.failed)
      },
      bytes: { _tag: "Parts", parts: bytesOf, failure: failureOf(about) }
    }
  })
