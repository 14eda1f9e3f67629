/**
 * Chunks in a database file: vectors, full text and metadata, with no server.
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
import * as LibSqlChunks from "./internal/libsql/Chunks.ts"
import * as LibSqlDatabase from "./internal/libsql/Database.ts"
import * as LibSqlSchema from "./internal/libsql/Schema.ts"
import * as LibSqlSearch from "./internal/libsql/Search.ts"
import { sinkError } from "./internal/shared/Durable.ts"
import * as Vector from "./internal/shared/Vector.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * The database file; made with its folders when it is not there, its owner's alone (mode 0600). A relative path begins at the
   * working directory. While it is open, `FILE-wal` and `FILE-shm` lie beside it, with its mode.
   */
  readonly file: string
}

interface Store {
  readonly db: LibSqlDatabase.Database
  readonly space: ChunkSink.EmbeddingSpace | null
  readonly scope: Scope.CloseableScope
}

/**
 * A sink that keeps chunks in a SQLite database (by `libsql`), one row each.
 *
 * **Tables.** `chunks` has a column for each member of a chunk: lists, headings and metadata as JSON, the vector as 32-bit
 * floats, `embed_text` null where it equals `text`. U+0000 and halves of surrogate pairs, which SQLite cannot hold, are
 * written as U+FDD0 and four hexadecimal digits. `chunks_fts` is the full-text index, `docsluice` the store id and the
 * embedding space.
 *
 * **Durability.** Each call is one transaction, on the disk when it returns; a killed process leaves what was acknowledged
 * and nothing else. The full-text index is brought up to date by `finish`, or by the first search after a kill.
 *
 * **Search.** Text by BM25 over text, headings and source, diacritics folded; a query is words, never syntax, and any of
 * them may match. With a vector, an exact comparison of all vectors joins in, fused by reciprocal rank; vectors of
 * `Embedder.hash` count half. Hits come without their vectors. A filter compares as text, and finds a list by any of its
 * items.
 *
 * **Two processes** may write to one file: SQLite locks it for each call, and a call that waits for more than a second
 * fails as `Unavailable`.
 *
 * **Failures**: `Mismatch` for a file that is no database, tables of somebody else's and another embedding space; `Rejected`
 * without permission and for a vector of another length; `Unavailable` for a full disk and a locked database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Service, never, FileSystem | Path | Scope.Scope> {
  const fs = yield* FileSystem
  const { file, folder } = yield* locate(options.file)
  const id = `libsql:${file}`
  const folderMade = Effect.mapError(
    fs.makeDirectory(folder, { recursive: true }),
    sinkError(id, `cannot make ${folder}`)
  )
  let current: Store | null = null

  const opened = Effect.suspend(() =>
    current === null
      ? new ChunkSink.SinkError({ sink: id, reason: "Rejected", problem: "it was not prepared" })
      : Effect.succeed(current)
  )
  const close = Effect.suspend(() => {
    const scope = current?.scope
    current = null
    return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
  })
  yield* Effect.addFinalizer(() => close)
  const replaceAll = (documents: ReadonlyArray<ChunkSink.DocumentChunks>) =>
    Effect.flatMap(opened, ({ db, space }) =>
      Effect.zipRight(
        Effect.forEach(documents, ({ chunks }) => Vector.check(id, space, chunks), { discard: true }),
        LibSqlChunks.replace(id, db, documents)
      )
    )

  return yield* ChunkSink.make({
    id,
    name: "libsql",
    stamp: true,
    filter: true,
    prepare: (space) =>
      Effect.gen(function* () {
        yield* close
        yield* folderMade
        const scope = yield* Scope.make()
        const [db, stamp] = yield* LibSqlDatabase.open(id, file).pipe(
          Scope.extend(scope),
          Effect.flatMap((db) => Effect.map(LibSqlSchema.prepare(id, db, space), (stamp) => [db, stamp] as const)),
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        current = { db, space, scope }
        return stamp
      }).pipe(Effect.uninterruptible),
    write: (batch) =>
      Effect.flatMap(opened, ({ db, space }) =>
        Effect.zipRight(Vector.check(id, space, batch), LibSqlChunks.write(id, db, batch))
      ),
    remove: (ids) => Effect.flatMap(opened, ({ db }) => LibSqlChunks.remove(id, db, ids)),
    replace: (documentId, chunks) => replaceAll([{ documentId, chunks }]),
    replaceAll,
    list: Stream.unwrap(Effect.map(opened, ({ db }) => LibSqlChunks.list(id, db))),
    search: (query) =>
      Effect.flatMap(opened, ({ db, space }) =>
        Vector.checkQuery(id, space, query.vector).pipe(
          Effect.zipRight(LibSqlChunks.index(id, db)),
          Effect.zipRight(LibSqlSearch.search(id, db, space, query))
        )
      ),
    finish: Effect.suspend(() => (current === null ? Effect.void : LibSqlChunks.index(id, current.db))),
    clear: Effect.scoped(
      close.pipe(
        Effect.zipRight(folderMade),
        Effect.zipRight(LibSqlDatabase.open(id, file)),
        Effect.flatMap((db) => LibSqlSchema.clear(id, db))
      )
    ).pipe(Effect.uninterruptible)
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

/**
 * What is stamped into the file; null when there is no store. Makes nothing. `Mismatch` for what is not one of ours.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stamp = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.StoreStamp | null, ChunkSink.SinkError, FileSystem | Path> {
  const fs = yield* FileSystem
  const { file } = yield* locate(options.file)
  const id = `libsql:${file}`
  if (!(yield* Effect.mapError(fs.exists(file), sinkError(id, `cannot read ${file}`)))) return null
  return yield* Effect.scoped(Effect.flatMap(LibSqlDatabase.open(id, file), (db) => LibSqlSchema.read(id, db)))
})

/**
 * The embedding space that is stamped into the file, so that a search can embed its query alike; null when the chunks have
 * no vectors, and when there is no store. Makes nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stampedSpace = (
  options: Options
): Effect.Effect<ChunkSink.EmbeddingSpace | null, ChunkSink.SinkError, FileSystem | Path> =>
  Effect.map(stamp(options), (found) => found?.space ?? null)

/** Links are followed, so that one file has one id. */
const locate = Effect.fnUntraced(function* (given: string) {
  const fs = yield* FileSystem
  const path = yield* Path
  const absolute = path.resolve(given)
  const file = yield* fs.realPath(absolute).pipe(
    Effect.orElse(() =>
      Effect.map(fs.realPath(path.dirname(absolute)), (folder) => path.join(folder, path.basename(absolute)))
    ),
    Effect.orElseSucceed(() => absolute)
  )
  return { file, folder: path.dirname(file) }
})
