import { type Hit, type Query, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { decode } from "../shared/ChunkRow.ts"
import * as Damaged from "../shared/Damaged.ts"
import { depth, fuse, weightOf, words } from "../shared/Fusion.ts"
import { escape, toJson } from "../shared/PlainText.ts"
import * as PgBinary from "./Binary.ts"
import { quote } from "./Columns.ts"
import type { Connection, Pool, Value } from "./Pool.ts"
import type { Settings } from "./Settings.ts"
import { isSince, type Table } from "./Table.ts"

/** Characters of a text that the full-text search sees: PostgreSQL refuses a document with more than 1 MB of lexemes. */
const searched = 200_000

/** The expression searched: text and, if stored, headings. An index must use exactly the same expression. */
export const documentOf = (table: Table, language: string): string => {
  const configuration = `'${quote(language).replaceAll("'", "''")}'::regconfig`
  const of = (member: string) => table.bound.find((one) => one.member === member)
  const text = `to_tsvector(${configuration}, left(${of("text")?.quoted}::text, ${searched}))`
  const headings = of("headingPath")
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

/** Parameters of a statement, numbered as they are added. */
class Parameters {
  readonly values: Array<Value> = []
  add(value: Value): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** Metadata is compared as text: "3" finds the number 3, "true" finds true, and a list is found by any of its items. */
const matching = (table: Table, filter: Query["filter"], parameters: Parameters): Effect.Effect<string, SinkError> => {
  const entries = Object.entries(filter ?? {})
  const metadata = table.bound.find(({ member }) => member === "metadata")
  if (entries.length === 0) return Effect.succeed("")
  if (metadata === undefined) {
    return new SinkError({
      sink: table.sink,
      reason: "Unsupported",
      problem: "a search cannot be filtered, since no column is mapped to `metadata`"
    })
  }
  const conditions = entries.map(([key, value]) => {
    const values: Array<unknown> = [value, [value]]
    if (value !== "" && String(Number(value)) === value) values.push(Number(value))
    if (value === "true" || value === "false") values.push(value === "true")
    const alternatives = values.map(
      (one) => `${metadata.quoted}::jsonb @> ${parameters.add(toJson({ [key]: one }))}::jsonb`
    )
    return ` AND (${alternatives.join(" OR ")})`
  })
  return Effect.succeed(conditions.join(""))
}

const idColumn = (table: Table): string => table.bound.find(({ member }) => member === "id")?.quoted ?? ""

const ids = (connection: Connection, sql: string, parameters: Parameters) =>
  Effect.map(connection.query(sql, parameters.values), (rows) => rows.map((row) => String(row["id"])))

/** Each word is a query of its own, never syntax; any of them may match. */
const byText = Effect.fnUntraced(function* (connection: Connection, table: Table, language: string, query: Query) {
  const parameters = new Parameters()
  const terms = words(escape(query.text)).map(
    (word) => `phraseto_tsquery('${quote(language).replaceAll("'", "''")}'::regconfig, ${parameters.add(word)})`
  )
  if (terms.length === 0) return []
  const condition = yield* matching(table, query.filter, parameters)
  const document = documentOf(table, language)
  return yield* ids(
    connection,
    `SELECT ${idColumn(table)} AS id FROM ${table.rows}, (SELECT ${terms.join(" || ")} AS wanted) AS q
     WHERE ${document} @@ q.wanted${condition}
     ORDER BY ts_rank(${document}, q.wanted, 1) DESC, ${idColumn(table)} LIMIT ${depth(query.limit)}`,
    parameters
  )
})

const byVector = Effect.fnUntraced(function* (pool: Pool, table: Table, settings: Settings, query: Query) {
  const { vector: type, space, embedding } = table
  if (query.vector === undefined || type === null || space === null || embedding === null) return []
  const parameters = new Parameters()
  const wanted = `${parameters.add(PgBinary.vector(query.vector))}::${type.schema}.vector::${type.schema}.${embedding.type}`
  const condition = yield* matching(table, query.filter, parameters)
  const candidates = depth(query.limit)
  const sql = `SELECT ${idColumn(table)} AS id FROM ${table.rows} WHERE ${embedding.name} IS NOT NULL${condition}
     ORDER BY ${embedding.name} OPERATOR(${type.schema}.${metrics[settings.metric ?? space.metric].operator}) ${wanted} LIMIT ${candidates}`
  return yield* pool.transaction((connection) =>
    Effect.zipRight(
      // An HNSW index gives no more than `ef_search`, and fewer that fit a filter unless it goes on.
      connection.query(
        `SELECT set_config('hnsw.ef_search', $1, true)${isSince(type, 8) ? ", set_config('hnsw.iterative_scan', 'strict_order', true)" : ""}`,
        [String(Math.min(1000, Math.max(candidates, settings.hnsw.efSearch ?? 0)))]
      ),
      ids(connection, sql, parameters)
    )
  )
})

const membersOf = (table: Table): string =>
  table.bound
    .map(({ quoted, kind, member }) => `${quoted}::${kind === "integer" ? "float8" : "text"} AS ${quote(member)}`)
    .join(", ")

/** Rows that `contents` reads at once. */
const page = 500

/** Every chunk, without its vector and without what the table has no column for. */
export const contents = (pool: Pool, table: Table): Stream.Stream<DocumentChunk, SinkError> =>
  Stream.paginateChunkEffect("", (after) =>
    Effect.gen(function* () {
      const rows = yield* pool.query(
        `SELECT ${membersOf(table)} FROM ${table.rows} WHERE ${idColumn(table)} > $1 ORDER BY ${idColumn(table)} LIMIT ${page}`,
        [after]
      )
      const chunks = yield* Effect.mapError(Effect.forEach(rows, decode), noChunk(table))
      const next = rows.length < page ? Option.none<string>() : Option.some(String(rows.at(-1)?.["id"]))
      return [Chunk.unsafeFromArray(chunks), next] as const
    })
  )

const noChunk = (table: Table) => (cause: unknown) =>
  new SinkError({ sink: table.sink, reason: "Mismatch", problem: "a row of the table is no chunk", cause })

/** Text and vectors are asked at the same time, on two connections where the pool has them. */
export const search = (
  pool: Pool,
  table: Table,
  language: string,
  settings: Settings,
  query: Query
): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  Effect.gen(function* () {
    const [texts, vectors] = yield* Effect.all(
      [byText(pool, table, language, query), byVector(pool, table, settings, query)],
      {
        concurrency: 2
      }
    )
    const rankings = [
      { keys: texts, weight: 1 },
      { keys: vectors, weight: weightOf(table.space) }
    ]
    const best = fuse(rankings, query.limit)
    if (best.length === 0) return []
    const rows = yield* pool.query(
      `SELECT ${membersOf(table)} FROM ${table.rows} WHERE ${idColumn(table)} = ANY ($1::text[])`,
      [PgBinary.texts(best.map(({ key }) => key))]
    )
    const byId = new Map(rows.map((row) => [String(row["id"]), row]))
    const found = best.flatMap(({ key, score }) => {
      const row = byId.get(key)
      return row === undefined ? [] : [{ score, row }]
    })
    return yield* Damaged.hits(
      table.sink,
      found.map(({ score, row }) => ({ id: row["id"], score, chunk: decode(row) }))
    )
  })
