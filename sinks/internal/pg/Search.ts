import type { CheckedQuery as Query, Frequencies, Hit, Range, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { decode } from "../shared/ChunkRow.ts"
import { breadth, depth, type Ranking, words } from "../shared/Fusion.ts"
import * as Hits from "../shared/Hits.ts"
import * as Pages from "../shared/Pages.ts"
import { escape } from "../shared/PlainText.ts"
import * as Words from "../shared/Words.ts"
import * as PgBinary from "./Binary.ts"
import { column, quote } from "./Columns.ts"
import { Parameters, translate, unmapped } from "./Filter.ts"
import { anyOf, countOf } from "./Lexemes.ts"
import type { Connection, Pool, Rows } from "./Pool.ts"
import type { Settings } from "./Settings.ts"
import { isSince, type Table, type Terms } from "./Table.ts"

/** Characters of a text that the full-text search sees: PostgreSQL refuses a document with more than 1 MB of lexemes. */
const searched = 200_000

/** The expression searched: text and, if stored, headings. An index must use exactly the same expression. */
export const documentOf = (table: Table, language: string): string => {
  const configuration = `'${quote(language).replaceAll("'", "''")}'::regconfig`
  const text = `to_tsvector(${configuration}, left(${column(table, "text")}::text, ${searched}))`
  const headings = table.bound.find(({ member }) => member === "headingPath")
  return headings?.type === "jsonb"
    ? `(${text} || jsonb_to_tsvector(${configuration}, ${headings.quoted}, '["string"]'))`
    : text
}

/** SQL of a metric: its operator, and the operator class of its index after the type's name and `_`. */
export const metrics = {
  cosine: { operator: "<=>", operatorClass: "cosine_ops" },
  dot: { operator: "<#>", operatorClass: "ip_ops" },
  euclidean: { operator: "<->", operatorClass: "l2_ops" }
} as const

/** An empty filter, or the filter's condition with an `AND` before it. */
const matching = (table: Table, filter: Query["filter"], parameters: Parameters): Effect.Effect<string, SinkError> =>
  filter === undefined
    ? Effect.succeed("")
    : (unmapped(table, filter) ?? Effect.succeed(` AND ${translate(table, filter, parameters)}`))

/** An open table, with the options of its searches. */
export interface Store {
  readonly pool: Pool
  readonly table: Table
  /** Text search configuration of the server, for a table without terms. */
  readonly language: string
  readonly settings: Settings
}

const idColumn = (table: Table): string => column(table, "id")

/** The rows of a statement that selects `id` and `score`, best first. */
const ranked = (
  connection: Connection,
  sql: string,
  parameters: Parameters
): Effect.Effect<Ranking<string>, SinkError> =>
  Effect.map(connection.query(sql, parameters.values), (rows) =>
    rows.map(({ id, score }) => ({ key: String(id), score: typeof score === "number" ? score : null }))
  )

/** The part of BM25 that one form of a word gives: its rarity among all rows, by the number of its repetitions. */
const partOf = (rarity: string, count: string): string =>
  `${rarity} * ${count} * ${Words.bm25.k1 + 1} / (${count} + ${Words.bm25.k1} * (${1 - Words.bm25.b} + ${Words.bm25.b} * size / average))`

/**
 * Rows that hold any of the words, by BM25: the rarer a word among those found and the more often it is repeated, the more it weighs; the
 * length is the number of different terms. A word counts by its stem or by itself, whichever the row repeats more, and once more, by half, by
 * itself. Rows that still lack their terms are searched as texts, and come after the others.
 */
const byTerms = Effect.fnUntraced(function* (store: Store, { name, version }: Terms, query: Query) {
  const { pool, table } = store
  const words = Words.of(query.text, version)
  if (words.length === 0) return []
  const parameters = new Parameters()
  const all = Words.joined(words)
  const any = `${parameters.add(anyOf([...all.whole, ...all.half]))}::tsquery`
  const counts: Array<string> = []
  const rarities: Array<string> = []
  const scores: Array<string> = []
  const counted = (terms: ReadonlyArray<string>): string =>
    terms.length === 0 ? "0" : countOf(name, `${parameters.add(anyOf(terms))}::tsquery`, terms.length)
  const weigh = (count: string, column: string, weight: number) => {
    const held = `count(*) FILTER (WHERE ${column} > 0)`
    counts.push(`${count} AS ${column}`)
    rarities.push(`ln(1 + (total - ${held} + 0.5) / (${held} + 0.5)) AS w_${column}`)
    scores.push(`${weight} * ${partOf(`w_${column}`, column)}`)
  }
  for (const [at, { half, whole }] of words.entries()) {
    const own = counted(half)
    if (whole.length > 0) weigh(half.length === 0 ? counted(whole) : `greatest(${counted(whole)}, ${own})`, `n${at}`, 1)
    if (half.length > 0) weigh(own, `h${at}`, Words.halfWeight)
  }
  const condition = yield* matching(table, query.filter, parameters)
  const sql = `WITH found AS MATERIALIZED (
       SELECT ${idColumn(table)} AS id, length(${name}) AS size, ${counts.join(", ")}
       FROM ${table.rows} WHERE ${name} @@ ${any}${condition}
     ), counted AS (
       SELECT greatest((SELECT count(*) FROM found), (SELECT reltuples FROM pg_class WHERE oid = ${table.relation})) AS total
     ), weights AS (
       SELECT avg(size) AS average, ${rarities.join(", ")} FROM found, counted GROUP BY total
     )
     SELECT id, (${scores.join(" + ")})::float8 AS score FROM found, weights ORDER BY score DESC, id LIMIT ${depth(query)}`
  const found = yield* ranked(pool, sql, parameters)
  if (!table.waiting || found.length >= depth(query)) return found
  const others = yield* byText(store, query, ` AND ${name} IS NULL`)
  return [...found, ...others.map(({ key }) => ({ key, score: null }))]
})

/** Chunks that hold any term of each group, and chunks in all; unknown, and so the same for all, in a table without terms. */
export const frequencies = Effect.fnUntraced(function* (
  { pool, table }: Store,
  groups: ReadonlyArray<ReadonlyArray<string>>
): Effect.fn.Return<Frequencies, SinkError> {
  const parameters = new Parameters()
  const { terms } = table
  if (terms === null) return { total: 2000, counts: groups.map(() => 0) }
  const counts = groups.map(
    (group, at) =>
      `(SELECT count(*)::float8 FROM ${table.rows} WHERE ${terms.name} @@ ${parameters.add(anyOf(group))}::tsquery) AS c${at}`
  )
  const [row] = yield* pool.query(
    `SELECT ${counts.join(", ")}, (SELECT count(*)::float8 FROM ${table.rows}) AS total`,
    parameters.values
  )
  return { total: Number(row?.["total"]), counts: groups.map((_, at) => Number(row?.[`c${at}`])) }
})

/** Full-text search of the texts, for tables without terms. Each word is one query, never syntax; any of them may match. */
const byText = Effect.fnUntraced(function* ({ language, pool, table }: Store, query: Query, more = "") {
  const parameters = new Parameters()
  const terms = words(escape(query.text)).map(
    (word) => `phraseto_tsquery('${quote(language).replaceAll("'", "''")}'::regconfig, ${parameters.add(word)})`
  )
  if (terms.length === 0) return []
  const condition = yield* matching(table, query.filter, parameters)
  const document = documentOf(table, language)
  return yield* ranked(
    pool,
    `SELECT ${idColumn(table)} AS id, ts_rank(${document}, q.wanted, 1)::float8 AS score FROM ${table.rows}, (SELECT ${terms.join(" || ")} AS wanted) AS q
     WHERE ${document} @@ q.wanted${condition}${more}
     ORDER BY score DESC, ${idColumn(table)} LIMIT ${depth(query)}`,
    parameters
  )
})

const byVector = Effect.fnUntraced(function* ({ pool, settings, table }: Store, query: Query) {
  const { vector: type, space, embedding } = table
  if (query.vector === undefined || type === null || space === null || embedding === null) return []
  const parameters = new Parameters()
  const wanted = `${parameters.add(PgBinary.vector(query.vector))}::${type.schema}.vector::${type.schema}.${embedding.type}`
  const condition = yield* matching(table, query.filter, parameters)
  const candidates = depth(query)
  const distance = `${embedding.name} OPERATOR(${type.schema}.${metrics[settings.metric ?? space.metric].operator}) ${wanted}`
  // Sorted once more, since rows at one distance come in another order from an index than from the table.
  const sql = `SELECT id, -distance AS score FROM (
       SELECT ${idColumn(table)} AS id, ${distance} AS distance FROM ${table.rows} WHERE ${embedding.name} IS NOT NULL${condition}
       ORDER BY ${distance} LIMIT ${candidates}
     ) AS nearest ORDER BY distance, id`
  const restricted = query.filter !== undefined || table.tenant !== null
  const iterative = isSince(type, 8)
  return yield* pool.transaction((connection) =>
    Effect.gen(function* () {
      const exact = Effect.zipRight(
        // With the index left out: also where the session's own settings would rather have it than a scan of the table.
        connection.query(
          "SELECT set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'on', true), set_config('enable_sort', 'on', true)"
        ),
        ranked(connection, sql, parameters)
      )
      // Without iterative scans an index gives its candidates before it looks at filter and tenant, and no more than these.
      if (!iterative && (restricted || candidates > mostCandidates)) return yield* exact
      const searched = String(Math.min(mostCandidates, Math.max(breadth(query.limit), settings.hnsw.efSearch ?? 0)))
      yield* connection.query(
        `SELECT set_config('hnsw.ef_search', $1, true)${iterative ? ", set_config('hnsw.iterative_scan', 'strict_order', true)" : ""}`,
        [searched]
      )
      const found = yield* ranked(connection, sql, parameters)
      // An iterative scan, too, ends after a number of rows: a tenant or a filter may let few of these pass.
      const complete = found.length >= candidates || !(yield* isIndexed(connection, table))
      return complete ? found : yield* exact
    })
  )
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
  const byWords = table.terms === null ? byText(store, query) : byTerms(store, table.terms, query)
  const [words, vectors] = yield* Effect.all([byWords, byVector(store, query)], { concurrency: 2 })
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
