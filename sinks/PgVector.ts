/**
 * Chunks in a PostgreSQL table with pgvector.
 *
 * @since 0.1.0
 */
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Filter from "docsluice/Filter"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as PgAddress from "./internal/pg/Address.ts"
import * as PgChunks from "./internal/pg/Chunks.ts"
import type { Place } from "./internal/pg/Columns.ts"
import * as PgIndexes from "./internal/pg/Indexes.ts"
import * as PgPool from "./internal/pg/Pool.ts"
import type * as PgRanking from "./internal/pg/Ranking.ts"
import * as PgSearch from "./internal/pg/Search.ts"
import * as PgTable from "./internal/pg/Table.ts"
import * as PgWordSearch from "./internal/pg/WordSearch.ts"
import * as Int32 from "./internal/shared/Int32.ts"

/**
 * Column names for the members of a chunk.
 *
 * @since 0.1.0
 * @category models
 */
export type Columns = Partial<Readonly<Record<keyof typeof DocumentChunk.fields, string>>>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * `postgres://user:password@host:port/database`, followed by the driver's parameters (`?sslmode=verify-full`;
   * `?host=/var/run/postgresql` for a socket). `?schema=`, `?table=`, `?tenant=`, `?vectorIndex=`, `?vectorType=`, `?metric=`,
   * `?dimensions=`, `?m=`, `?efConstruction=` and `?efSearch=` set the options of these names.
   */
  readonly url: string | Redacted.Redacted
  /** The schema, created when missing; default `public`. */
  readonly schema?: string | undefined
  /** The table, created when missing; default `chunks`. */
  readonly table?: string | undefined
  /**
   * Name of the tenant in a table that several share, each with its own stamp: letters without accents, digits, `_`, `.`, `-`, at
   * most 64. Every row carries it, and nothing but its rows is read, written, searched or removed. All tenants of a table have vectors of
   * one length. Not together with `columns`. Default: the table has no tenants, or queries choose one.
   */
  readonly tenant?: string | undefined
  /**
   * Columns of an existing table of your own. Members that are left out are not stored. `id` (text, unique), `documentId`
   * (text) and `text` are required, and so is `embedding` if chunks have vectors. Numbers need `integer` or `bigint`, lists and
   * metadata `jsonb` or `json`, vectors `vector(n)`. Every row of the table counts as a chunk: `clear` and `sync` delete rows
   * that they do not know.
   */
  readonly columns?: Columns | undefined
  /**
   * `hnsw`: approximate search by an index that `finish` builds; for more than some 100,000 chunks and at most 2,000
   * dimensions (4,000 of `halfvec`). Once built, it slows each write. Default `none`: exact search; an index that is there stays
   * in use.
   */
  readonly vectorIndex?: "none" | "hnsw" | undefined
  /**
   * Settings of the HNSW index: links of a node, 2 to 100 (`m`); candidates while it is built, at most 1000 and at least twice `m`
   * (`efConstruction`); candidates of a search, at most 1000 and at least those that the search needs (`efSearch`). Defaults: the
   * extension's, 16 and 64; an existing index keeps its own, and is built again by `finish` when another value is given.
   */
  readonly hnsw?:
    | {
        readonly m?: number | undefined
        readonly efConstruction?: number | undefined
        readonly efSearch?: number | undefined
      }
    | undefined
  /**
   * Type of the vectors' column: `halfvec` takes half the space at 11 bits of precision, and needs pgvector 0.7. Default: that of the
   * existing column, `vector` for a new one; another type than the existing one's is a `Mismatch` until the store is rebuilt.
   */
  readonly vectorType?: "vector" | "halfvec" | undefined
  /**
   * Metric of searches and of the index; default: the embedding space's. May be changed at any time: `finish` builds the index again.
   */
  readonly metric?: "cosine" | "dot" | "euclidean" | undefined
  /** Length of the vectors that the store takes; others are a `Mismatch`. Default: the embedding space's. */
  readonly dimensions?: number | undefined
  /** Builds an index for the full-text search in `finish`; default true, false with `columns`. */
  readonly textIndex?: boolean | undefined
  /**
   * A text search configuration of the server, for text and queries of a table of your own (`columns`): `german`, `simple`, …;
   * default `english`. The sink's own table is searched by `Terms`, in the language of each text.
   */
  readonly language?: string | undefined
  /** Connections at the same time; default 4. */
  readonly maxConnections?: number | undefined
  /** Time limit of opening a connection; default 10 seconds. */
  readonly connectTimeout?: Duration.DurationInput | undefined
  /** Time limit of each statement other than building an index; default 60 seconds. */
  readonly statementTimeout?: Duration.DurationInput | undefined
}

const defaults = {
  language: "english",
  maxConnections: 4,
  connectTimeout: "10 seconds",
  statementTimeout: "60 seconds"
} as const

/**
 * A sink that keeps chunks in a table of PostgreSQL 13 or later, one row each. Needs the package `pg`, and the extension
 * `vector` if chunks have vectors; it is created when the server has it and the database lacks it, and without vectors too where the
 * user may, since it makes the search by words faster.
 *
 * **Tables.** The sink's own table has a column for each member of a chunk: lists, headings and metadata as `jsonb`, the vector as
 * `vector(n)`, `embed_text` null where it equals `text`. U+0000 and halves of surrogate pairs, which PostgreSQL refuses, are
 * written as U+FDD0 and four hexadecimal digits. `docsluice_stores` in the same schema holds the stamp of each
 * table; the stamp of a table that was dropped, or restored under another object id, is ignored.
 *
 * **Writing.** A batch is one statement, and so is the replacement of documents: all or nothing, as durable as the server's
 * `synchronous_commit` says. Everything is sent in binary. An interrupted statement is cancelled on the server.
 *
 * **Search.** Text search is by BM25 over the terms of text, headings and source (see `Terms`); any word of the query may match, and nothing
 * in it is syntax. The column `terms2`, a `tsvector`, tells which rows hold a word, and `weights2`, a `sparsevec` with a component for
 * each term, has the score as its inner product with the query. How rare a word is comes from the server's statistics of a table that was
 * analyzed, else it is counted. Where pgvector was older than 0.7, or neither there nor to be created, when the table was made, `terms2` has positions that are counted instead, which
 * takes some ten times as long. In a table of your own (`columns`) it is the server's full-text search over text and headings, in `language`. With a vector, the nearest
 * by the space's metric are added, joined with the others by their scores, weighted by
 * `vectorWeight`. Hits come
 * without their vectors. Filters (see `Filter`) have every operator, also on tables of earlier versions and of your own; an index
 * `gin (metadata jsonb_path_ops)` serves `$eq` and `$in`. With an HNSW index, a filter and a tenant are
 * part of the scan, which goes on until it has enough rows (pgvector 0.8; before, all rows that pass are compared); where it ends with
 * fewer, all rows that pass are compared. A field without a column is `Unsupported`.
 *
 * **Tables of an earlier version**, without that column, are searched as before. The next ingest adds it, and `finish` fills it from
 * the stored texts, 200 rows a statement; until then, and after a kill, rows without terms are found as before, after the others.
 *
 * **Indexes** are built by `finish`, after the rows of a first load and when they are missing.
 *
 * **Failures**: `Unavailable` for everything about connections, time-outs and conflicts with other transactions, after which
 * the next call opens a new connection; `Mismatch` for a table, a database, an extension or an embedding space that does not
 * fit; `Rejected` for credentials and permissions; `Unsupported` without the driver. No message holds a credential.
 * `make` itself fails only for an invalid address.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, ChunkSink.SinkError, Scope.Scope> {
  const address = yield* PgAddress.parse(options)
  if (address.tenant !== null && options.columns !== undefined) {
    return yield* new ChunkSink.SinkError({
      sink: address.id,
      reason: "Rejected",
      problem: "`tenant` is for a table of the sink's own; leave out the option `columns`"
    })
  }
  // Closes after the sink's own finalizers, which still use it.
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  return yield* over(address, options, yield* Effect.cached(Scope.extend(connect(address, options), scope)))
})

/** The sink of a table with its generations, or of a tenant's part of it, over connections that its tenants share. */
const over = (
  address: PgAddress.Address,
  options: Options,
  pool: Effect.Effect<PgPool.Pool, ChunkSink.SinkError>
): Effect.Effect<ChunkSink.ChunkSink.Removing, ChunkSink.SinkError, Scope.Scope> => {
  const { settings, tenant } = address
  // A name that the server would cut off is no place of its own.
  const fits = Buffer.byteLength(address.table) <= longestTable
  const isOwn = options.columns === undefined
  return ChunkSink.make({
    ...at(placeOf(address, options), settings, options, pool),
    ...(tenant === null &&
      isOwn && {
        ofTenant: (name: string) => Effect.flatMap(PgAddress.ofTenant(address, name), (one) => over(one, options, pool))
      }),
    ...(isOwn &&
      fits && {
        beside: ({ id: sink, suffix }: ChunkSink.Place) =>
          at({ ...placeOf(address, options), sink, table: `${address.table}${suffix}` }, settings, options, pool)
      })
  })
}

/** Bytes of a table's name that leave room for the suffix of a generation; PostgreSQL cuts a name off after 63. */
const longestTable = 56

/** The sink of one table, or of a tenant's part of it. */
const at = (
  place: Place,
  settings: PgAddress.Address["settings"],
  options: Options,
  pool: Effect.Effect<PgPool.Pool, ChunkSink.SinkError>
) => {
  const { sink: id, tenant } = place
  const language = options.language ?? defaults.language
  const wanted = {
    text: options.textIndex ?? options.columns === undefined,
    vectors: settings,
    language
  }
  const read = <A>(look: (connection: PgPool.Connection) => Effect.Effect<A, ChunkSink.SinkError>) =>
    Effect.flatMap(pool, (connections) => connections.transaction(look, "READ ONLY"))

  const storeOf = (connections: PgPool.Pool, table: PgTable.Table): PgRanking.Store => ({
    pool: connections,
    table,
    language,
    settings
  })

  return {
    id,
    name: "pgvector",
    filter: Filter.operators,
    terms: options.columns === undefined,
    vectors: "float32",
    ...(tenant !== null && { tenant }),
    inspect: Effect.flatMap(
      Effect.flatMap(pool, (connections) => PgTable.isThere(connections, place)),
      (isThere) =>
        isThere
          ? read((connection) => PgTable.inspect(connection, place))
          : Effect.succeed<ChunkSink.Found>({ _tag: "Absent" })
    ),
    open: (opening) =>
      Effect.gen(function* () {
        yield* PgIndexes.check(id, wanted, opening.space)
        const connections = yield* pool
        const table = yield* connections.transaction((connection) => PgTable.prepare(connection, place, opening))
        return storeOf(connections, table)
      }),
    read: ({ space }) =>
      Effect.zipWith(
        pool,
        read((connection) => PgTable.read(connection, place, space)),
        storeOf
      ),
    write: (store, batch) => Effect.zipRight(Int32.check(id, batch), PgChunks.write(store.pool, store.table, batch)),
    remove: (store, ids) => PgChunks.remove(store.pool, store.table, ids),
    replaceAll: (store, documents) =>
      Effect.zipRight(
        Effect.forEach(documents, ({ chunks }) => Int32.check(id, chunks), { discard: true }),
        PgChunks.replace(store.pool, store.table, documents)
      ),
    list: (store) => PgChunks.list(store.pool, store.table),
    ...(options.columns === undefined && {
      contents: PgSearch.contents
    }),
    count: (store) => PgChunks.count(store.pool, store.table),
    search: PgSearch.search,
    range: PgSearch.range,
    ...(wanted.text && options.columns === undefined && { frequencies: PgWordSearch.frequencies }),
    finish: (store) =>
      Effect.zipRight(PgChunks.fill(store.pool, store.table), PgIndexes.build(store.pool, store.table, wanted)),
    clear: Effect.flatMap(pool, (connections) =>
      connections.transaction((connection) => PgTable.clear(connection, place))
    )
  } satisfies ChunkSink.Definition<PgRanking.Store>
}

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<ChunkSink.ChunkSink, ChunkSink.SinkError> =>
  ChunkSink.layer(make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options>
): Layer.Layer<ChunkSink.ChunkSink, ChunkSink.SinkError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))

const placeOf = ({ id, schema, settings, table, tenant }: PgAddress.Address, options: Options): Place => ({
  sink: id,
  schema,
  table,
  mapping: options.columns ?? null,
  tenant,
  vectorType: settings.vectorType
})

const connect = ({ id, url }: PgAddress.Address, options: Options) =>
  PgPool.make(id, {
    url,
    maxConnections: Math.max(1, options.maxConnections ?? defaults.maxConnections),
    connectTimeout: Duration.decode(options.connectTimeout ?? defaults.connectTimeout),
    statementTimeout: Duration.decode(options.statementTimeout ?? defaults.statementTimeout)
  })
