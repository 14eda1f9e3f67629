import { type CheckedQuery as Query, type EmbeddingSpace, type Hit, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { columns, decode } from "../shared/ChunkRow.ts"
import * as Damaged from "../shared/Damaged.ts"
import { depth, fuse, weightOf, words } from "../shared/Fusion.ts"
import { escape } from "../shared/PlainText.ts"
import { littleEndian } from "../shared/Vector.ts"
import { attempt, type Database } from "./Database.ts"
import * as LibSqlFilter from "./Filter.ts"

/** An empty filter, or the filter's condition with an `AND` before it. */
const matching = (filter: Query["filter"]): LibSqlFilter.Sql => {
  if (filter === undefined) return { sql: "", parameters: [] }
  const { parameters, sql } = LibSqlFilter.translate(filter)
  return { sql: ` AND ${sql}`, parameters }
}

/** Each word is a phrase of its own in double quotes, so that nothing in a query is syntax; any of them may match. */
const expression = (text: string): string =>
  words(escape(text))
    .map((word) => `"${word.replaceAll('"', '""')}"`)
    .join(" OR ")

/** Chunks whose words match, of one full-text index; `bm25` is smaller the better a row matches. */
const matchesOf = (index: string, condition: LibSqlFilter.Sql): string =>
  `SELECT chunks.row AS row, bm25(${index}) AS score FROM ${index} JOIN chunks ON chunks.row = ${index}.rowid
   WHERE ${index} MATCH ?${condition.sql}`

const byText = (db: Database, query: Query, condition: LibSqlFilter.Sql, waiting: boolean): ReadonlyArray<number> => {
  const match = expression(query.text)
  if (match === "") return []
  const both = waiting
    ? ` UNION ALL ${matchesOf("chunks_waiting", condition)} AND chunks.row > (SELECT indexed FROM docsluice)`
    : ""
  const parameters = [match, ...condition.parameters]
  return db
    .rows(`SELECT row FROM (${matchesOf("chunks_fts", condition)}${both}) ORDER BY score, row LIMIT ?`, [
      ...parameters,
      ...(waiting ? parameters : []),
      depth(query.limit)
    ])
    .map(([row]) => Number(row))
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
): ReadonlyArray<number> => {
  if (query.vector === undefined || space === null) return []
  const vector = littleEndian(query.vector)
  const origin = littleEndian(query.vector.map(() => 0))
  return db
    .rows(
      `SELECT row, ${distances[space.metric]} AS distance FROM chunks
       WHERE embedding IS NOT NULL AND ?2 IS NOT NULL${condition.sql} ORDER BY distance IS NULL, distance, row LIMIT ?`,
      [vector, origin, ...condition.parameters, depth(query.limit)]
    )
    .map(([row]) => Number(row))
}

const hitColumns = columns.map(({ name }) => name).join(", ")

const load = (sink: string, db: Database, row: number): Effect.Effect<Readonly<Record<string, unknown>>, SinkError> =>
  Effect.map(
    attempt(sink, () => db.rows(`SELECT ${hitColumns} FROM chunks WHERE row = ?`, [row])[0] ?? []),
    (values) => Object.fromEntries(columns.map(({ member }, at) => [member, values[at]]))
  )

const chunkOf = (sink: string, row: number) => (values: Readonly<Record<string, unknown>>) =>
  Effect.mapError(
    decode(values),
    (cause) => new SinkError({ sink, reason: "Mismatch", problem: `row ${row} of its table is no chunk`, cause })
  )

/** Rows that `contents` reads at once. */
const page = 200

/** Every chunk, without its vector. */
export const contents = (sink: string, db: Database): Stream.Stream<DocumentChunk, SinkError> =>
  Stream.paginateChunkEffect(0, (after) =>
    Effect.gen(function* () {
      const rows = yield* attempt(sink, () =>
        db.rows("SELECT row FROM chunks WHERE row > ? ORDER BY row LIMIT ?", [after, page]).map(([row]) => Number(row))
      )
      const chunks = yield* Effect.forEach(rows, (row) => Effect.flatMap(load(sink, db, row), chunkOf(sink, row)))
      const next = rows.length < page ? Option.none<number>() : Option.fromNullable(rows.at(-1))
      return [Chunk.unsafeFromArray(chunks), next] as const
    })
  )

/** Exact: every vector is compared. `waiting`: words of rows that the full-text index lacks are found by `LibSqlChunks.indexAside`. */
export const search = (
  sink: string,
  db: Database,
  space: EmbeddingSpace | null,
  query: Query,
  waiting: boolean
): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  Effect.gen(function* () {
    const condition = matching(query.filter)
    const rankings = yield* attempt(sink, () => [
      { keys: byText(db, query, condition, waiting), weight: 1 },
      { keys: byVector(db, query, condition, space), weight: weightOf(space) }
    ])
    const found = yield* Effect.forEach(fuse(rankings, query.limit), ({ key, score }) =>
      Effect.map(load(sink, db, key), (row) => ({ id: row["id"] ?? `in row ${key}`, score, chunk: decode(row) }))
    )
    return yield* Damaged.hits(sink, found)
  })
