import type * as fs from "node:fs"
import { type FileHandle, open as openHandle } from "node:fs/promises"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import {
  type DocumentId,
  documentId,
  FileChanged,
  FileUnreadable,
  type Fingerprint,
  type SourceFile
} from "../../SourceFile.ts"
import * as plainBytes from "../base/plainBytes.ts"
import * as wholeFile from "./wholeFile.ts"

/** Bytes per read. */
const step = 262_144

/** `FileUnreadable.reason` of an error code of the operating system. */
export const reasonOf = (code: string | undefined): FileUnreadable["reason"] => {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "NotFound"
    case "EACCES":
    case "EPERM":
      return "PermissionDenied"
    case "EISDIR":
      return "NotAFile"
    default:
      return "Io"
  }
}

/** Error code of the operating system; undefined if the error has none. */
export const codeOf = (cause: unknown): string | undefined =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined

/**
 * Error for a path that cannot be read. A name with U+FFFD that does not exist was not valid UTF-8 when the folder was listed: the bytes
 * of its real name are lost.
 */
export const unreadable = (path: string, cause: unknown): FileUnreadable => {
  const reason = reasonOf(codeOf(cause))
  return new FileUnreadable({ path, reason: reason === "NotFound" && path.includes("\uFFFD") ? "Name" : reason, cause })
}

/**
 * A file of this machine. Values that follow from path, size and times are computed on access, so that a hundred thousand waiting files
 * take a third of the memory.
 */
class LocalFile implements SourceFile {
  readonly path: string
  readonly size: number
  private readonly rootName: string
  private readonly root: string
  private readonly modified: bigint
  private readonly changed: bigint
  private readonly inode: bigint

  constructor(rootName: string, root: string, path: string, stat: fs.BigIntStats) {
    this.rootName = rootName
    this.root = root
    this.path = path
    this.size = Number(stat.size)
    this.modified = stat.mtimeNs
    this.changed = stat.ctimeNs
    this.inode = stat.ino
  }

  get _tag(): "SourceFile" {
    return "SourceFile"
  }

  get documentId(): DocumentId {
    return documentId(this.rootName, this.path)
  }

  get fingerprint(): Fingerprint {
    return { _tag: "Stat", modified: this.modified, changed: this.changed, inode: this.inode }
  }

  get open(): Stream.Stream<Uint8Array, FileUnreadable | FileChanged> {
    return read(absolute(this.root, this.path), this.path, this.size)
  }
}

/** A discovered file; `stat` is the disk's record of it. */
export const make = (rootName: string, root: string, path: string, stat: fs.BigIntStats): SourceFile =>
  new LocalFile(rootName, root, path, stat)

/** Joins `root` and a POSIX path below it. */
export const absolute = (root: string, path: string): string => (root.endsWith("/") ? root + path : `${root}/${path}`)

/**
 * Streams the bytes of a file from its start, 256 KB at a time. Fails with `FileChanged` when the file does not have `size` bytes, if
 * possible before the first byte. Holds one part; closes the file at the end, on failure and on interruption.
 */
export const read = (
  absolute: string,
  path: string,
  size: number
): Stream.Stream<Uint8Array, FileUnreadable | FileChanged> => {
  const failure = (cause: unknown): FileUnreadable | FileChanged =>
    cause instanceof FileChanged || cause instanceof FileUnreadable ? cause : unreadable(path, cause)
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* steps(absolute, path, size)
    } catch (cause) {
      throw failure(cause)
    }
  }
  const whole: plainBytes.Whole = (onBytes, onFailure) =>
    wholeFile.read({ absolute, path, size }, onBytes, (cause) => onFailure(failure(cause)))
  return plainBytes.attach(
    Stream.suspend(() => Stream.fromAsyncIterable(parts(), failure)),
    { parts, whole }
  )
}

async function* steps(absolute: string, path: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await openHandle(absolute, "r")
  try {
    await expectSize(handle, path, size)
    for (let at = 0; at < size;) {
      // Not cleared: only the bytes that were read are given on.
      const part = Buffer.allocUnsafeSlow(Math.min(step, size - at))
      // oxlint-disable-next-line no-await-in-loop -- reading one part at a time bounds the memory
      const { bytesRead } = await handle.read(part, 0, part.length, at)
      if (bytesRead === 0) throw new FileChanged({ path, expected: size, actual: at })
      at += bytesRead
      yield bytesRead === part.length ? part : part.subarray(0, bytesRead)
    }
    await expectSize(handle, path, size)
  } finally {
    await handle.close()
  }
}

const expectSize = async (handle: FileHandle, path: string, expected: number): Promise<void> => {
  const { size } = await handle.stat()
  if (size !== expected) throw new FileChanged({ path, expected, actual: size })
}
