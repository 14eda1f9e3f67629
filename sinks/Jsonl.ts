/**
 * Chunks as lines of a JSONL file.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import * as ChunkSink from "docsluice/ChunkSink"
import type { ChunkId } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { extend, type Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import * as JsonlFile from "./internal/jsonl/File.ts"
import type * as Rewrite from "./internal/jsonl/Rewrite.ts"
import * as JsonlStamp from "./internal/jsonl/Stamp.ts"
import {
  removeIfThere,
  sinkError,
  statIfThere,
  syncFolder,
  temporary,
  writeDurably
} from "./internal/shared/Durable.ts"
import { locate } from "./internal/shared/Location.ts"
import * as Lock from "./internal/shared/Lock.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The file. It and its folders are created when missing. A relative path starts at the working directory. */
  readonly file: string
  /**
   * `replace` (default): after the run the file holds one generation of each document. `append`: every written line stays;
   * the sink then has neither `remove` nor `replace`.
   */
  readonly mode?: "replace" | "append" | undefined
}

/**
 * A sink that keeps chunks as lines of JSON, each written by `DocumentChunk.toLine`; a document's lines are together and in
 * order.
 *
 * **Files next to FILE.** `FILE.docsluice.json` holds the stamp and the state in which FILE was left. While the sink is open
 * there are `FILE.docsluice.lock` and `FILE.docsluice.lock.pid`, after the first removal `FILE.docsluice.journal`, and during a
 * rewrite `FILE.docsluice.new`. All but the first are deleted when the scope closes. When FILE is missing, the stamp is
 * ignored. A new FILE has mode 0600 (owner only); a rewritten one keeps mode, owner and group. The other files have its mode.
 *
 * **Durability.** `write` appends and synchronises. A line that exists already is not added again; a line with the same id and
 * another content supersedes the old one. `remove` and `replace` note in the journal which lines before which byte are void,
 * and `finish` (or else the end of the scope) writes a new file without them, which replaces FILE in one step. Nothing is
 * rewritten when no line is void. A write that fails leaves FILE as it was. A killed process leaves FILE with whole lines,
 * perhaps a cut last one, perhaps lines that the journal voids; the next `prepare` removes both. Every acknowledged write and
 * removal stays. After a power cut the same holds as far as the disk keeps what it reported as synchronised.
 *
 * **Memory**: id, document and offset of every chunk (some 200 bytes each), never a text. FILE is read once: by `prepare`, or,
 * when its size and modification time are those that the last run left, by the first call that needs its lines.
 *
 * **Failures**: `Mismatch` for a folder in FILE's place, a line that is not a chunk (nothing is changed then) and another
 * embedding space; `Rejected` without permission; `Unavailable` for a full disk and while another run has FILE open. The lock
 * is the operating system's and ends with its process.
 *
 * @since 0.1.0
 * @category constructors
 */
export function make(
  options: Options & { readonly mode: "append" }
): Effect.Effect<ChunkSink.ChunkSink.Appending, never, FileSystem | Path | Scope>
export function make(
  options: Options & { readonly mode?: "replace" | undefined }
): Effect.Effect<ChunkSink.ChunkSink.Removing, never, FileSystem | Path | Scope>
export function make(options: Options): Effect.Effect<ChunkSink.ChunkSink.Service, never, FileSystem | Path | Scope>
export function make(options: Options): Effect.Effect<ChunkSink.ChunkSink.Service, never, FileSystem | Path | Scope> {
  return Effect.gen(function* () {
    const fs = yield* FileSystem
    const files = filesOf(fs, yield* Path, yield* locate(options.file))
    const { sink: id } = files
    const failed = sinkError(id, `cannot write ${files.file}`)
    const appends = options.mode === "append"

    return yield* ChunkSink.make({
      id,
      name: "jsonl",
      inspect: inspect(files),
      open: ({ decide }) => open(files, decide, appends),
      write: ({ file }, batch) => Effect.flatMap(file, (lines) => Effect.mapError(lines.write(batch), failed)),
      ...(!appends && {
        remove: ({ file }: Opened, ids: ReadonlyArray<ChunkId>) =>
          Effect.flatMap(file, (lines) => Effect.mapError(lines.remove(ids), failed)),
        replaceAll: ({ file }: Opened, documents: ReadonlyArray<ChunkSink.DocumentChunks>) =>
          Effect.flatMap(file, (lines) => Effect.mapError(lines.replace(documents), failed))
      }),
      read: () => Effect.map(JsonlFile.look(files, true), readOnly),
      list: ({ lines }) =>
        Stream.unwrap(
          Effect.map(lines, ({ index }) =>
            Stream.map(Stream.fromIterable(index.places()), ({ documentId, id }) => ({ documentId, id }))
          )
        ),
      contents: ({ lines }) => Stream.unwrap(Effect.map(lines, (lined) => JsonlFile.read(files, lined))),
      finish: ({ loaded }) => (appends ? Effect.void : Effect.mapError(loaded()?.compact ?? Effect.void, failed)),
      clear: clear(files)
    })
  })
}

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<ChunkSink.ChunkSink, never, FileSystem | Path> =>
  ChunkSink.layer(make(options))

const filesOf = (fs: FileSystem, path: Path, file: string): Rewrite.Files => ({
  fs,
  sink: `jsonl:${file}`,
  folder: path.dirname(file),
  file,
  stamp: `${file}.docsluice.json`,
  journal: `${file}.docsluice.journal`,
  rewritten: `${file}.docsluice.new`,
  lock: `${file}.docsluice.lock`
})

const inspect = (files: Rewrite.Files): Effect.Effect<ChunkSink.Found, ChunkSink.SinkError> =>
  Effect.gen(function* () {
    const failed = sinkError(files.sink, `cannot open ${files.file}`)
    const info = yield* Effect.mapError(statIfThere(files.fs, files.file), failed)
    if (info === null) return { _tag: "Absent" }
    if (info.type !== "File") return { _tag: "Foreign", problem: `${files.file} is not a file` }
    const stamp = yield* JsonlStamp.read(files)
    const settled = stamp !== null && (yield* Effect.mapError(JsonlStamp.isSettled(files, stamp), failed))
    if (settled) return { _tag: "Stamped", stamp: stamp.text, empty: Number(info.size) === 0, changed: false }
    const { chunks, foreign } = yield* JsonlFile.peek(files, stamp !== null, stamp === null ? 100 : 1)
    if (stamp !== null)
      return { _tag: "Stamped", stamp: stamp.text, empty: chunks.length === 0 && foreign === null, changed: true }
    return foreign === null
      ? { _tag: "Unstamped", chunks }
      : { _tag: "Foreign", problem: JsonlFile.foreignLine(files, foreign) }
  })

interface Opened {
  readonly lines: Effect.Effect<JsonlFile.Lined, ChunkSink.SinkError>
  /** Opens the file; it is read on the first call when nothing has to be repaired. */
  readonly file: Effect.Effect<JsonlFile.JsonlFile, ChunkSink.SinkError>
  /** Null until `file` is first used. */
  readonly loaded: () => JsonlFile.JsonlFile | null
}

/** Only a prepared sink writes, and that has the file open. */
const readOnly = (lines: JsonlFile.Lined): Opened => ({
  lines: Effect.succeed(lines),
  file: Effect.dieMessage("it was opened to be read only"),
  loaded: () => null
})

const open = Effect.fnUntraced(function* (
  files: Rewrite.Files,
  decide: ChunkSink.Opening["decide"],
  appends: boolean
): Effect.fn.Return<Opened, ChunkSink.SinkError, Scope> {
  const { fs, sink } = files
  const failed = sinkError(sink, `cannot open ${files.file}`)
  const scope = yield* Effect.scope
  yield* Effect.mapError(fs.makeDirectory(files.folder, { recursive: true }), failed)
  yield* Lock.acquire(sink, files.lock)
  const found = yield* inspect(files)
  const plan = yield* decide(found)
  yield* Effect.mapError(removeIfThere(fs, temporary(files.stamp)), failed)
  if (found._tag === "Absent") yield* Effect.mapError(create(files), failed)
  let loaded: JsonlFile.JsonlFile | null = null
  const load = JsonlFile.open(files, found._tag !== "Unstamped").pipe(
    extend(scope),
    Effect.tap((file) => {
      loaded = file
    })
  )
  const settled = found._tag === "Stamped" && !found.changed
  if (!settled) yield* load
  if (!settled || plan.action !== "open") {
    const before = settled ? ((yield* JsonlStamp.read(files))?.settled ?? null) : null
    yield* Effect.mapError(
      JsonlStamp.write(files, { text: plan.stamp, settled: before }),
      sinkError(sink, `cannot write ${files.stamp}`)
    )
  }
  yield* Effect.addFinalizer(() =>
    loaded === null || appends ? Effect.void : Effect.ignoreLogged(JsonlStamp.settle(files, plan.stamp))
  )
  const file = Effect.suspend(() => (loaded === null ? load : Effect.succeed(loaded)))
  return {
    file,
    lines: Effect.map(file, ({ index }) => ({ index, file: files.file })),
    loaded: () => loaded
  }
})

const create = Effect.fnUntraced(function* ({ file, folder, fs, journal, rewritten, stamp }: Rewrite.Files) {
  for (const path of [journal, rewritten, stamp]) yield* removeIfThere(fs, path)
  yield* writeDurably(fs, file, new Uint8Array(0))
  yield* syncFolder(fs, folder)
})

/** Deletes the file first: without it, the files next to it are ignored. */
const clear = (files: Rewrite.Files): Effect.Effect<void, ChunkSink.SinkError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { file, folder, fs, journal, lock, rewritten, sink, stamp } = files
      const failed = sinkError(sink, `cannot remove ${file}`)
      yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), failed)
      yield* Lock.acquire(sink, lock)
      for (const path of [file, stamp, journal, rewritten]) yield* Effect.mapError(removeIfThere(fs, path), failed)
      yield* syncFolder(fs, folder)
    })
  )
