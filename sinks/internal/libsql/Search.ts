import type { CheckedQuery as Query, EmbeddingSpace, Frequencies, Hit, Range, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { columns, decode } from "../shared/ChunkRow.ts"
import { depth, type Ranking } from "../shared/Fusion.ts"
import * as Hits from "../shared/Hits.ts"
import * as Pages from "../shared/Pages.ts"
import { escape, toJson } from "../shared/PlainText.ts"
import * as Tenant from "../shared/Tenant.ts"
import { littleEndian } from "../shared/Vector.ts"
import * as Words from "../shared/Words.ts"
import * as LibSqlChunks from "./Chunks.ts"
import { type Database, type Value } from "./Database.ts"
import * as LibSqlFilter from "./Filter.ts"
import { termsOf } from "./Schema.ts"

/** The condition of a filter and a tenant, each with an `AND` before it; empty where every row may be found. */
const matching = (filter: Query["filter"], tenant: string | null): LibSqlFilter.Sql => {
  const own = Tenant.condition(tenant)
  if (filter === undefined) return { sql: own, parameters: [] }
  const { parameters, sql } = LibSqlFilter.translate(filter)
  return { sql: `${own} AND ${sql}`, parameters }
}

/** Each word is one phrase in double quotes, so that nothing in a query is syntax; any of them may match. */
const expression = (all: ReadonlyArray<string>): string =>
  all.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ")

/** A full-text index: that of the store, and one of rows which it lacks. */
type Index = "chunks_fts" | "chunks_waiting"

/** Counted by a search: the vocabulary of FTS5 knows them too, and reads every place of a term for it. */
const countedRowsOf = (
  { db, tenant }: Pick<Store, "db" | "tenant">,
  index: Index,
  terms: ReadonlyArray<string>
): ReadonlyArray<readonly [string, number]> => {
  const own = tenant === null ? "" : ` JOIN chunks ON chunks.row = ${index}.rowid${Tenant.condition(tenant)}`
  const counted = db.rows(
    `SELECT word.key, (SELECT count(*) FROM ${index}${own} WHERE ${index} MATCH word.value) FROM json_each(?) AS word`,
    [toJson(terms.map((term) => expression([term])))]
  )
  return counted.flatMap(([at, count]) => {
    const term = terms[Number(at)]
    return term === undefined ? [] : [[term, Number(count)] as const]
  })
}

/** Numbers of the rows that hold each term. */
const rowsOf = (
  store: Pick<Store, "db" | "tenant">,
  index: Index,
  terms: ReadonlyArray<string>
): ((term: string) => number) => {
  const known = store.db.counts()
  const nameOf = (term: string) => `${index} ${store.tenant ?? ""} ${term}`
  const lacking = terms.filter((term) => !known.has(nameOf(term)))
  const counted = lacking.length === 0 ? [] : countedRowsOf(store, index, lacking)
  for (const [term, count] of counted) known.set(nameOf(term), count)
  return (term) => known.get(nameOf(term)) ?? 0
}

/** Full-text indexes of a connection: that of the store, and for a reader of a file that of rows which it lacks. */
const indexesOf = (db: Database, reads: boolean): ReadonlyArray<Index> =>
  reads && !db.remote ? ["chunks_fts", "chunks_waiting"] : ["chunks_fts"]

/** An open database. */
export interface Store extends LibSqlChunks.Part {
  readonly space: EmbeddingSpace | null
  /** True when opened for reading only: the words of rows that the full-text index lacks are in that of `LibSqlChunks.indexAside`. */
  readonly reads: boolean
}

/** Rows that hold a term of each group, and rows in all: as many as hold its most frequent term. */
export const frequencies = (
  store: Store,
  groups: ReadonlyArray<ReadonlyArray<string>>
): Effect.Effect<Frequencies, SinkError> =>
  store.db.attempt(() => {
    const all = indexesOf(store.db, store.reads).map((index) => rowsOf(store, index, groups.flat()))
    const countOf = (term: string) => all.reduce((sum, rows) => sum + rows(term), 0)
    return {
      total: LibSqlChunks.size(store),
      counts: groups.map((terms) => Math.max(0, ...terms.map(countOf)))
    }
  })

/** A full-text query, and the weight of its matches. */
interface Match {
  readonly index: Index
  readonly terms: ReadonlyArray<string>
  readonly weight: number
}

/** What to look for in an index, among the terms that it holds. */
const matchesIn = (store: Store, index: Index, query: string): ReadonlyArray<Match> => {
  const version = termsOf(store.db) ?? Terms.version
  const counts = rowsOf(
    store,
    index,
    Terms.sought(query, version).flatMap(({ terms }) => terms)
  )
  const { half, whole } = Words.joined(Words.of(query, version, counts))
  return [
    { index, terms: whole, weight: 1 },
    { index, terms: half, weight: Words.halfWeight }
  ]
}

/**
 * Chunks whose words match, of one full-text index; `bm25` is smaller the better a row matches. The rows themselves are read for a filter
 * only: most of the time of a search would go into it.
 */
const rowsMatching = ({ index, weight }: Match, condition: LibSqlFilter.Sql): string =>
  `SELECT ${index}.rowid AS row, ${weight} * bm25(${index}) AS score FROM ${index}${
    condition.sql === "" ? "" : ` JOIN chunks ON chunks.row = ${index}.rowid`
  } WHERE ${index} MATCH ?${condition.sql}${
    index === "chunks_waiting" ? ` AND ${index}.rowid > (SELECT indexed FROM docsluice)` : ""
  }`

const byText = (store: Store, query: Query, condition: LibSqlFilter.Sql): Ranking<number> => {
  const { db, reads } = store
  const old = reads && termsOf(db) === null
  const matches = indexesOf(db, reads)
    .flatMap((index): ReadonlyArray<Match> =>
      old && index === "chunks_fts"
        ? [{ index, terms: Words.written(escape(query.text)), weight: 1 }]
        : matchesIn(store, index, query.text)
    )
    .filter(({ terms }) => terms.length > 0)
  if (matches.length === 0) return []
  const parameters: Array<Value> = []
  for (const { terms } of matches) parameters.push(expression(terms), ...condition.parameters)
  return db
    .rows(
      // Materialized: SQLite would else call `bm25` while it groups, where there is none.
      `WITH matched AS MATERIALIZED (${matches.map((match) => rowsMatching(match, condition)).join(" UNION ALL ")})
       SELECT row, -sum(score) AS score FROM matched GROUP BY row ORDER BY score DESC, row LIMIT ?`,
      [...parameters, depth(query)]
    )
    .map(([row, score]) => ({ key: Number(row), score: Number(score) }))
}

/** The length of a stored vector is its distance from the origin. */
const distances = {
  cosine: "vector_distance_cos(embedding, ?1)",
  euclidean: "vector_distance_l2(embedding, ?1)",
  dot: "(vector_distance_cos(embedding, ?1) - 1) * vector_distance_l2(embedding, ?2)"
} as const

const byVector = (
  db: Database,
  query: Query,
  condition: LibSqlFilter.Sql,
  space: EmbeddingSpace | null
): Ranking<number> => {
  if (query.vector === undefined || space === null) return []
  const vector = littleEndian(query.vector)
  const origin = littleEndian(query.vector.map(() => 0))
  return db
    .rows(
      // `distance IS NULL` as the first of the order would compute each distance twice.
      `SELECT row, ${distances[space.metric]} AS distance FROM chunks
       WHERE embedding IS NOT NULL AND ?2 IS NOT NULL${condition.sql} ORDER BY distance NULLS LAST, row LIMIT ?`,
      [vector, origin, ...condition.parameters, depth(query)]
    )
    .map(([row, distance]) => ({ key: Number(row), score: distance === null ? null : -Number(distance) }))
}

const hitColumns = columns.map(({ name }) => name).join(", ")

/** A row by the members of its chunk. */
type Members = Readonly<Record<string, unknown>>

const among = "row IN (SELECT value FROM json_each(?))"

/** The members of rows, by row; in one statement, since on a server each is one request. */
const load = (db: Database, rows: ReadonlyArray<number>): ReadonlyMap<number, Members> =>
  new Map(
    db
      .rows(`SELECT row, ${hitColumns} FROM chunks WHERE ${among}`, [toJson(rows)])
      .map(([row, ...values]) => [
        Number(row),
        Object.fromEntries(columns.map(({ member }, at) => [member, values[at]]))
      ])
  )

/** Cosines of the vectors of rows and the query's, by row; without those that have none. */
const similarities = (
  db: Database,
  rows: ReadonlyArray<number>,
  vector: Query["vector"]
): ReadonlyMap<number, number> => {
  if (vector === undefined) return new Map()
  const found = db.rows(
    `SELECT row, 1 - vector_distance_cos(embedding, ?) FROM chunks WHERE ${among} AND embedding IS NOT NULL`,
    [littleEndian(vector), toJson(rows)]
  )
  return new Map(found.flatMap(([row, near]) => (typeof near === "number" ? [[Number(row), near] as const] : [])))
}

/** The chunks of the rows that a statement selects by number, in its order. */
const chunksOf = Effect.fnUntraced(function* (db: Database, sql: string, parameters: ReadonlyArray<Value>) {
  const [rows, members] = yield* db.attempt(() => {
    const numbers = db.rows(sql, parameters).map(([row]) => Number(row))
    return [numbers, load(db, numbers)] as const
  })
  const chunks = yield* Hits.chunks(
    db.sink,
    "a row of its table",
    rows.map((row) => decode(members.get(row) ?? {}))
  )
  return { chunks, rows }
})

/** Rows that `contents` reads at once. */
const page = 200

/** Every chunk, without its vector. */
export const contents = ({ db, tenant }: Store): Stream.Stream<DocumentChunk, SinkError> =>
  Pages.stream(0, (after) =>
    Effect.map(
      chunksOf(db, `SELECT row FROM chunks WHERE row > ?${Tenant.condition(tenant)} ORDER BY row LIMIT ?`, [
        after,
        page
      ]),
      ({ chunks, rows }) => [chunks, rows.length < page ? null : rows.at(-1)]
    )
  )

/** Chunks of a document with indexes of a range, in order. */
export const range = ({ db, tenant }: Store, { documentId, from, to }: Range) =>
  Effect.map(
    chunksOf(
      db,
      `SELECT row FROM chunks WHERE document_id = ? AND chunk_index BETWEEN ? AND ?${Tenant.condition(tenant)}
       ORDER BY chunk_index, row`,
      [escape(documentId), from, to]
    ),
    ({ chunks }) => chunks
  )

/** Exact: every vector is compared. */
export const search = (store: Store, query: Query): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  Effect.gen(function* () {
    const { db, space, tenant } = store
    const condition = matching(query.filter, tenant)
    const rankings = yield* db.attempt(() => ({
      words: byText(store, query, condition),
      vectors: byVector(db, query, condition, space),
      space,
      query
    }))
    return yield* Hits.fused(db.sink, rankings, (rows) =>
      db.attempt(() => {
        const near = similarities(db, rows, query.vector)
        return new Map(
          [...load(db, rows)].map(([row, members]) => [
            row,
            { id: members["id"] ?? `in row ${row}`, similarity: near.get(row) ?? null, chunk: decode(members) }
          ])
        )
      })
    )
  })
