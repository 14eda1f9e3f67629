import type { PlatformError } from "@effect/platform/Error"
import type { File, FileSystem } from "@effect/platform/FileSystem"
import { SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as ScopedRef from "effect/ScopedRef"

/** Turns a failure of the file system into the sink's own, with what was being done and to which file. */
export const sinkError =
  (sink: string, doing: string) =>
  (cause: PlatformError): SinkError => {
    const code = errorCode(cause)
    return new SinkError({
      sink,
      reason: reasonOf(cause, code),
      problem: `${doing}: ${words[code] ?? cause.message}`,
      cause
    })
  }

const reasonOf = (cause: PlatformError, code: string): SinkError["reason"] => {
  if (cause._tag === "BadArgument" || cause.reason === "PermissionDenied") return "Rejected"
  if (code === "EROFS" || code === "EPERM" || code === "ENAMETOOLONG") return "Rejected"
  return cause.reason === "BadResource" ? "Mismatch" : "Unavailable"
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

/** Mode of a new file: readable by its owner only. */
const privateFile = 0o600

/** Mode of a new folder. */
export const privateFolder = 0o700

/** Writes a whole file durably; a kill leaves it absent or cut. A new one is its owner's alone, another keeps its mode. */
export const writeDurably = (fs: FileSystem, path: string, bytes: Uint8Array): Effect.Effect<void, PlatformError> =>
  Effect.scoped(
    Effect.flatMap(fs.open(path, { flag: "w", mode: privateFile }), (file) =>
      // The platform calls a write of no bytes a failure.
      Effect.zipRight(bytes.length === 0 ? Effect.void : file.writeAll(bytes), file.sync)
    )
  )

/** Opens an empty file for writing that only its owner can read at any moment, whatever was there before. */
export const openNew = (fs: FileSystem, path: string): Effect.Effect<File, PlatformError, Scope.Scope> =>
  Effect.zipRight(removeIfThere(fs, path), fs.open(path, { flag: "wx", mode: privateFile }))

/**
 * Gives a file the mode of another one, and its owner and group, or its group alone, where that is allowed; else nothing that a
 * group could do with it. Does nothing where the other is not there.
 */
export const keepMode = (fs: FileSystem, path: string, like: string): Effect.Effect<void, PlatformError> =>
  Effect.gen(function* () {
    const there = yield* statIfThere(fs, like)
    if (there === null) return
    const own = yield* fs.stat(path)
    const kept = Equal.equals(own.gid, there.gid) && Equal.equals(own.uid, there.uid)
    const given = kept || (yield* give(fs, path, there.uid, there.gid)) || (yield* give(fs, path, own.uid, there.gid))
    const mode = there.mode & (given ? 0o777 : 0o707)
    if ((own.mode & 0o777) !== mode) yield* fs.chmod(path, mode)
  })

const give = (fs: FileSystem, path: string, owner: Option.Option<number>, group: Option.Option<number>) =>
  Option.match(Option.all([owner, group]), {
    onNone: () => Effect.succeed(false),
    onSome: ([uid, gid]) => Effect.isSuccess(fs.chown(path, uid, gid))
  })

/** Null where there is nothing at the path. */
export const ifThere = <A>(self: Effect.Effect<A, PlatformError>): Effect.Effect<A | null, PlatformError> =>
  Effect.catchIf(
    self,
    (error) => error._tag === "SystemError" && error.reason === "NotFound",
    () => Effect.succeed(null)
  )

export const statIfThere = (fs: FileSystem, path: string): Effect.Effect<File.Info | null, PlatformError> =>
  ifThere(fs.stat(path))

/** Replaces a file as one step: at any moment it is the old one or the new one, whole, with the mode of `like`. */
export const replaceFile = (
  fs: FileSystem,
  options: { readonly folder: string; readonly path: string; readonly text: string; readonly like: string }
): Effect.Effect<void, PlatformError> => {
  const { folder, like, path, text } = options
  const aside = temporary(path)
  const written = Effect.scoped(
    Effect.flatMap(openNew(fs, aside), (file) =>
      Effect.zipRight(file.writeAll(new TextEncoder().encode(text)), file.sync)
    )
  )
  return written.pipe(
    Effect.zipRight(keepMode(fs, aside, like)),
    Effect.zipRight(fs.rename(aside, path)),
    Effect.onError(() => Effect.ignore(removeIfThere(fs, aside))),
    Effect.zipRight(syncFolder(fs, folder)),
    Effect.uninterruptible
  )
}

/** Path of the file that `replaceFile` writes first; the holder of the lock may delete it. */
export const temporary = (path: string): string => `${path}.tmp`

export const readIfThere = (fs: FileSystem, path: string): Effect.Effect<string | null, PlatformError> =>
  ifThere(fs.readFileString(path))

export const removeIfThere = (fs: FileSystem, path: string): Effect.Effect<void, PlatformError> =>
  fs.remove(path, { force: true })

/** A file that only grows, and whose acknowledged part is never followed by remains of what failed. */
export interface AppendFile {
  /** Bytes acknowledged. */
  readonly size: () => number
  /** Appends bytes durably and returns their offset; after a failure the file has its former length. */
  readonly append: (bytes: Uint8Array) => Effect.Effect<number, PlatformError>
  readonly read: (offset: number, length: number) => Effect.Effect<Uint8Array, PlatformError>
  /** Forgets everything from `size` on, durably. */
  readonly cut: (size: number) => Effect.Effect<void, PlatformError>
}

/**
 * Opens an existing file, of which the first `size` bytes are good. Remains of a write that failed are cut off at once; where even
 * that fails, before the next write and once more when the scope closes.
 */
export const openAppend = (
  fs: FileSystem,
  path: string,
  size: number
): Effect.Effect<AppendFile, PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    const file = yield* fs.open(path, { flag: "r+" })
    let good = size
    let dirty = true
    const clean = Effect.suspend(() =>
      dirty
        ? Effect.tap(file.truncate(good), () => {
            dirty = false
          })
        : Effect.void
    )
    let failed = false
    yield* Effect.addFinalizer(() => (failed ? Effect.ignore(clean) : Effect.void))
    return {
      size: () => good,
      append: (bytes) =>
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
        }).pipe(
          Effect.onError(() => {
            failed = true
            return Effect.ignore(clean)
          }),
          Effect.uninterruptible
        ),
      read: (offset, length) => readAt(file, offset, length),
      cut: (to) =>
        Effect.uninterruptible(
          Effect.suspend(() => {
            good = to
            dirty = true
            return Effect.zipRight(clean, file.sync)
          })
        )
    }
  })

/** A file of notes, which is made for the first of them. */
export interface Journal {
  readonly note: (bytes: Uint8Array) => Effect.Effect<void, PlatformError>
  readonly remove: Effect.Effect<void, PlatformError>
}

/** `like` names a file whose mode the journal gets. */
export const journal = (
  fs: FileSystem,
  { folder, like, path }: { readonly folder: string; readonly path: string; readonly like?: string }
): Effect.Effect<Journal, never, Scope.Scope> =>
  Effect.map(
    ScopedRef.make<AppendFile | null>(() => null),
    (opened) => ({
      note: (bytes) =>
        Effect.gen(function* () {
          if ((yield* ScopedRef.get(opened)) === null) {
            yield* writeDurably(fs, path, new Uint8Array(0))
            if (like !== undefined) yield* keepMode(fs, path, like)
            yield* syncFolder(fs, folder)
            yield* ScopedRef.set(opened, openAppend(fs, path, 0))
          }
          const file = yield* ScopedRef.get(opened)
          if (file !== null) yield* file.append(bytes)
        }),
      remove: Effect.zipRight(ScopedRef.set(opened, Effect.succeed(null)), removeIfThere(fs, path))
    })
  )

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
