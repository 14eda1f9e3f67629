import type { PlatformError } from "@effect/platform/Error"
import type { File, FileSystem } from "@effect/platform/FileSystem"
import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"

/** Turns a failure of the file system into the sink's own, with what was being done and to which file. */
export const sinkError =
  (sink: string, doing: string) =>
  (cause: PlatformError): SinkError => {
    const code = errorCode(cause)
    const reason =
      cause._tag === "BadArgument"
        ? "Rejected"
        : cause.reason === "PermissionDenied" || code === "EROFS" || code === "EPERM" || code === "ENAMETOOLONG"
          ? "Rejected"
          : cause.reason === "BadResource"
            ? "Mismatch"
            : "Unavailable"
    return new SinkError({ sink, reason, problem: `${doing}: ${words[code] ?? cause.message}`, cause })
  }

const words: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "it is not there any more",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ENAMETOOLONG: "the path is too long for this file system"
}

const errorCode = (error: PlatformError): string =>
  Predicate.hasProperty(error.cause, "code") && typeof error.cause.code === "string" ? error.cause.code : ""

/**
 * Makes renames in a folder durable. Not every platform lets a folder be opened or synchronised (Windows does not), and
 * there the rename itself is all that can be had, so a refusal is no failure.
 */
export const syncFolder = (fs: FileSystem, folder: string): Effect.Effect<void> =>
  Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (file) => file.sync)))

/** Writes a whole file durably; a kill leaves it absent or cut. */
export const writeDurably = (fs: FileSystem, path: string, bytes: Uint8Array): Effect.Effect<void, PlatformError> =>
  Effect.scoped(
    Effect.flatMap(fs.open(path, { flag: "w" }), (file) =>
      // The platform calls a write of no bytes a failure.
      Effect.zipRight(bytes.length === 0 ? Effect.void : file.writeAll(bytes), file.sync)
    )
  )

/** Replaces a file as one step: at any moment it is the old one or the new one, whole. */
export const replaceFile = (
  fs: FileSystem,
  folder: string,
  path: string,
  text: string
): Effect.Effect<void, PlatformError> =>
  writeDurably(fs, temporary(path), new TextEncoder().encode(text)).pipe(
    Effect.zipRight(fs.rename(temporary(path), path)),
    Effect.onError(() => Effect.ignore(removeIfThere(fs, temporary(path)))),
    Effect.zipRight(syncFolder(fs, folder)),
    Effect.uninterruptible
  )

/** Where `replaceFile` writes first; whoever holds the lock may delete it. */
export const temporary = (path: string): string => `${path}.tmp`

export const readIfThere = (fs: FileSystem, path: string): Effect.Effect<Option.Option<string>, PlatformError> =>
  fs.readFileString(path).pipe(
    Effect.asSome,
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeed(Option.none())
    )
  )

/** Null where nothing is at the path. */
export const statIfThere = (fs: FileSystem, path: string): Effect.Effect<File.Info | null, PlatformError> =>
  Effect.catchIf(
    fs.stat(path),
    (error) => error._tag === "SystemError" && error.reason === "NotFound",
    () => Effect.succeed(null)
  )

export const removeIfThere = (fs: FileSystem, path: string): Effect.Effect<void, PlatformError> =>
  fs.remove(path, { force: true })

/** A file that only grows, and whose acknowledged part is never followed by remains of what failed. */
export interface AppendFile {
  /** Bytes acknowledged. */
  readonly size: () => number
  /** Adds bytes durably and gives where they begin; after a failure the file is as long as before. */
  readonly append: (bytes: Uint8Array) => Effect.Effect<number, PlatformError>
  readonly read: (offset: number, length: number) => Effect.Effect<Uint8Array, PlatformError>
  /** Forgets everything from `size` on, durably. */
  readonly cut: (size: number) => Effect.Effect<void, PlatformError>
}

/** Opens an existing file, of which the first `size` bytes are good. */
export const openAppend = (
  fs: FileSystem,
  path: string,
  size: number
): Effect.Effect<AppendFile, PlatformError, Scope.Scope> =>
  Effect.map(fs.open(path, { flag: "r+" }), (file) => {
    let good = size
    let dirty = true
    const clean = Effect.suspend(() => (dirty ? file.truncate(good) : Effect.void))
    return {
      size: () => good,
      append: (bytes) =>
        Effect.uninterruptible(
          Effect.gen(function* () {
            yield* clean
            const offset = good
            dirty = true
            yield* file.seek(offset, "start")
            yield* file.writeAll(bytes)
            yield* file.sync
            good = offset + bytes.length
            dirty = false
            return offset
          })
        ),
      read: (offset, length) => readAt(file, offset, length),
      cut: (to) =>
        Effect.uninterruptible(
          Effect.suspend(() => {
            good = to
            dirty = true
            return Effect.zipRight(file.truncate(to), file.sync)
          })
        )
    }
  })

/** Bytes of a file from an offset on; fewer where it ends before. */
export const readAt = (file: File, offset: number, length: number): Effect.Effect<Uint8Array, PlatformError> =>
  Effect.gen(function* () {
    const bytes = new Uint8Array(length)
    yield* file.seek(offset, "start")
    let at = 0
    while (at < length) {
      const got = Number(yield* file.read(bytes.subarray(at)))
      if (got === 0) break
      at += got
    }
    return bytes.subarray(0, at)
  })
