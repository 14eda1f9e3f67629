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
import * as Filter from "docsluice/Filter"
import * as Terms from "docsluice/Terms"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as LanceRows from "./internal/lance/Rows.ts"
import * as LanceSearch from "./internal/lance/Search.ts"
import { attempt, type Opened, reading } from "./internal/lance/Table.ts"
import { privateFolder, sinkError } from "./internal/shared/Durable.ts"
import * as Int32 from "./internal/shared/Int32.ts"
import { locate } from "./internal/shared/Location.ts"
import * as OptionalPackage from "./internal/shared/OptionalPackage.ts"
import * as Tenant from "./internal/shared/Tenant.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The database's folder, created when missing. A relative path starts at the working directory. */
  readonly directory: string
  /** The table, stored in `DIRECTORY/TABLE.lance`: letters, digits, `_`, `-` and `.`; default `chunks`. */
  readonly table?: string | undefined
  /**
   * Name of the tenant in a table that several share: every row carries it, each tenant has its own stamp, and nothing but its rows is
   * read, written, searched or removed. All have vectors of one length, or none has any. At most 64 letters without accents, digits, `_`, `.`, `-`.
   * How rare a word is in the ranking counts over all tenants. Default: the table has no tenants, or queries choose one.
   */
  readonly tenant?: string | undefined
  /**
   * `true`: the sink has `replace`, and the documents of a batch are one commit, which takes 50 ms and, in a table of 100,000
   * rows, most of a second. Default false: documents are written in batches and their old chunks are removed afterwards, so
   * a reader may see two generations of a document for a moment.
   */
  readonly atomicReplace?: boolean | undefined
  /**
   * Number of rows with which `finish` begins to index the vectors (IVF with 8-bit scalar quantization inside HNSW, one partition for
   * each million rows): searches are then approximate and no longer read every vector. Default 50,000; `Infinity`: never.
   */
  readonly vectorIndexFrom?: number | undefined
  /** Time for which older versions of the table are kept for their readers; default 1 hour. */
  readonly keepVersions?: Duration.DurationInput | undefined
}

const defaults = { table: "chunks", vectorIndexFrom: 50_000, keepVersions: "1 hour" } as const

interface Store extends Opened {
  readonly arrow: LanceRows.ArrowPackage
  readonly schema: ReturnType<typeof LanceRows.schema>
}

/**
 * A sink that keeps chunks in a LanceDB table, one row each. It needs the packages `@lancedb/lancedb` and `apache-arrow`,
 * which `prepare` loads.
 *
 * **Columns.** `id`, `document_id`, `source`, `chunk_index`, `text`, `headings` (one per line), `tags` (each metadata member
 * as `key=value`, a list as one tag per item, `%` and `=` of a key percent-encoded), `vector` (32-bit floats; absent when the
 * chunks carry none), `chunk`: every other member as JSON, from which a chunk is read back exactly, and `terms2`: the terms of text,
 * headings and source (see `Terms`). Store id and embedding
 * space are kept in the table's schema.
 *
 * **Durability.** Each call is one commit of LanceDB, and so is `replace` where the sink has it. A killed process leaves
 * everything that was acknowledged, and perhaps files that belong to no version; the next `finish` deletes these. `finish`
 * also compacts the table, builds or updates the full-text index, and that of the vectors in a large table, and deletes versions
 * older than `keepVersions`.
 *
 * **Search.** Text search is BM25 over the terms. With a vector, its nearest neighbours are added, joined with the others by their scores, weighted by
 * `vectorWeight`. Filters (see `Filter`) have every operator, also on tables of earlier
 * versions: they read the JSON of `chunk`, without an index. Hits come without their vectors.
 *
 * **Tables of an earlier version**, without terms, are searched as before. The next ingest adds the column, and `finish` fills it from
 * the stored texts, 1,000 rows a commit; until then, and after a kill, rows without terms are found as before, after the others.
 *
 * **Failures**: `Unsupported` without the packages; `Mismatch` for a table that this sink did not make and for another
 * embedding space; `Rejected` without permission and for a vector of another length, which LanceDB itself would accept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, never, FileSystem | Path | Scope.Scope> {
  const fs = yield* FileSystem
  const path = yield* Path
  const name = options.table ?? defaults.table
  const directory = yield* locate(options.directory)
  const id = `lancedb:${directory}/${name}`
  const folderMade = Effect.mapError(
    fs.makeDirectory(directory, { recursive: true, mode: privateFolder }),
    sinkError(id, `cannot make ${directory}`)
  )
  const isThere = (table: string) => {
    const file = path.join(directory, `${table}.lance`)
    return Effect.mapError(fs.exists(file), sinkError(id, `cannot read ${file}`))
  }
  const placed = (table: string) => ({ id, directory, name: table, folderMade, there: isThere(table) })
  return yield* over(name, placed, options, options.tenant ?? null)
})

/** The sink of a table with its generations, or of a tenant's part of it. */
const over = (
  name: string,
  placed: (table: string) => Omit<Place, "tenant">,
  options: Options,
  tenant: string | null
): Effect.Effect<ChunkSink.ChunkSink.Removing, never, Scope.Scope> => {
  const whole = placed(name)
  return ChunkSink.make({
    ...at({ ...whole, id: tenant === null ? whole.id : `${whole.id}?tenant=${tenant}`, tenant }, options),
    ...(tenant === null && { ofTenant: (one: string) => over(name, placed, options, one) }),
    beside: ({ id, suffix }: ChunkSink.Place) => at({ ...placed(`${name}${suffix}`), id, tenant }, options)
  })
}

/** The sink of one table, or of a tenant's part of it. */
const at = (place: Place, options: Options) => {
  const { folderMade, id, name, tenant, there } = place
  const own = Tenant.condition(tenant)
  const inspected = Effect.zipRight(
    Tenant.check(id, tenant),
    Effect.flatMap(there, (isThere) =>
      isThere
        ? Effect.flatMap(connect(place), ({ connection }) => inspect(place, connection))
        : Effect.succeed<Inspected>({ found: { _tag: "Absent" }, table: null })
    )
  )

  return {
    id,
    name: "lancedb",
    filter: Filter.operators,
    terms: true,
    vectors: "float32",
    limits: { maxCount: 4096, maxBytes: 32 * 1024 * 1024 },
    ...(tenant !== null && { tenant }),
    inspect: Effect.scoped(Effect.map(inspected, ({ found }) => found)),
    open: (opening) =>
      Effect.gen(function* () {
        const { found, table } = yield* inspected
        const plan = yield* opening.decide(found)
        yield* folderMade
        return yield* open(place, opening.space, plan, table)
      }),
    read: ({ space }) =>
      Effect.gen(function* () {
        const { arrow, connection, lance } = yield* connect(place)
        const table = yield* openTable(place, connection)
        return { id, arrow, lance, schema: LanceRows.schema(arrow, space?.dimensions ?? 0, ""), space, table, tenant }
      }),
    write: (store: Store, batch) => write(store, batch),
    remove: ({ table }, ids) =>
      Effect.asVoid(
        attempt(id, "cannot remove chunks", () =>
          table.delete(`id IN (${ids.map(LanceSearch.quoted).join(", ")})${own}`)
        )
      ),
    ...(options.atomicReplace === true && {
      replaceAll: (store: Store, documents: ReadonlyArray<ChunkSink.DocumentChunks>) => {
        const ids = documents.map(({ documentId }) => LanceSearch.quoted(documentId))
        const where = `document_id IN (${ids.join(", ")})${own}`
        const chunks = documents.flatMap((one) => one.chunks)
        return chunks.length === 0
          ? Effect.asVoid(attempt(id, "cannot remove documents", () => store.table.delete(where)))
          : write(store, chunks, where)
      }
    }),
    list: LanceSearch.list,
    count: ({ table }) => rowsIn(place, table),
    range: LanceSearch.range,
    search: LanceSearch.search,
    finish: (store, changed) =>
      // A conflict with another process that does the same maintenance passes quickly.
      Effect.retry(
        Effect.flatMap(filled(store), (some) => (some || changed ? optimize(store, options) : Effect.void)),
        { times: 3, while: ({ reason }) => reason === "Unavailable" }
      ),
    clear: Effect.scoped(
      Effect.gen(function* () {
        if (!(yield* there)) return
        const { connection } = yield* connect(place)
        const left = tenant !== null && (yield* removeTenant(place, connection, tenant))
        if (!left) yield* attempt(id, "cannot drop the table", () => connection.dropTable(name))
      })
    )
  } satisfies ChunkSink.Definition<Store, Scope.Scope>
}

/** Removes a tenant's rows and its stamp; true when the table has rows or stamps of others. */
const removeTenant = Effect.fnUntraced(function* (place: Place, connection: Lance.Connection, tenant: string) {
  const table = yield* openTable(place, connection)
  yield* attempt(place.id, "cannot remove the tenant", async () => {
    await table.delete(Tenant.equals(tenant))
    const metadata = { [LanceRows.stampKeyOf(tenant)]: null }
    await table.updateFieldMetadata([{ path: LanceRows.tenantColumn, metadata }])
  })
  const schema = yield* reading({ id: place.id, table }, (opened) => opened.schema())
  return LanceRows.tenantStamps(schema).size > 0 || (yield* rowsIn({ ...place, tenant: null }, table)) > 0
})

const rowsIn = ({ id, tenant }: Pick<Place, "id" | "tenant">, table: Lance.Table) =>
  attempt(id, "cannot count", () => table.countRows(tenant === null ? undefined : Tenant.equals(tenant)))

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<ChunkSink.ChunkSink, never, FileSystem | Path> =>
  ChunkSink.layer(make(options))

const packages = ["@lancedb/lancedb@0.37.1", "apache-arrow@18.1.0"]

interface Place {
  /** The sink's id. */
  readonly id: string
  readonly directory: string
  /** Of the table. */
  readonly name: string
  readonly tenant: string | null
  readonly folderMade: Effect.Effect<void, ChunkSink.SinkError>
  /** Tells if there is a table. */
  readonly there: Effect.Effect<boolean, ChunkSink.SinkError>
}

const connect = Effect.fnUntraced(function* ({ directory, id }: Pick<Place, "directory" | "id">) {
  const lance = yield* OptionalPackage.load(id, packages, () => import("@lancedb/lancedb"))
  const arrow = yield* OptionalPackage.load(id, packages, () => import("apache-arrow"))
  const connection = yield* Effect.acquireRelease(
    attempt(id, "cannot open the folder", () => lance.connect(directory)),
    (made) => Effect.sync(() => made.close())
  )
  return { lance, arrow, connection }
})

const closing = (opening: Effect.Effect<Lance.Table, ChunkSink.SinkError>) =>
  Effect.acquireRelease(opening, (table) => Effect.sync(() => table.close()))

const openTable = ({ id, name }: Pick<Place, "id" | "name">, connection: Lance.Connection) =>
  closing(attempt(id, "cannot open the table", () => connection.openTable(name)))

interface Inspected {
  readonly found: ChunkSink.Found
  /** Null for a missing table. */
  readonly table: Lance.Table | null
}

const inspect = Effect.fnUntraced(function* (
  place: Place,
  connection: Lance.Connection
): Effect.fn.Return<Inspected, ChunkSink.SinkError, Scope.Scope> {
  const { id, name, tenant } = place
  const table = yield* openTable(place, connection)
  const schema = yield* reading({ id, table }, (opened) => opened.schema())
  if (LanceRows.isOurs(schema) && LanceRows.hasTenants(schema) !== (tenant !== null)) {
    const found: ChunkSink.Found =
      tenant === null
        ? { _tag: "Foreign", problem: Tenant.needed, tenants: true }
        : { _tag: "Foreign", problem: Tenant.lacking(`the table ${name}`) }
    return { found, table }
  }
  const stamp = LanceRows.stampOf(schema, tenant)
  if (stamp !== null) {
    const empty = (yield* rowsIn(place, table)) === 0
    return { found: { _tag: "Stamped", stamp, empty, changed: false }, table }
  }
  if (!LanceRows.isOurs(schema)) {
    const problem = `the table ${name} is not one that this sink made; nothing was changed, use another name`
    return { found: { _tag: "Foreign", problem }, table }
  }
  const chunks = yield* Stream.runCollect(Stream.take(LanceSearch.list({ id, table, tenant }), 100))
  return tenant !== null && chunks.length === 0
    ? { found: { _tag: "Absent" }, table }
    : { found: { _tag: "Unstamped", chunks: [...chunks], vectors: LanceRows.hasVectors(schema) }, table }
})

/** Makes the table, or takes the one found, as the plan says. */
const open = Effect.fnUntraced(function* (
  place: Place,
  space: ChunkSink.EmbeddingSpace | null,
  { action, stamp }: ChunkSink.Plan,
  found: Lance.Table | null
): Effect.fn.Return<Store, ChunkSink.SinkError, Scope.Scope> {
  const { id, name, tenant } = place
  const { arrow, connection, lance } = yield* connect(place)
  const schema = LanceRows.schema(arrow, space?.dimensions ?? 0, stamp, undefined, tenant)
  const store = { id, arrow, lance, schema, space, tenant }
  if (found === null || (action === "create" && tenant === null)) {
    const mode = found === null ? "create" : "overwrite"
    const table = yield* closing(
      attempt(id, "cannot make the table", () => connection.createEmptyTable(name, schema, { mode }))
    )
    yield* indexTerms({ ...store, table })
    return { ...store, table }
  }
  const there = yield* reading({ id, table: found }, (table) => table.schema())
  const version = LanceRows.versionOf(there)
  // A table goes on with the terms that it was made with.
  const opened = {
    ...store,
    schema: LanceRows.schema(arrow, space?.dimensions ?? 0, stamp, version ?? undefined, tenant),
    table: found
  }
  yield* LanceRows.checkVectors(id, there, space)
  if (action !== "open") {
    // In a column's metadata: the engine cannot change those of an existing table.
    const update =
      tenant === null
        ? { path: LanceRows.stampedColumn, metadata: { [LanceRows.stampKey]: stamp } }
        : { path: LanceRows.tenantColumn, metadata: { [LanceRows.stampKeyOf(tenant)]: stamp } }
    yield* attempt(id, "cannot stamp the table", () => found.updateFieldMetadata([update]))
  }
  if (version === null) {
    yield* attempt(id, "cannot add a column to the table", () =>
      found.addColumns([{ name: LanceRows.termsOf(opened.schema), valueSql: "cast(NULL as string)" }])
    )
    yield* indexTerms(opened)
  }
  return opened
})

/** One commit: updates rows with the same id, adds the others, and deletes rows of `instead` that are not among the chunks. */
const write = (
  store: Store,
  chunks: ReadonlyArray<DocumentChunk>,
  instead?: string
): Effect.Effect<void, ChunkSink.SinkError> =>
  Effect.zipRight(
    Int32.check(store.id, chunks),
    attempt(store.id, "cannot write", () => {
      const rows = LanceRows.table(store.arrow, store.schema, store.space?.dimensions ?? 0, chunks, store.tenant)
      const merge = store.table
        .mergeInsert(LanceRows.keyOf(store.tenant))
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
      return (instead === undefined ? merge : merge.whenNotMatchedBySourceDelete({ where: instead })).execute(rows)
    })
  ).pipe(Effect.asVoid)

const hasIndex = (opened: Opened, column: string) =>
  Effect.map(
    reading(opened, (table) => table.listIndices()),
    (indices) => indices.some(({ columns }) => columns.includes(column))
  )

/** Builds the missing index of the terms, which are between blanks; rows written later are in it too. */
const indexTerms = Effect.fnUntraced(function* (store: Store) {
  const column = LanceRows.termsOf(store.schema)
  if (yield* hasIndex(store, column)) return
  const config = store.lance.Index.fts({
    baseTokenizer: "whitespace",
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 1000
  })
  yield* attempt(store.id, "cannot index the text", () => store.table.createIndex(column, { config }))
})

/** Gives terms to rows that an earlier version wrote; false when there were none. */
const filled = (store: Store) =>
  Effect.zipRight(
    // A handle keeps reading the version at which it was opened.
    reading(store, (table) => table.checkoutLatest()),
    LanceSearch.fill(store, store.arrow, LanceRows.versionOf(store.schema) ?? Terms.version)
  )

/** Builds the missing index of the vectors once the table is large enough. */
const indexVectors = Effect.fnUntraced(function* (store: Store, from: number) {
  const { id, lance, space, table } = store
  if (space === null) return
  const rows = yield* reading(store, (opened) => opened.countRows())
  if (rows === 0 || rows < from || (yield* hasIndex(store, "vector"))) return
  // Rows that are written later are searched exactly until `optimize` adds them to the index.
  const config = lance.Index.hnswSq({
    distanceType: LanceSearch.distances[space.metric],
    numPartitions: Math.ceil(rows / 1_000_000)
  })
  yield* attempt(id, "cannot index the vectors", () => table.createIndex("vector", { config }))
})

const optimize = Effect.fnUntraced(function* (store: Store, options: Options) {
  yield* indexTerms(store)
  yield* indexVectors(store, options.vectorIndexFrom ?? defaults.vectorIndexFrom)
  // Building the indices above created versions too.
  const now = yield* Clock.currentTimeMillis
  const cleanupOlderThan = new Date(now - Duration.toMillis(options.keepVersions ?? defaults.keepVersions))
  yield* attempt(store.id, "cannot compact the table", () => store.table.optimize({ cleanupOlderThan }))
})
