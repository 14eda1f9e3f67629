import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import {
  type DocumentId,
  documentId,
  type FileError,
  FileTooLarge,
  FileUnreadable,
  type SourceFile,
  UnsupportedFile
} from "../../SourceFile.ts"
import * as FileType from "../base/fileType.ts"
import type { Unreadable } from "./glob.ts"
import * as LocalFile from "./localFile.ts"
import * as StatFiles from "./statFiles.ts"

/**
 * A file of a type that cannot be read, or that `types` leaves out, found by a pattern. Counted, not failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unsupported {
  readonly _tag: "Unsupported"
  /** POSIX path below the root. */
  readonly path: string
  /** Extension in lower case, without the dot; empty when there is none. */
  readonly extension: string
}

/**
 * A file or folder that cannot be used: vanished, unreadable, empty, too large, a name that is not valid UTF-8, an
 * unsupported file that was named literally. `documentId` is absent for a folder, and where the source does not know the name of its root. A
 * folder's content is then unknown, so the discovery is not complete.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unusable {
  readonly _tag: "Unusable"
  /** Absent for a folder, and where the source does not know the name of its root. */
  readonly documentId?: DocumentId | undefined
  /** POSIX path below the root; `.` for the root itself. */
  readonly path: string
  readonly error: FileError
  /** True for a folder: its content is unknown, so the discovery is not complete. */
  readonly folder: boolean
  /** True when the file may be known under another path, which nothing shows: then the discovery is not complete. */
  readonly uncertain?: boolean | undefined
}

/** A file that cannot be used, below the root of a name. */
export const unusableFile = (root: string, path: string, error: FileError): Unusable => ({
  _tag: "Unusable",
  documentId: documentId(root, path),
  path,
  error,
  folder: false
})

/**
 * One result of a discovery. A path that was found already gives no second one.
 *
 * @since 0.1.0
 * @category models
 */
export type Found = SourceFile | Unsupported | Unusable

/** The types of the files that a discovery takes, by extensions in lower case. */
export interface FileTypes {
  readonly takes: (extension: string) => boolean
  /** True for a type that is read on this machine. */
  readonly readsHere: (extension: string) => boolean
  /** True for a type whose files may be larger than documents, since only parts of them are read. Default none. */
  readonly readsInPlace?: ((extension: string) => boolean) | undefined
}

/** Where files that hold files are found, and which of those in them are taken. */
export interface Inside extends Options {
  /** By the path of a file that holds files, the only paths that are wanted in it; all where it is not named. */
  readonly only: ReadonlyMap<string, ReadonlySet<string>>
}

/** Files that hold files, and how they are opened. */
export interface Containers {
  /** True for an extension of such files. */
  readonly opens: (extension: string) => boolean
  readonly readsInPlace: (extension: string) => boolean
  /** Adds to such files those that they hold. */
  readonly expand: (inside: Inside) => <E>(found: Stream.Stream<Found, E>) => Stream.Stream<Found, E>
}

/** Options of the check of a path. */
export interface Options {
  readonly name: string
  /** Absolute path. */
  readonly root: string
  readonly maxBytes: number
  /** The types that are taken. */
  readonly types: FileTypes
}

/** Turns paths into results, in their order. `named`: the paths were named literally, so that an unsupported type is an error. */
export type Check = (paths: ReadonlyArray<string>, named: boolean) => Effect.Effect<ReadonlyArray<Found>>

/** Checks paths in batches of some hundred; costs one `stat` for each path of a supported type. */
export const make = (options: Options): Effect.Effect<Check> =>
  Effect.map(StatFiles.make, (stat): Check => {
    const usable = (path: string, answer: StatFiles.Answer): Found => {
      const error = problem(path, answer, options)
      const root = options.name
      if (error !== null) return unusableFile(root, path, error)
      return answer instanceof Error
        ? unusableFile(root, path, LocalFile.unreadable(path, answer))
        : LocalFile.make(options.name, options.root, path, answer)
    }
    return (paths, named) => {
      const found: Array<Found> = []
      const supported: Array<string> = []
      for (const path of paths) {
        if (options.types.takes(FileType.extensionOf(path))) supported.push(path)
        else found.push(unsupported(options.name, path, named))
      }
      if (supported.length === 0) return Effect.succeed(found)
      return Effect.map(stat(supported.map((path) => LocalFile.absolute(options.root, path))), (answers) => {
        for (const [index, answer] of answers.entries()) {
          const path = supported[index]
          if (path !== undefined) found.push(usable(path, answer))
        }
        return found
      })
    }
  })

const unsupported = (root: string, path: string, named: boolean): Found => {
  const extension = FileType.extensionOf(path)
  return named
    ? unusableFile(root, path, new UnsupportedFile({ path, extension }))
    : { _tag: "Unsupported", path, extension }
}

const problem = (path: string, answer: StatFiles.Answer, { maxBytes, types }: Options): FileError | null => {
  if (answer instanceof Error) return null
  if (!answer.isFile()) return new FileUnreadable({ path, reason: "NotAFile" })
  const bytes = Number(answer.size)
  // A text without a character is a text.
  if (bytes === 0 && !types.readsHere(FileType.extensionOf(path))) return new FileUnreadable({ path, reason: "Empty" })
  return bytes > maxBytes && types.readsInPlace?.(FileType.extensionOf(path)) !== true
    ? new FileTooLarge({ path, bytes, maxBytes })
    : null
}

/** Result for a folder or link that the walk could not read. */
export const unreadable = ({ path, folder, cause }: Unreadable): Unusable => ({
  _tag: "Unusable",
  path,
  error: LocalFile.unreadable(path, cause),
  folder
})
