/**
 * Chunks as Markdown files with front matter, a folder for each document.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as FolderStore from "./internal/fs/FolderStore.ts"
import {
  privateFolder,
  readIfThere,
  removeIfThere,
  sinkError,
  syncFolder,
  temporary
} from "./internal/shared/Durable.ts"
import * as Lock from "./internal/shared/Lock.ts"
import { type Stamp, storeId } from "./internal/shared/Stamp.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The folder; made when it is not there, else empty or one that this sink made. */
  readonly directory: string
}

/**
 * A sink that keeps each chunk as `DIR/<documentId>/<index>.md`: every member but the text as front matter (YAML, each value
 * also JSON), then `text`, exactly. `DIR/manifest.json` holds store id, embedding space, and the ids of each document's chunks.
 *
 * **Names** are the document's own, with what some file system does not take escaped as `%XX` (control characters, `: * ?` and
 * the like, device names of Windows, trailing dots); parts above 180 bytes are cut into nested folders. Where the names of
 * two documents differ in case only, the later one's capitals are escaped too. Two chunks with one index (an old and a new
 * generation) are `3.md` and `3~2.md`.
 *
 * **Durability.** Changes of documents are written whole beside, then noted in a journal, then moved into place; all of it is
 * synchronised before it is acknowledged. What a killed run had noted the next `prepare` ends, what it had not is
 * dropped. While the sink is open, `DIR/.docsluice-fs` holds journal and lock, and the manifest is that of the run before;
 * `finish`, else the end of the scope, brings it up to date. A document that was replaced by the same chunks is not touched.
 *
 * **Memory**: names and ids of all documents, and the chunks of one batch, before and after. When the manifest is missing the store id is too.
 *
 * **Failures**: `Mismatch` for a folder with other things in it, a manifest that cannot be read, and another embedding
 * space; `Rejected` without permission or for a name that is too long; `Unavailable` for a full disk and while another run has
 * the folder open: its lock is the operating system's and ends with its process.
 *
 * **Modes**: a new folder and the files in it are their owner's alone (0700, 0600); a file that is rewritten keeps its mode.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Service, never, FileSystem | Path | Scope.Scope> {
  const fs = yield* FileSystem
  const path = yield* Path
  const places = yield* locate(fs, path, options.directory)
  const id = `fs:${places.root}`
  let current: { readonly store: FolderStore.FolderStore; readonly scope: Scope.CloseableScope } | null = null

  const failed = sinkError(id, `cannot write below ${places.root}`)
  const opened = Effect.suspend(() =>
    current === null
      ? new ChunkSink.SinkError({ sink: id, reason: "Rejected", problem: "it was not prepared" })
      : Effect.succeed(current.store)
  )
  const close = Effect.suspend(() => {
    const scope = current?.scope
    current = null
    return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
  })
  const finish = Effect.suspend(() => (current === null ? Effect.void : Effect.mapError(current.store.settle, failed)))
  yield* Effect.addFinalizer(() => Effect.ensuring(Effect.catchAll(finish, logFailure), close))

  return yield* ChunkSink.make({
    id,
    name: "fs",
    stamp: true,
    prepare: (space) =>
      Effect.gen(function* () {
        yield* finish
        yield* close
        const scope = yield* Scope.make()
        const { store, stamp } = yield* open(fs, path, id, places, space).pipe(
          Scope.extend(scope),
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        current = { store, scope }
        return stamp
      }).pipe(Effect.uninterruptible),
    write: (batch) => Effect.flatMap(opened, (store) => Effect.mapError(store.write(batch), failed)),
    remove: (ids) => Effect.flatMap(opened, (store) => Effect.mapError(store.remove(ids), failed)),
    replace: (documentId, chunks) =>
      Effect.flatMap(opened, (store) => Effect.mapError(store.replace([{ documentId, chunks }]), failed)),
    replaceAll: (documents) => Effect.flatMap(opened, (store) => Effect.mapError(store.replace(documents), failed)),
    list: Stream.unwrap(
      Effect.map(opened, (store) =>
        Stream.fromIterable(store.documents.folders.keys()).pipe(
          Stream.mapEffect((documentId) => store.read(documentId)),
          Stream.mapError(sinkError(id, `cannot read below ${places.root}`)),
          Stream.mapConcat((stored) => stored.map(({ chunk }) => ({ documentId: chunk.documentId, id: chunk.id })))
        )
      )
    ),
    finish,
    clear: Effect.zipRight(close, clear(fs, path, id, places)).pipe(Effect.uninterruptible)
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

const logFailure = (error: ChunkSink.SinkError) =>
  Effect.logError(`${error.message}; the next run that opens it puts it in order`)

const locate = Effect.fnUntraced(function* (fs: FileSystem, path: Path, given: string) {
  const absolute = path.resolve(given)
  const root = yield* fs.realPath(absolute).pipe(
    Effect.orElse(() =>
      Effect.map(fs.realPath(path.dirname(absolute)), (folder) => path.join(folder, path.basename(absolute)))
    ),
    Effect.orElseSucceed(() => absolute)
  )
  const work = path.join(root, ".docsluice-fs")
  return {
    root,
    manifest: path.join(root, "manifest.json"),
    work,
    journal: path.join(work, "journal.jsonl"),
    lock: path.join(work, "lock")
  }
})

const ManifestText = Schema.parseJson(FolderStore.Manifest)

const open = Effect.fnUntraced(function* (
  fs: FileSystem,
  path: Path,
  id: string,
  places: FolderStore.Places,
  space: ChunkSink.EmbeddingSpace | null
) {
  const failed = sinkError(id, `cannot open ${places.root}`)
  yield* Effect.mapError(fs.makeDirectory(places.root, { recursive: true, mode: privateFolder }), failed)
  yield* checkContents(fs, id, places)
  yield* lock(fs, id, places)
  const manifest = yield* readManifest(fs, id, places)
  yield* Effect.mapError(removeIfThere(fs, temporary(places.manifest)), failed)
  if (manifest === null) yield* Effect.mapError(removeIfThere(fs, places.journal), failed)
  const stamp: Stamp = { format: 1, storeId: manifest?.storeId ?? (yield* storeId), space: manifest?.space ?? null }
  const before = yield* Effect.mapError(
    FolderStore.open(fs, path, places, manifest === null ? { ...stamp, space } : stamp, manifest),
    failed
  )
  const empty = before.documents.folders.size === 0
  yield* ChunkSink.checkSpace({ sink: id, stamped: stamp.space, asked: space, empty })
  if (!empty || manifest === null) return { store: before, stamp: stamp.storeId }
  const store = yield* Effect.mapError(FolderStore.open(fs, path, places, { ...stamp, space }, manifest), failed)
  return { store, stamp: stamp.storeId }
})

/** The work folder goes with the lock, unless something is left in it for the next run to end. */
const lock = (fs: FileSystem, id: string, places: FolderStore.Places) =>
  Effect.zipRight(
    Effect.acquireRelease(
      Effect.mapError(
        fs.makeDirectory(places.work, { recursive: true, mode: privateFolder }),
        sinkError(id, `cannot open ${places.root}`)
      ),
      () =>
        Effect.ignore(
          Effect.flatMap(fs.readDirectory(places.work), (names) =>
            names.length === 0 ? fs.remove(places.work, { recursive: true }) : Effect.void
          )
        )
    ),
    Lock.acquire(id, places.lock)
  )

const checkContents = Effect.fnUntraced(function* (fs: FileSystem, id: string, places: FolderStore.Places) {
  const names = yield* Effect.mapError(fs.readDirectory(places.root), sinkError(id, `cannot open ${places.root}`))
  const others = names.filter((name) => name !== ".docsluice-fs" && name !== "manifest.json.tmp")
  return names.includes("manifest.json") || others.length === 0
    ? undefined
    : yield* new ChunkSink.SinkError({
        sink: id,
        reason: "Mismatch",
        problem: `${places.root} is not empty and has no manifest.json; nothing was changed, name an empty or a new folder`
      })
})

const readManifest = (fs: FileSystem, id: string, places: FolderStore.Places) =>
  readIfThere(fs, places.manifest).pipe(
    Effect.mapError(sinkError(id, `cannot read ${places.manifest}`)),
    Effect.map(Option.getOrNull),
    Effect.flatMap((text) =>
      text === null
        ? Effect.succeed(null)
        : Effect.mapError(
            Schema.decode(ManifestText)(text),
            () =>
              new ChunkSink.SinkError({
                sink: id,
                reason: "Mismatch",
                problem: `${places.manifest} is not a manifest that this version reads; name another folder`
              })
          )
    )
  )

/** Only what the sink itself put there goes, the manifest last of all: until then the folder is known as this sink's. */
const clear = (
  fs: FileSystem,
  path: Path,
  id: string,
  places: FolderStore.Places
): Effect.Effect<void, ChunkSink.SinkError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const failed = sinkError(id, `cannot empty ${places.root}`)
      yield* Effect.mapError(fs.makeDirectory(places.root, { recursive: true, mode: privateFolder }), failed)
      yield* checkContents(fs, id, places)
      yield* lock(fs, id, places)
      const manifest = yield* readManifest(fs, id, places)
      if (manifest === null) return
      const stamp: Stamp = { format: 1, storeId: manifest.storeId, space: manifest.space }
      const store = yield* Effect.mapError(FolderStore.open(fs, path, places, stamp, manifest), failed)
      for (const documentId of store.documents.folders.keys()) {
        yield* Effect.mapError(store.replace([{ documentId, chunks: [] }]), failed)
      }
      yield* Effect.mapError(store.settle, failed)
      yield* Effect.mapError(removeIfThere(fs, places.manifest), failed)
      yield* syncFolder(fs, places.root)
    })
  )
