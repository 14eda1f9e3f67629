/**
 * Chunks as lines of a JSONL file.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as JsonlFile from "./internal/jsonl/File.ts"
import * as JsonlStamp from "./internal/jsonl/Stamp.ts"
import { removeIfThere, sinkError, syncFolder, temporary, writeDurably } from "./internal/shared/Durable.ts"
import * as Lock from "./internal/shared/Lock.ts"
import { type Stamp, storeId } from "./internal/shared/Stamp.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The file; made with its folders when it is not there. A relative path begins at the working directory. */
  readonly file: string
  /**
   * `replace` (default): when the run is over the file holds one generation of each document. `append`: every line that was
   * written stays; the sink then has neither `remove` nor `replace`.
   */
  readonly mode?: "replace" | "append" | undefined
}

/**
 * A sink that keeps chunks as lines of JSON, `DocumentChunk.toLine` each, the lines of a document together and in order.
 *
 * Beside FILE lie `FILE.docsluice.json` (store id, embedding space, format), while it is open `FILE.docsluice.lock` and
 * `FILE.docsluice.lock.pid`, and once something was removed `FILE.docsluice.journal`; a rewrite goes through
 * `FILE.docsluice.new`. All but the first are gone once the scope has closed. When FILE is missing, the store id counts as missing
 * too. A new FILE is its owner's alone (mode 0600); one that is rewritten keeps mode, owner and group, and all these have its mode.
 *
 * **Durability.** `write` appends and synchronises; a line that is there already is not added again, and one with the same
 * id and another content counts instead of the old one. `remove` and `replace` note in the journal which lines before which
 * byte count no more, and `finish` (else the end of the scope) writes a new file without them, which takes FILE's place in
 * one step. Nothing is rewritten when everything counts. A write that fails leaves FILE as it was. So a killed process leaves FILE with whole lines, maybe a cut last
 * one, maybe lines that the journal revokes; the next `prepare` takes both away, and what was acknowledged stays, removals
 * too. After a power cut the same holds as far as the disk keeps what it said it had synchronised.
 *
 * **Memory**: id, document and place of every chunk (some 300 bytes each), never a text. FILE is read once: by `prepare`, or,
 * when its size and its time of change are those that the last run left, by the first call that needs its lines.
 *
 * **Failures**: `Mismatch` for a folder in FILE's place, a line that is no chunk (nothing is changed then) and another
 * embedding space; `Rejected` without permission; `Unavailable` for a full disk, and while another run has FILE open. A run's
 * lock is the operating system's and ends with its process.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Service, never, FileSystem | Path | Scope.Scope> {
  const fs = yield* FileSystem
  const path = yield* Path
  const files = yield* locate(fs, path, options.file)
  const id = `jsonl:${files.file}`
  let current: (Opened & { readonly scope: Scope.CloseableScope }) | null = null

  const failed = sinkError(id, `cannot write ${files.file}`)
  const opened = Effect.suspend(() =>
    current === null
      ? new ChunkSink.SinkError({ sink: id, reason: "Rejected", problem: "it was not prepared" })
      : current.file
  )
  const close = Effect.suspend(() => {
    const scope = current?.scope
    current = null
    return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
  })
  const finish = Effect.suspend(() =>
    options.mode === "append" ? Effect.void : Effect.mapError(current?.loaded()?.compact ?? Effect.void, failed)
  )
  const settle = Effect.suspend(() =>
    current === null || current.loaded() === null || options.mode === "append"
      ? Effect.void
      : Effect.mapError(JsonlStamp.settle(fs, files, current.stamp), failed)
  )
  const end = Effect.zipRight(finish, settle)
  yield* Effect.addFinalizer(() => Effect.ensuring(Effect.catchAll(end, logFailure), close))

  return yield* ChunkSink.make({
    id,
    name: "jsonl",
    stamp: true,
    prepare: (space) =>
      Effect.gen(function* () {
        yield* end
        yield* close
        const scope = yield* Scope.make()
        const opened = yield* open(fs, id, files, space, scope).pipe(
          Scope.extend(scope),
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        current = { ...opened, scope }
        return opened.stamp.storeId
      }).pipe(Effect.uninterruptible),
    write: (batch) => Effect.flatMap(opened, (file) => Effect.mapError(file.write(batch), failed)),
    ...(options.mode !== "append" && {
      remove: (ids) => Effect.flatMap(opened, (file) => Effect.mapError(file.remove(ids), failed)),
      replace: (documentId, chunks) =>
        Effect.flatMap(opened, (file) => Effect.mapError(file.replace([{ documentId, chunks }]), failed)),
      replaceAll: (documents) => Effect.flatMap(opened, (file) => Effect.mapError(file.replace(documents), failed))
    }),
    list: Stream.unwrap(
      Effect.map(opened, ({ index }) =>
        Stream.map(Stream.fromIterable(index.places), ([chunkId, { documentId }]) => ({ documentId, id: chunkId }))
      )
    ),
    finish,
    clear: Effect.zipRight(close, clear(fs, id, files)).pipe(Effect.uninterruptible)
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

/** Links are followed, since a rewrite would put a file in the link's place. */
const locate = Effect.fnUntraced(function* (fs: FileSystem, path: Path, given: string) {
  const absolute = path.resolve(given)
  const file = yield* fs.realPath(absolute).pipe(
    Effect.orElse(() =>
      Effect.map(fs.realPath(path.dirname(absolute)), (folder) => path.join(folder, path.basename(absolute)))
    ),
    Effect.orElseSucceed(() => absolute)
  )
  return {
    folder: path.dirname(file),
    file,
    stamp: `${file}.docsluice.json`,
    journal: `${file}.docsluice.journal`,
    rewritten: `${file}.docsluice.new`,
    lock: `${file}.docsluice.lock`
  }
})

interface Opened {
  readonly file: Effect.Effect<JsonlFile.JsonlFile, ChunkSink.SinkError>
  /** Null before `file` was asked for. */
  readonly loaded: () => JsonlFile.JsonlFile | null
  readonly stamp: Stamp
}

const open = Effect.fnUntraced(function* (
  fs: FileSystem,
  id: string,
  files: JsonlFile.Files,
  space: ChunkSink.EmbeddingSpace | null,
  scope: Scope.Scope
) {
  const failed = sinkError(id, `cannot open ${files.file}`)
  yield* Effect.mapError(fs.makeDirectory(files.folder, { recursive: true }), failed)
  yield* Lock.acquire(id, files.lock)
  const there = yield* Effect.mapError(kindOf(fs, files.file), failed)
  if (there !== null && there !== "File") {
    return yield* new ChunkSink.SinkError({ sink: id, reason: "Mismatch", problem: `${files.file} is not a file` })
  }
  yield* Effect.mapError(removeIfThere(fs, temporary(files.stamp)), failed)
  const stamped = there === null ? null : yield* JsonlStamp.read(fs, id, files)
  if (there === null) {
    yield* Effect.mapError(removeIfThere(fs, files.journal), failed)
    yield* Effect.mapError(removeIfThere(fs, files.rewritten), failed)
    yield* Effect.mapError(removeIfThere(fs, files.stamp), failed)
    yield* Effect.mapError(writeDurably(fs, files.file, new Uint8Array(0)), failed)
    yield* syncFolder(fs, files.folder)
  }
  let loaded: JsonlFile.JsonlFile | null = null
  const load = JsonlFile.open(fs, id, files, stamped !== null || there === null).pipe(
    Scope.extend(scope),
    Effect.tap((file) => {
      loaded = file
    })
  )
  const settled = stamped !== null && (yield* Effect.mapError(JsonlStamp.isSettled(fs, files, stamped), failed))
  const empty = settled ? stamped.settled?.bytes === 0 : (yield* load).index.places.size === 0
  yield* ChunkSink.checkSpace({
    sink: id,
    stamped: stamped?.space ?? null,
    asked: space,
    empty: empty || stamped === null
  })
  const stamp: Stamp = { format: 1, storeId: stamped?.storeId ?? (yield* storeId), space }
  if (!settled || empty) {
    yield* Effect.mapError(
      JsonlStamp.write(fs, files, settled ? { ...stamp, settled: stamped.settled } : stamp),
      sinkError(id, `cannot write ${files.stamp}`)
    )
  }
  return {
    file: Effect.suspend(() => (loaded === null ? load : Effect.succeed(loaded))),
    loaded: () => loaded,
    stamp
  } satisfies Opened
})

const kindOf = (fs: FileSystem, path: string) =>
  fs.stat(path).pipe(
    Effect.map((info) => info.type),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeed(null)
    )
  )

/** The file goes first: without it, whatever else is left counts as missing. */
const clear = (fs: FileSystem, id: string, files: JsonlFile.Files): Effect.Effect<void, ChunkSink.SinkError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const failed = sinkError(id, `cannot remove ${files.file}`)
      yield* Effect.mapError(fs.makeDirectory(files.folder, { recursive: true }), failed)
      yield* Lock.acquire(id, files.lock)
      for (const path of [files.file, files.stamp, files.journal, files.rewritten]) {
        yield* Effect.mapError(removeIfThere(fs, path), failed)
      }
      yield* syncFolder(fs, files.folder)
    })
  )
