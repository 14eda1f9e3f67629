import type { CheckedQuery as Query, Hit, Range, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { decode } from "../shared/ChunkRow.ts"
import { breadth, depth } from "../shared/Fusion.ts"
import * as Hits from "../shared/Hits.ts"
import * as Pages from "../shared/Pages.ts"
import { escape } from "../shared/PlainText.ts"
import * as PgBinary from "./Binary.ts"
import { column, quote } from "./Columns.ts"
import { Parameters } from "./Filter.ts"
import type { Connection, Rows } from "./Pool.ts"
import { idColumn, matching, ranked, type Store } from "./Ranking.ts"
import { isSince, type Table } from "./Table.ts"
import { byWords } from "./WordSearch.ts"

/** SQL of a metric: its operator, and the operator class of its index after the type's name and `_`. */
export const metrics = {
  cosine: { operator: "<=>", operatorClass: "cosine_ops" },
  dot: { operator: "<#>", operatorClass: "ip_ops" },
  euclidean: { operator: "<->", operatorClass: "l2_ops" }
} as const

const byVector = Effect.fnUntraced(function* ({ pool, settings, table }: Store, query: Query) {
  const { vector: type, space, embedding } = table
  if (query.vector === undefined || type === null || space === null || embedding === null) return []
  const parameters = new Parameters()
  const wanted = `${parameters.add(PgBinary.vector(query.vector))}::${type.schema}.vector::${type.schema}.${embedding.type}`
  const condition = yield* matching(table, query.filter, parameters)
  const candidates = depth(query)
  const distance = `${embedding.name} OPERATOR(${type.schema}.${metrics[settings.metric ?? space.metric].operator}) ${wanted}`
  const restricted = query.filter !== undefined || table.tenant !== null
  const iterative = isSince(type, 8)
  // The settings of the scan hold for the statement; naming one of them in the scan has them set before it. Sorted once more, since rows at
  // one distance come in another order from an index than from the table.
  const set = [
    `set_config('hnsw.ef_search', '${Math.min(mostCandidates, Math.max(breadth(query.limit), settings.hnsw.efSearch ?? 0))}', true)`,
    ...(iterative ? ["set_config('hnsw.iterative_scan', 'strict_order', true)"] : [])
  ]
  const sql = `SELECT id, -distance AS score FROM (SELECT ${set.join(" || ")} AS set) AS scan, LATERAL (
       SELECT ${idColumn(table)} AS id, ${distance} AS distance FROM ${table.rows}
       WHERE scan.set IS NOT NULL AND ${embedding.name} IS NOT NULL${condition} ORDER BY ${distance} LIMIT ${candidates}
     ) AS nearest ORDER BY distance, id`
  const exact = pool.transaction((connection) =>
    Effect.zipRight(
      // With the index left out: also where the session's own settings would rather have it than a scan of the table.
      connection.query(
        "SELECT set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'on', true), set_config('enable_sort', 'on', true)"
      ),
      ranked(connection, sql, parameters)
    )
  )
  // Without iterative scans an index gives its candidates before it looks at filter and tenant, and no more than these.
  if (!iterative && (restricted || candidates > mostCandidates)) return yield* exact
  const found = yield* ranked(pool, sql, parameters)
  // An iterative scan, too, ends after a number of rows: a tenant or a filter may let few of these pass.
  const complete = found.length >= candidates || !(yield* isIndexed(pool, table))
  return complete ? found : yield* exact
})

/** Most candidates of a scan of an HNSW index that is not iterative. */
const mostCandidates = 1000

/** True where an approximate index may have answered. */
const isIndexed = (connection: Connection, { relation }: Table): Effect.Effect<boolean, SinkError> =>
  Effect.map(
    connection.query(
      `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
       WHERE i.indrelid = $1 AND a.amname IN ('hnsw', 'ivfflat')`,
      [relation]
    ),
    (rows) => rows.length > 0
  )

const membersOf = (table: Table): string =>
  table.bound
    .map(({ quoted, kind, member }) => `${quoted}::${kind === "integer" ? "float8" : "text"} AS ${quote(member)}`)
    .join(", ")

/** Cosine of a row's vector and the query's; null without one of them. */
const similarity = ({ embedding, vector: type }: Table, { vector }: Query, parameters: Parameters): string =>
  vector === undefined || type === null || embedding === null
    ? "NULL::float8"
    : `(1 - (${embedding.name} OPERATOR(${type.schema}.<=>) ${parameters.add(PgBinary.vector(vector))}::${type.schema}.vector::${type.schema}.${embedding.type}))::float8`

const rowsOf = (sink: string, rows: Rows) => Hits.chunks(sink, "a row of the table", rows.map(decode))

/** Chunks of a document with indexes of a range, in order; none where the table keeps no index. */
export const range = ({ pool, table }: Store, { documentId, from, to }: Range) => {
  const index = column(table, "index")
  return index === ""
    ? Effect.succeed<ReadonlyArray<DocumentChunk>>([])
    : Effect.flatMap(
        pool.query(
          `SELECT ${membersOf(table)} FROM ${table.rows}
           WHERE ${column(table, "documentId")} = $1 AND ${index} BETWEEN $2 AND $3 ORDER BY ${index}, ${idColumn(table)}`,
          [escape(documentId), from, to]
        ),
        (rows) => rowsOf(table.sink, rows)
      )
}

/** Rows that `contents` reads at once. */
const page = 500

/** Every chunk, without its vector and without what the table has no column for. */
export const contents = ({ pool, table }: Store): Stream.Stream<DocumentChunk, SinkError> => {
  const id = idColumn(table)
  const sql = `SELECT ${membersOf(table)} FROM ${table.rows} WHERE ${id} > $1 ORDER BY ${id} LIMIT ${page}`
  return Pages.stream("", (after) =>
    Effect.flatMap(pool.query(sql, [after]), (rows) =>
      Effect.map(rowsOf(table.sink, rows), (chunks) => [
        chunks,
        rows.length < page ? null : String(rows.at(-1)?.["id"])
      ])
    )
  )
}

/** Text and vectors are asked at the same time, on two connections where the pool has them. */
export const search = Effect.fnUntraced(function* (
  store: Store,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const { pool, table } = store
  const [words, vectors] = yield* Effect.all([byWords(store, query), byVector(store, query)], { concurrency: 2 })
  return yield* Hits.fused(table.sink, { words, vectors, space: table.space, query }, (keys) => {
    const parameters = new Parameters()
    const wanted = parameters.add(PgBinary.texts(keys))
    const sql = `SELECT ${membersOf(table)}, ${similarity(table, query, parameters)} AS similarity
      FROM ${table.rows} WHERE ${idColumn(table)} = ANY (${wanted}::text[])`
    return Effect.map(
      pool.query(sql, parameters.values),
      (rows) =>
        new Map(
          rows.map(({ similarity: near, ...row }) => [
            String(row["id"]),
            { id: row["id"], similarity: typeof near === "number" ? near : null, chunk: decode(row) }
          ])
        )
    )
  })
})
