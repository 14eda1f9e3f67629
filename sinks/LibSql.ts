/**
 * Chunks in a database file: vectors, full text and metadata, with no server.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Filter from "docsluice/Filter"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as LibSqlChunks from "./internal/libsql/Chunks.ts"
import * as LibSqlDatabase from "./internal/libsql/Database.ts"
import * as LibSqlSchema from "./internal/libsql/Schema.ts"
import * as LibSqlSearch from "./internal/libsql/Search.ts"
import { sinkError } from "./internal/shared/Durable.ts"
import { locate } from "./internal/shared/Location.ts"
import * as Tenant from "./internal/shared/Tenant.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * The database file. It and its folders are created when missing, with mode 0600 (owner only) for the file. A relative path
   * starts at the working directory. While it is open, `FILE-wal` and `FILE-shm` are next to it, with its mode.
   */
  readonly file: string
  /**
   * Name of the tenant in a database that several share: every row carries it, each tenant has its own stamp and vectors of its own
   * embedder, and nothing but its rows is read, written, searched or removed. At most 64 letters without accents, digits, `_`, `.`, `-`.
   * How rare a word is in the ranking counts over all tenants. Default: the database has no tenants, or queries choose one.
   */
  readonly tenant?: string | undefined
}

/**
 * Options of {@link makeRemote}.
 *
 * @since 0.1.0
 * @category models
 */
export interface RemoteOptions {
  /** `libsql://HOST`, `https://HOST` or, without encryption, `http://HOST:PORT`; without credentials or parameters. */
  readonly url: string
  /** Token of the database; never part of an error. Default: none is sent. */
  readonly authToken?: Redacted.Redacted | undefined
  /** As {@link Options}' `tenant`. */
  readonly tenant?: string | undefined
}

/** Brings the full-text index up to date: that of the store, or for a reader of a file one of this connection. */
const indexed = ({ db, reads }: LibSqlSearch.Store) => {
  if (!reads) return LibSqlChunks.index(db)
  return db.remote ? Effect.void : LibSqlChunks.indexAside(db)
}

type Db = Effect.Effect<LibSqlDatabase.Database, ChunkSink.SinkError, Scope>

/** A database, wherever it is. */
interface Access {
  /** Opens it to be read. */
  readonly read: (place: LibSqlDatabase.Place) => Db
  /** Opens it to be written to, once `prepare` has decided on it. */
  readonly open: (
    place: LibSqlDatabase.Place,
    prepare: (db: LibSqlDatabase.Database) => Effect.Effect<void, ChunkSink.SinkError>
  ) => Db
  /** Tells if there is one. */
  readonly there: Effect.Effect<boolean, ChunkSink.SinkError>
  /** A text that stays the same only while nobody changes it; null where that cannot be told. */
  readonly state: Effect.Effect<string | null>
}

/** The sink of a place in a database, or of a tenant's part of it. */
const at = (place: LibSqlDatabase.Place, database: Access, tenant: string | null) => {
  const { sink: id } = place
  const read = database.read(place)
  const ifThere = <A>(work: Effect.Effect<A, ChunkSink.SinkError, Scope>, otherwise: A) =>
    Effect.scoped(Effect.flatMap(database.there, (isThere) => (isThere ? work : Effect.succeed(otherwise))))
  const checked = <A>(work: Effect.Effect<A, ChunkSink.SinkError, Scope>) =>
    Effect.zipRight(Tenant.check(id, tenant), work)
  const inspected = ifThere<ChunkSink.Found>(checked(Effect.flatMap(read, (db) => LibSqlSchema.inspect(db, tenant))), {
    _tag: "Absent"
  })
  let known: { readonly state: string; readonly found: ChunkSink.Found } | null = null
  return {
    id,
    name: "libsql",
    filter: Filter.operators,
    terms: true,
    vectors: "float32",
    ...(tenant !== null && { tenant }),
    inspect: Effect.flatMap(database.state, (state) =>
      known !== null && known.state === state
        ? Effect.succeed(known.found)
        : Effect.tap(inspected, (found) =>
            Effect.sync(() => {
              known = state === null ? null : { state, found }
            })
          )
    ),
    open: (opening) =>
      Effect.map(checked(database.open(place, LibSqlSchema.prepare(opening, tenant))), (db): LibSqlSearch.Store => ({
        db,
        tenant,
        space: opening.space,
        reads: false
      })),
    read: ({ space }) => Effect.map(read, (db): LibSqlSearch.Store => ({ db, tenant, space, reads: true })),
    write: LibSqlChunks.write,
    remove: LibSqlChunks.remove,
    replaceAll: LibSqlChunks.replaceAll,
    list: LibSqlChunks.list,
    contents: LibSqlSearch.contents,
    count: LibSqlChunks.count,
    search: (store, query) => Effect.zipRight(indexed(store), LibSqlSearch.search(store, query)),
    frequencies: (store, groups) => Effect.zipRight(indexed(store), LibSqlSearch.frequencies(store, groups)),
    range: LibSqlSearch.range,
    finish: ({ db }) => LibSqlChunks.index(db),
    clear: ifThere(Effect.asVoid(database.open(place, (db) => LibSqlSchema.clear(db, tenant))), undefined)
  } satisfies ChunkSink.Definition<LibSqlSearch.Store, Scope>
}

/** The sink of a database with its generations, or of a tenant's part of it. */
const over = (
  whole: LibSqlDatabase.Place,
  database: Access,
  tenant: string | null
): Effect.Effect<ChunkSink.ChunkSink.Removing, never, Scope> => {
  const sink = tenant === null ? whole.sink : `${whole.sink}?tenant=${tenant}`
  return ChunkSink.make({
    ...at({ ...whole, sink }, database, tenant),
    ...(tenant === null && { ofTenant: (name: string) => over(whole, database, name) }),
    beside: ({ id, suffix }: ChunkSink.Place) => at({ ...whole, sink: id, suffix }, database, tenant)
  })
}

/**
 * A sink that keeps chunks in a SQLite database (by `libsql`), one row each.
 *
 * **Tables.** `chunks` has a column for each member of a chunk: lists, headings and metadata as JSON, the vector as 32-bit
 * floats, `embed_text` null where it equals `text`. U+0000 and halves of surrogate pairs, which SQLite cannot hold, are
 * written as U+FDD0 and four hexadecimal digits. `chunks_fts` is the full-text index, of the terms of `Terms`; `docsluice` the stamp. Tables of
 * these names that the sink did not make are refused and never changed.
 *
 * **Durability.** Each call is one transaction, on the disk when it returns; a killed process leaves what was acknowledged
 * and nothing else. `finish` brings the full-text index up to date. Searching a file that was not opened for writing does not
 * change it: rows that the index lacks are indexed in memory.
 *
 * **Search.** Text search is BM25 over the terms of text, headings and source (see `Terms`: words inside sentences without blanks,
 * inflected forms, diacritics folded); a query is words, never syntax, and any of them may match. With a vector, the ranking of an
 * exact comparison with all vectors is added, joined with the others by their scores, weighted by
 * `vectorWeight`.
 * Hits come without their vectors. Filters (see `Filter`) have every operator, and work on stores of earlier versions too.
 *
 * **Stores of an earlier version** are searched as before. An index of terms goes on with the version that it was made with. One of texts,
 * of the first version, is emptied by the next ingest when it opens the file, and `finish` builds the new one from the stored texts, in
 * steps; what a kill leaves, the next search finds all the same and the next ingest completes.
 *
 * **Closing.** The log is in the file, and nothing is locked, when the scope closes; the driver closes its descriptors of the file when
 * the garbage collector frees the last statement, some time later.
 *
 * **Two processes** may write to one file: SQLite locks it for each call, and a call that waits for more than a second
 * fails as `Unavailable`.
 *
 * **Failures**: `Mismatch` for a file that is not a database, tables that the sink did not make and another embedding space;
 * `Rejected` without permission and for a vector of another length; `Unavailable` for a full disk and a locked database.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, never, FileSystem | Path | Scope> {
  const fs = yield* FileSystem
  const path = yield* Path
  const file = yield* locate(options.file)
  const id = `libsql:${file}`
  const folderMade = Effect.mapError(
    fs.makeDirectory(path.dirname(file), { recursive: true }),
    sinkError(id, `cannot make ${path.dirname(file)}`)
  )
  const access: Access = {
    there: Effect.mapError(fs.exists(file), sinkError(id, `cannot read ${file}`)),
    state: LibSqlDatabase.stateOf(file),
    read: LibSqlDatabase.openToRead,
    open: (place, prepare) => Effect.zipRight(folderMade, LibSqlDatabase.open(place, prepare))
  }
  return yield* over({ sink: id, address: file, suffix: "" }, access, options.tenant ?? null)
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
 * The sink of `make` on a server of libSQL, such as Turso's or `sqld`, over HTTP.
 *
 * **It has not been tried on Turso or on `sqld` yet**, only with a double of their protocol (Hrana 3 over HTTP). Tables, search and
 * stamp are those of a file. Each call is one transaction of the server, as durable as the server's. The driver blocks the event loop
 * until the server has answered: it suits ingestion and small services, not one that answers many requests at a time. It uses no proxy.
 *
 * **Search** has the terms, filters, highlights and neighbours of a file. In a database that was not opened for writing it finds by
 * words only what the last `finish` indexed. It makes no tables of its connection, which a server may forbid.
 *
 * **Failures** as for a file, and `Unavailable` while the server cannot be reached; `Rejected` for a token that it does not accept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRemote = Effect.fnUntraced(function* (
  options: RemoteOptions
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, ChunkSink.SinkError, Scope> {
  const url = URL.canParse(options.url) ? new URL(options.url) : null
  const bare = url !== null && url.username + url.password + url.search + url.hash === ""
  if (url === null || !bare || !/^(?:libsql|https?):$/u.test(url.protocol)) {
    return yield* new ChunkSink.SinkError({
      sink: "libsql",
      reason: "Rejected",
      problem: "the address must be libsql://HOST, https://HOST or http://HOST:PORT, without credentials or parameters"
    })
  }
  const address = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/u, "")}`
  const id = `libsql:${address}`
  const token = options.authToken ?? Redacted.make("")
  const access: Access = {
    there: Effect.succeed(true),
    state: Effect.succeed(null),
    read: (place) => LibSqlDatabase.openRemote(place, token),
    open: (place, prepare) => Effect.tap(LibSqlDatabase.openRemote(place, token), prepare)
  }
  return yield* over({ sink: id, address, suffix: "" }, access, options.tenant ?? null)
})

/**
 * Provides the sink of `makeRemote`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerRemote = (options: RemoteOptions): Layer.Layer<ChunkSink.ChunkSink, ChunkSink.SinkError> =>
  ChunkSink.layer(makeRemote(options))

/**
 * {@link layerRemote} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerRemoteConfig = (
  options: Config.Config.Wrap<RemoteOptions>
): Layer.Layer<ChunkSink.ChunkSink, ChunkSink.SinkError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerRemote))
