/**
 * Chunks in a LanceDB table: vectors, full text and metadata in a folder, with no server.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import type * as Lance from "@lancedb/lancedb"
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as LanceRows from "./internal/lance/Rows.ts"
import * as LanceSearch from "./internal/lance/Search.ts"
import { attempt, locations } from "./internal/lance/Table.ts"
import { privateFolder, sinkError } from "./internal/shared/Durable.ts"
import * as OptionalPackage from "./internal/shared/OptionalPackage.ts"
import { storeId } from "./internal/shared/Stamp.ts"
import * as Stamped from "./internal/shared/Stamped.ts"
import * as Vector from "./internal/shared/Vector.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The database's folder; made when it is not there. A relative path begins at the working directory. */
  readonly directory: string
  /** Letters, digits, `_`, `-` and `.`; default `chunks`. It lies in `DIRECTORY/TABLE.lance`. */
  readonly table?: string | undefined
  /**
   * `true`: the sink has `replace`, and the documents of a batch are one commit, which takes 50 ms and, in a table of 100,000
   * rows, most of a second. Default false: documents are written in batches, and what is no longer theirs is removed after that, so
   * that for a moment a reader may find two generations of one.
   */
  readonly atomicReplace?: boolean | undefined
  /** How long versions of the table are kept that are not the newest one, for those who read them; default 1 hour. */
  readonly keepVersions?: Duration.DurationInput | undefined
}

const defaults = { table: "chunks", keepVersions: "1 hour" } as const

interface Store {
  readonly lance: typeof Lance
  readonly arrow: LanceRows.ArrowPackage
  readonly connection: Lance.Connection
  readonly table: Lance.Table
  readonly schema: ReturnType<typeof LanceRows.schema>
  readonly space: ChunkSink.EmbeddingSpace | null
  changed: boolean
}

/**
 * A sink that keeps chunks in a LanceDB table, one row each. It needs the packages `@lancedb/lancedb` and `apache-arrow`,
 * which are loaded by `prepare`.
 *
 * **Columns.** `id`, `document_id`, `source`, `chunk_index`, `text`, `headings` (one a line), `tags` (each metadata member as
 * `key=value`, a list as one tag an item, `%` and `=` of a key percent-encoded), `vector` (32-bit floats; absent when the chunks carry none),
 * and `chunk`: every other member as JSON, from which a chunk is read back exactly. Store id and embedding space are kept
 * in the table's schema.
 *
 * **Durability.** Each call is one commit of LanceDB, `replace` too where it is asked for.
 * A killed process leaves what was acknowledged and maybe files that no version names, which go with the next `finish`: it
 * compacts the table, builds the full-text index or brings it up to date, and deletes versions that are older than
 * `keepVersions`.
 *
 * **Search.** Text by BM25 over text and headings. With a vector, its nearest neighbours join in, fused by reciprocal
 * rank; vectors of `Embedder.hash` count half. A filter compares as text, and finds a list by any of its items. Hits come
 * without their vectors.
 *
 * **Failures**: `Unsupported` without the packages; `Mismatch` for a table of somebody else and another embedding space;
 * `Rejected` without permission and for a vector of another length, which LanceDB itself would take.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Service, never, FileSystem | Path | Scope.Scope> {
  const fs = yield* FileSystem
  const path = yield* Path
  const name = options.table ?? defaults.table
  const place = yield* locations(fs, path, options.directory, name)
  const id = `lancedb:${place.directory}/${name}`
  let current: Store | null = null

  const opened = Effect.suspend(() =>
    current === null
      ? new ChunkSink.SinkError({ sink: id, reason: "Rejected", problem: "it was not prepared" })
      : Effect.succeed(current)
  )
  const close = Effect.sync(() => {
    current?.table.close()
    current?.connection.close()
    current = null
  })
  const finish = Effect.suspend(() =>
    current === null || !current.changed
      ? Effect.void
      : // Another process that does the same is in the way for a moment only.
        Effect.retry(optimize(id, current, options.keepVersions), {
          times: 3,
          while: ({ reason }) => reason === "Unavailable"
        })
  )
  yield* Effect.addFinalizer(() =>
    Effect.ensuring(
      Effect.catchAll(finish, (error) => Effect.logError(`${error.message}; the next run that opens it tries again`)),
      close
    )
  )
  const connect = Effect.gen(function* () {
    const engine = yield* engineOf(id)
    yield* Effect.mapError(
      fs.makeDirectory(place.directory, { recursive: true, mode: privateFolder }),
      sinkError(id, `cannot make ${place.directory}`)
    )
    const connection = yield* attempt(id, "cannot open the folder", () => engine.lance.connect(place.directory))
    return { ...engine, connection }
  })
  const there = Effect.mapError(fs.exists(place.table), sinkError(id, `cannot read ${place.table}`))
  const replaceAll = (documents: ReadonlyArray<ChunkSink.DocumentChunks>) =>
    Effect.flatMap(opened, (store) => {
      const where = `document_id IN (${documents.map(({ documentId }) => LanceSearch.quoted(documentId)).join(", ")})`
      const chunks = documents.flatMap((one) => one.chunks)
      return chunks.length === 0
        ? change(id, store, "cannot remove documents", () => store.table.delete(where))
        : write(id, store, chunks, where)
    })

  return yield* ChunkSink.make({
    id,
    name: "lancedb",
    stamp: true,
    filter: true,
    limits: { maxCount: 4096, maxBytes: 32 * 1024 * 1024 },
    prepare: (space) =>
      Effect.gen(function* () {
        yield* finish
        yield* close
        const connected = yield* connect
        const { store, stamp } = yield* open(id, name, connected, yield* there, space).pipe(
          Effect.onError(() => Effect.sync(() => connected.connection.close()))
        )
        current = store
        return stamp
      }).pipe(Effect.uninterruptible),
    write: (batch) => Effect.flatMap(opened, (store) => write(id, store, batch)),
    remove: (ids) =>
      Effect.flatMap(opened, (store) =>
        change(id, store, "cannot remove chunks", () =>
          store.table.delete(`id IN (${ids.map(LanceSearch.quoted).join(", ")})`)
        )
      ),
    ...(options.atomicReplace === true && {
      replace: (documentId, chunks) => replaceAll([{ documentId, chunks }]),
      replaceAll
    }),
    list: Stream.unwrap(Effect.map(opened, ({ table }) => LanceSearch.list(id, table))),
    search: (query) =>
      Effect.flatMap(opened, ({ table, space }) =>
        Effect.zipRight(Vector.checkQuery(id, space, query.vector), LanceSearch.search(id, table, space, query))
      ),
    finish,
    clear: Effect.gen(function* () {
      yield* close
      if (!(yield* there)) return
      const { connection } = yield* connect
      yield* attempt(id, "cannot drop the table", () => connection.dropTable(name))
      connection.close()
    }).pipe(Effect.uninterruptible)
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
 * What is stamped into the table; null when there is no table. Makes nothing. `Mismatch` for a table of somebody else.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stamp = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.StoreStamp | null, ChunkSink.SinkError, FileSystem | Path> {
  const fs = yield* FileSystem
  const name = options.table ?? defaults.table
  const place = yield* locations(fs, yield* Path, options.directory, name)
  const id = `lancedb:${place.directory}/${name}`
  if (!(yield* Effect.mapError(fs.exists(place.table), sinkError(id, `cannot read ${place.table}`)))) return null
  const { lance } = yield* engineOf(id)
  const connection = yield* attempt(id, "cannot open the folder", () => lance.connect(place.directory))
  const { stamped } = yield* Effect.ensuring(
    read(id, name, connection),
    Effect.sync(() => connection.close())
  )
  return stamped
})

/**
 * The embedding space that is stamped into the table, so that a search can embed its query alike; null when the chunks have
 * no vectors, and when there is no table. Makes nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stampedSpace = (
  options: Options
): Effect.Effect<ChunkSink.EmbeddingSpace | null, ChunkSink.SinkError, FileSystem | Path> =>
  Effect.map(stamp(options), (found) => found?.space ?? null)

const packages = ["@lancedb/lancedb@0.37.1", "apache-arrow@18.1.0"]

const engineOf = (id: string) =>
  Effect.all({
    lance: OptionalPackage.load(id, packages, () => import("@lancedb/lancedb")),
    arrow: OptionalPackage.load(id, packages, () => import("apache-arrow"))
  })

const read = Effect.fnUntraced(function* (id: string, name: string, connection: Lance.Connection) {
  const table = yield* attempt(id, "cannot open the table", () => connection.openTable(name))
  const { metadata } = yield* attempt(id, "cannot read the table", () => table.schema())
  return { table, stamped: yield* Stamped.decode(id, "table", metadata.get(LanceRows.stampKey)) }
})

const open = Effect.fnUntraced(function* (
  id: string,
  name: string,
  engine: Pick<Store, "lance" | "arrow" | "connection">,
  there: boolean,
  space: ChunkSink.EmbeddingSpace | null
) {
  const { arrow, connection } = engine
  const schemaOf = (storeId: string) => LanceRows.schema(arrow, space?.dimensions ?? 0, Stamped.encode(storeId, space))
  const create = Effect.fnUntraced(function* (storeId: string, mode: "create" | "overwrite") {
    const schema = schemaOf(storeId)
    const table = yield* attempt(id, "cannot make the table", () => connection.createEmptyTable(name, schema, { mode }))
    return { store: { ...engine, table, schema, space, changed: false }, stamp: storeId }
  })
  if (!there) return yield* create(yield* storeId, "create")
  const { stamped, table } = yield* read(id, name, connection)
  const empty = (yield* attempt(id, "cannot read the table", () => table.countRows())) === 0
  yield* ChunkSink.checkSpace({ sink: id, stamped: stamped.space, asked: space, empty })
  if (empty && !Stamped.sameSpace(stamped.space, space)) return yield* create(stamped.storeId, "overwrite")
  const schema = schemaOf(stamped.storeId)
  return { store: { ...engine, table, schema, space, changed: false }, stamp: stamped.storeId }
})

/** One commit: rows of the same id are updated, others added, and those of `instead` that are not among the chunks go. */
const write = (
  id: string,
  store: Store,
  chunks: ReadonlyArray<DocumentChunk>,
  instead?: string
): Effect.Effect<void, ChunkSink.SinkError> =>
  Effect.zipRight(
    Vector.check(id, store.space, chunks),
    change(id, store, "cannot write", () => {
      // A row that is twice in one merge may be stored twice.
      const last = [...new Map(chunks.map((chunk) => [chunk.id, chunk])).values()]
      const rows = LanceRows.table(store.arrow, store.schema, store.space?.dimensions ?? 0, last)
      const merge = store.table.mergeInsert("id").whenMatchedUpdateAll().whenNotMatchedInsertAll()
      return (instead === undefined ? merge : merge.whenNotMatchedBySourceDelete({ where: instead })).execute(rows)
    })
  )

const change = (id: string, store: Store, doing: string, call: () => Promise<unknown>) =>
  Effect.suspend(() => {
    store.changed = true
    return Effect.asVoid(attempt(id, doing, call))
  })

const optimize = Effect.fnUntraced(function* (id: string, store: Store, keep: Options["keepVersions"]) {
  const { lance, table } = store
  // A handle reads the version that it knows.
  yield* attempt(id, "cannot read the table", () => table.checkoutLatest())
  if ((yield* attempt(id, "cannot read the table", () => table.countRows())) > 0) {
    const indices = yield* attempt(id, "cannot read the table", () => table.listIndices())
    for (const column of LanceSearch.textColumns) {
      if (indices.some(({ columns }) => columns.includes(column))) continue
      yield* attempt(id, "cannot index the text", () =>
        table.createIndex(column, { config: lance.Index.fts({ stem: false, removeStopWords: false }) })
      )
    }
  }
  // The indices above made versions too.
  const now = yield* Clock.currentTimeMillis
  const cleanupOlderThan = new Date(now - Duration.toMillis(keep ?? defaults.keepVersions))
  yield* attempt(id, "cannot compact the table", () => table.optimize({ cleanupOlderThan }))
  store.changed = false
})
