/**
 * Chunks as Markdown files with front matter, a folder for each document.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import * as FolderStore from "./internal/fs/FolderStore.ts"
import * as Manifest from "./internal/fs/Manifest.ts"
import * as Tree from "./internal/fs/Tree.ts"
import {
  privateFolder,
  removeIfThere,
  sinkError,
  statIfThere,
  syncFolder,
  temporary
} from "./internal/shared/Durable.ts"
import { locate } from "./internal/shared/Location.ts"
import * as Lock from "./internal/shared/Lock.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The folder. It is created when missing; an existing one must be empty or made by this sink. */
  readonly directory: string
}

/**
 * A sink that keeps each chunk as `DIR/<documentId>/<index>.md`: every member but the text as front matter (YAML, each value
 * also JSON), then `text`, exactly. `DIR/manifest.json` holds the stamp, and the ids and the size of each document's chunks.
 *
 * **Names** are the document's own. Characters that some file system refuses are escaped as `%XX` (control characters, `: * ?`
 * and the like, device names of Windows, trailing dots); parts above 180 bytes are cut into nested folders. Where the names of
 * two documents differ in case only, the later one's capitals are escaped too, or all its letters. Two chunks with the same
 * index (an old and a new generation) are `3.md` and `3~2.md`.
 *
 * **Durability.** Changed documents are first written whole to a work folder, then noted in a journal, then moved into place;
 * all three steps are synchronised before the call returns. After a killed run the next `prepare` completes the changes in the
 * journal and drops all others. While the sink is open, `DIR/.docsluice-fs` holds journal and lock, and the manifest is that of
 * the previous run; `finish`, or else the end of the scope, brings it up to date. Replacing a document by the same chunks does
 * not touch its files.
 *
 * **Memory**: names and ids of all documents, and the chunks of one batch, before and after. Without the manifest, the files
 * themselves are read to find out what is stored.
 *
 * **Failures**: `Mismatch` for a folder with other things in it, a manifest that cannot be read, and another embedding
 * space; `Rejected` without permission or for a name that is too long; `Unavailable` for a full disk and while another run has
 * the folder open. The lock is the operating system's and ends with its process.
 *
 * **Modes**: a new folder is 0700 and the files in it are 0600 (owner only); a rewritten file keeps its mode.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, never, FileSystem | Path | Scope> {
  const fs = yield* FileSystem
  const path = yield* Path
  const places = placesOf(fs, path, yield* locate(options.directory))
  const id = `fs:${places.root}`
  const failed = sinkError(id, `cannot write below ${places.root}`)

  return yield* ChunkSink.make({
    id,
    name: "fs",
    inspect: Effect.map(inspect(id, places), ({ found }) => found),
    open: ({ decide }) => open(id, places, decide),
    write: (store, batch) => Effect.mapError(store.write(batch), failed),
    remove: (store, ids) => Effect.mapError(store.remove(ids), failed),
    replaceAll: (store, documents) => Effect.mapError(store.replace(documents), failed),
    read: () =>
      Effect.flatMap(inspect(id, places), ({ manifest }) =>
        Effect.mapError(FolderStore.look(places, manifest), sinkError(id, `cannot read below ${places.root}`))
      ),
    list: (store) => Stream.map(contents(id, places, store), ({ documentId, id }) => ({ documentId, id })),
    contents: (store) => contents(id, places, store),
    finish: (store) => Effect.mapError(store.settle, failed),
    clear: clear(id, places)
  })
})

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<ChunkSink.ChunkSink, never, FileSystem | Path> =>
  ChunkSink.layer(make(options))

const contents = (sink: string, { root }: Tree.Places, store: FolderStore.FolderStore) =>
  Stream.fromIterable(store.documents.folders.keys()).pipe(
    Stream.mapEffect((documentId) => store.read(documentId)),
    Stream.mapError(sinkError(sink, `cannot read below ${root}`)),
    Stream.mapConcat((stored) => stored.map(({ chunk }) => chunk))
  )

const placesOf = (fs: FileSystem, path: Path, root: string): Tree.Places => {
  const work = path.join(root, ".docsluice-fs")
  return {
    fs,
    path,
    root,
    manifest: path.join(root, "manifest.json"),
    work,
    journal: path.join(work, "journal.jsonl"),
    lock: path.join(work, "lock")
  }
}

interface Inspected {
  readonly found: ChunkSink.Found
  readonly manifest: Manifest.Manifest | null
}

const inspect = Effect.fnUntraced(function* (
  id: string,
  places: Tree.Places
): Effect.fn.Return<Inspected, ChunkSink.SinkError> {
  const { fs, journal, manifest: file, root } = places
  const failed = sinkError(id, `cannot open ${root}`)
  const foreign = (problem: string): Inspected => ({ found: { _tag: "Foreign", problem }, manifest: null })
  const info = yield* Effect.mapError(statIfThere(fs, root), failed)
  if (info === null) return { found: { _tag: "Absent" }, manifest: null }
  if (info.type !== "Directory") return foreign(`${root} is not a folder`)
  const names = yield* Effect.mapError(fs.readDirectory(root), failed)
  if (names.includes("manifest.json")) {
    const manifest = yield* Effect.mapError(Manifest.read(fs, file), failed)
    if (manifest === null) return foreign(`${file} is not a manifest that this version reads; name another folder`)
    const empty = manifest.documents.size === 0 && !(yield* Effect.mapError(fs.exists(journal), failed))
    return { found: { _tag: "Stamped", stamp: manifest.stamp, empty, changed: false }, manifest }
  }
  if (names.every((name) => name === ".docsluice-fs" || name === "manifest.json.tmp")) {
    return { found: { _tag: "Absent" }, manifest: null }
  }
  const { chunks, stranger } = yield* Effect.mapError(Tree.survey(places, 100), failed)
  return stranger === null
    ? { found: { _tag: "Unstamped", chunks }, manifest: null }
    : foreign(`${root} holds ${stranger} and has no manifest.json; nothing was changed, name an empty or a new folder`)
})

const open = Effect.fnUntraced(function* (
  id: string,
  places: Tree.Places,
  decide: ChunkSink.Opening["decide"]
): Effect.fn.Return<FolderStore.FolderStore, ChunkSink.SinkError, Scope> {
  const { fs } = places
  const failed = sinkError(id, `cannot open ${places.root}`)
  if (!(yield* Effect.mapError(fs.exists(places.manifest), failed))) {
    // A folder that is not this sink's gets no lock file either.
    const { found } = yield* inspect(id, places)
    if (found._tag === "Foreign") yield* decide(found)
  }
  yield* lock(id, places)
  const { found, manifest } = yield* inspect(id, places)
  const changed = manifest !== null && (yield* differs(id, places, manifest))
  const { stamp } = yield* decide(found._tag === "Stamped" ? { ...found, changed } : found)
  yield* Effect.mapError(removeIfThere(fs, temporary(places.manifest)), failed)
  if (manifest === null) yield* Effect.mapError(removeIfThere(fs, places.journal), failed)
  return yield* Effect.mapError(FolderStore.open(places, stamp, manifest), failed)
})

/** Time limit of the search for changed files. */
const patience = "1 second"

const differs = (
  id: string,
  places: Tree.Places,
  manifest: Manifest.Manifest
): Effect.Effect<boolean, ChunkSink.SinkError> =>
  FolderStore.differs(places, manifest).pipe(
    Effect.mapError(sinkError(id, `cannot open ${places.root}`)),
    Effect.timeoutTo({
      duration: patience,
      onSuccess: (answer) => Effect.succeed(answer),
      onTimeout: () =>
        Effect.as(
          Effect.logWarning(`${id}: it was not looked through for changes, which took too long; doctor compares it`),
          false
        )
    }),
    Effect.flatten
  )

/** Removes the work folder together with the lock, unless it still holds changes that the next run must complete. */
const lock = (id: string, places: Tree.Places) =>
  Effect.zipRight(
    Effect.acquireRelease(
      Effect.mapError(
        places.fs.makeDirectory(places.work, { recursive: true, mode: privateFolder }),
        sinkError(id, `cannot open ${places.root}`)
      ),
      () =>
        Effect.ignore(
          Effect.flatMap(places.fs.readDirectory(places.work), (names) =>
            names.length === 0 ? places.fs.remove(places.work, { recursive: true }) : Effect.void
          )
        )
    ),
    Lock.acquire(id, places.lock)
  )

/** Deletes only files of this sink, the manifest last: until then the folder is recognised as this sink's. */
const clear = (id: string, places: Tree.Places): Effect.Effect<void, ChunkSink.SinkError> =>
  Effect.scoped(
    Effect.gen(function* () {
      if ((yield* inspect(id, places)).found._tag === "Absent") return
      yield* lock(id, places)
      const { found, manifest } = yield* inspect(id, places)
      if (found._tag === "Foreign" || found._tag === "Absent") return
      yield* Effect.mapError(
        Effect.gen(function* () {
          const store = yield* FolderStore.open(places, manifest?.stamp ?? "{}", manifest)
          for (const documentId of store.documents.folders.keys()) yield* store.replace([{ documentId, chunks: [] }])
          yield* store.settle
          yield* removeIfThere(places.fs, places.manifest)
        }),
        sinkError(id, `cannot empty ${places.root}`)
      )
      yield* syncFolder(places.fs, places.root)
    })
  )
