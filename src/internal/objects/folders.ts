/** Stores whose servers list one folder at a time: the folders below prefixes, each a page. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SourceUnavailable } from "../../Source.ts"
import type { ObjectEntry, ObjectStore } from "./objectStore.ts"

/** A folder, with all that is needed to list it. */
export interface Folder {
  /** With a slash at its end; empty for the root. */
  readonly key: string
}

/** The content of a folder. */
export interface Content<Entry, F> {
  readonly entries: ReadonlyArray<Entry>
  readonly folders: ReadonlyArray<F>
}

/** A server of folders. */
export interface Server<Entry extends ObjectEntry, F extends Folder> {
  /** The source in messages. */
  readonly source: string
  /** The folder of a key that no listing named. */
  readonly folderOf: (key: string) => F
  /** Null for a folder that is not there; fails for the root. */
  readonly list: (folder: F) => Effect.Effect<Content<Entry, F> | null, SourceUnavailable>
}

/** A folder that is to be listed; `around`: the one whose listing names it. */
interface Waiting<F> {
  readonly folder: F
  readonly around: F | null
}

/** Folders that are asked for at a time. */
const concurrency = 6

/** Folders inside each other, above which a link leads back to an outer one. */
const deepest = 100

/** The key of the folder that holds the object. */
const parentOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1)

const byKey = <A extends { readonly key: string }>(left: A, right: A): number => (left.key < right.key ? -1 : 1)

/**
 * Files of the folders below the prefixes, a few folders at a time, each when it is wanted. A folder that is not there fails, unless the
 * folder around it does not name it either.
 */
export const walked = <Entry extends ObjectEntry, F extends Folder>(
  { folderOf, list, source }: Server<Entry, F>,
  prefixes: ReadonlyArray<string>,
  enters: Parameters<ObjectStore["list"]>[2]
): Stream.Stream<ReadonlyArray<Entry>, SourceUnavailable> => {
  const wanted = (key: string): boolean => prefixes.some((prefix) => key.startsWith(prefix))
  const failed = (reason: SourceUnavailable["reason"], problem: string) =>
    new SourceUnavailable({ source, reason, problem })

  /** The content of a folder; nothing for one that is not there, as the folder around it says as well. */
  const contentOf = ({ around, folder }: Waiting<F>): Effect.Effect<Content<Entry, F>, SourceUnavailable> =>
    Effect.gen(function* () {
      const content = yield* list(folder)
      if (content !== null) return content
      const again = around === null ? null : yield* list(around)
      if (again?.folders.some(({ key }) => key === folder.key) !== true) return { entries: [], folders: [] }
      return yield* failed("Failed", `${folder.key} is listed and is not there; run again later`)
    })

  return Stream.suspend(() => {
    const starts = new Set(prefixes.map(parentOf))
    const first = Array.from(starts, folderOf).toSorted(byKey).toReversed()
    const waiting: Array<Waiting<F>> = first.map((folder) => ({
      folder,
      around: folder.key === "" ? null : folderOf(parentOf(folder.key.slice(0, -1)))
    }))
    const page = (next: Waiting<F>): Effect.Effect<ReadonlyArray<Entry>, SourceUnavailable> =>
      Effect.gen(function* () {
        const { key } = next.folder
        if (key.split("/").length > deepest) {
          return yield* failed("Invalid", `${key} is more than ${deepest} folders deep; a link may lead back`)
        }
        const { entries, folders } = yield* contentOf(next)
        const inner = folders.filter((folder) => wanted(folder.key) && enters(folder.key.slice(0, -1)))
        for (const folder of inner.toSorted(byKey).toReversed()) waiting.push({ folder, around: next.folder })
        return entries.filter((entry) => wanted(entry.key)).toSorted(byKey)
      })
    return Stream.unfoldChunkEffect(waiting, () =>
      waiting.length === 0
        ? Effect.succeedNone
        : Effect.map(Effect.forEach(waiting.splice(-concurrency).toReversed(), page, { concurrency }), (pages) =>
            Option.some([Chunk.unsafeFromArray(pages), waiting] as const)
          )
    )
  })
}
