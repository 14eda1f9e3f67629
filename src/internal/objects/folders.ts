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

/** Folders that are asked for at a time. */
const concurrency = 6

/** Folders inside each other, above which a link leads back to an outer one. */
const deepest = 100

/** The key of the folder that holds the object or folder. */
const parentOf = (key: string): string => key.slice(0, key.replace(/\/$/u, "").lastIndexOf("/") + 1)

const byKey = <A extends { readonly key: string }>(left: A, right: A): number => (left.key < right.key ? -1 : 1)

/**
 * Files of the folders below the prefixes, a few folders at a time, each when it is wanted. A folder that was listed and is not there any
 * more fails, unless its own folder does not name it any more either.
 */
export const walked = <Entry extends ObjectEntry, F extends Folder>(
  { folderOf, list, source }: Server<Entry, F>,
  prefixes: ReadonlyArray<string>,
  enters: Parameters<ObjectStore["list"]>[2]
): Stream.Stream<ReadonlyArray<Entry>, SourceUnavailable> => {
  const wanted = (key: string): boolean => prefixes.some((prefix) => key.startsWith(prefix))
  const failed = (reason: SourceUnavailable["reason"], problem: string) =>
    new SourceUnavailable({ source, reason, problem })

  /** The content of a folder that a listing named. */
  const named = (folder: F): Effect.Effect<Content<Entry, F>, SourceUnavailable> =>
    Effect.gen(function* () {
      const content = yield* list(folder)
      if (content !== null) return content
      const around = yield* list(folderOf(parentOf(folder.key)))
      if (around?.folders.some(({ key }) => key === folder.key) !== true) return { entries: [], folders: [] }
      return yield* failed("Failed", `${folder.key} is listed and is not there; run again later`)
    })

  return Stream.suspend(() => {
    const starts = new Set(prefixes.map((prefix) => (prefix.endsWith("/") ? prefix : parentOf(prefix))))
    const waiting = Array.from(starts, folderOf).toSorted(byKey).toReversed()
    const page = (folder: F): Effect.Effect<ReadonlyArray<Entry>, SourceUnavailable> =>
      Effect.gen(function* () {
        if (folder.key.split("/").length > deepest) {
          return yield* failed("Invalid", `${folder.key} is more than ${deepest} folders deep; a link may lead back`)
        }
        const content = yield* starts.has(folder.key) ? list(folder) : named(folder)
        if (content === null) return []
        const inner = content.folders.filter(({ key }) => wanted(key) && enters(key.slice(0, -1)))
        waiting.push(...inner.toSorted(byKey).toReversed())
        return content.entries.filter(({ key }) => wanted(key)).toSorted(byKey)
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
