import type { DocumentChunks, Listed, SinkError } from "docsluice/ChunkSink"
import type { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { decode, listed } from "../shared/ChunkRow.ts"
import * as Pages from "../shared/Pages.ts"
import { escape } from "../shared/PlainText.ts"
import * as PgBinary from "./Binary.ts"
import { column, quote } from "./Columns.ts"
import { type Lexemes, lexemesOf, nothing } from "./Lexemes.ts"
import type { Connection, Pool, Value } from "./Pool.ts"
import type { Table } from "./Table.ts"

/** Rows of one statement at most. */
const rowsAtOnce = 1000

/** The columns of terms, with the texts that are written to them. */
const termColumns = ({ terms }: Table) =>
  terms === null
    ? []
    : [
        { name: terms.name, type: "tsvector", of: (lexemes: Lexemes) => lexemes.terms },
        ...(terms.weights === null ? [] : [{ ...terms.weights, of: (lexemes: Lexemes) => lexemes.weights }])
      ]

/** One statement for any number of rows: a parameter a column, each an array. */
export const insertOf = (table: Table): string => {
  const targets = table.bound.map(({ quoted, kind, type }, at) => ({
    quoted,
    parameter: `$${at + 1}::${kind === "integer" ? "int4" : "text"}[]`,
    value: `c${at}::${type}`
  }))
  if (table.embedding !== null && table.vector !== null) {
    targets.push({
      quoted: table.embedding.name,
      parameter: `$${targets.length + 1}::${table.vector.schema}.vector[]`,
      value: `c${targets.length}::${table.vector.schema}.${table.embedding.type}`
    })
  }
  for (const { name, type } of termColumns(table)) {
    targets.push({ quoted: name, parameter: `$${targets.length + 1}::text[]`, value: `c${targets.length}::${type}` })
  }
  const id = column(table, "id")
  const [owner, key] = table.tenant === null ? ["", id] : [`'${table.tenant}', `, `tenant, ${id}`]
  const updates = targets.filter(({ quoted }) => quoted !== id).map(({ quoted }) => `${quoted} = excluded.${quoted}`)
  return `INSERT INTO ${table.name} (${owner === "" ? "" : "tenant, "}${targets.map(({ quoted }) => quoted).join(", ")})
    SELECT ${owner}${targets.map(({ value }) => value).join(", ")}
    FROM unnest(${targets.map(({ parameter }) => parameter).join(", ")}) AS r (${targets.map((_, at) => `c${at}`).join(", ")})
    ON CONFLICT (${key}) DO UPDATE SET ${updates.join(", ")}`
}

const parametersOf = (table: Table, chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<Value> => {
  const parameters: Array<Value> = table.bound.map(({ kind, encode }) =>
    kind === "integer"
      ? PgBinary.integers(chunks.map((chunk) => Number(encode(chunk))))
      : PgBinary.texts(
          chunks.map((chunk) => {
            const value = encode(chunk)
            return value === null ? null : String(value)
          })
        )
  )
  if (table.embedding !== null && table.vector !== null) {
    parameters.push(
      PgBinary.vectors(
        table.vector.oid,
        chunks.map(({ embedding }) => embedding)
      )
    )
  }
  const { terms } = table
  if (terms !== null) {
    const lexemes = chunks.map((chunk) => lexemesOf(chunk, terms.version, terms.weights !== null))
    parameters.push(...termColumns(table).map(({ of }) => PgBinary.texts(lexemes.map(of))))
  }
  return parameters
}

const idsOf = (ids: ReadonlyArray<string>) => PgBinary.texts(ids.map(escape))

const insert = (connection: Connection, table: Table, chunks: ReadonlyArray<DocumentChunk>) =>
  connection.query(insertOf(table), parametersOf(table, chunks))

const insertAll = (connection: Connection, table: Table, chunks: ReadonlyArray<DocumentChunk>) =>
  Effect.forEach(Arr.chunksOf(chunks, rowsAtOnce), (part) => insert(connection, table, part), { discard: true })

/** Rows that are made ready while the server stores as many. */
const rowsAhead = 125

/**
 * Writes the chunks, replacing those with the same ids. The next statement is prepared while the server executes the previous
 * one. After a failure some of the chunks may be stored.
 */
export const write = (pool: Pool, table: Table, batch: ReadonlyArray<DocumentChunk>): Effect.Effect<void, SinkError> =>
  Effect.suspend(() =>
    Effect.forEach(Arr.chunksOf(batch, rowsAhead), (part) => insert(pool, table, part), {
      concurrency: 2,
      discard: true
    })
  )

/** Bounds a statement to the tenant's rows, after another condition. */
const ofTenant = ({ tenant }: Table): string => (tenant === null ? "" : ` AND tenant = '${tenant}'`)

/** Deletes chunks of the documents that are not to be kept; parameters: ids of the documents, ids of the chunks to keep. */
const removalOf = (table: Table, first: number): string =>
  `DELETE FROM ${table.name} WHERE ${column(table, "documentId")} = ANY ($${first}::text[])
   AND NOT (${column(table, "id")}::text = ANY ($${first + 1}::text[]))${ofTenant(table)}`

/** Replaces the documents in one transaction, which is one statement unless there are unusually many rows. */
export const replace = (
  pool: Pool,
  table: Table,
  documents: ReadonlyArray<DocumentChunks>
): Effect.Effect<void, SinkError> =>
  Effect.suspend(() => {
    const chunks = documents.flatMap((one) => one.chunks)
    const old: ReadonlyArray<Value> = [
      idsOf(documents.map(({ documentId }) => documentId)),
      idsOf(chunks.map(({ id }) => id))
    ]
    if (chunks.length === 0) return Effect.asVoid(pool.query(removalOf(table, 1), old))
    if (chunks.length <= rowsAtOnce) {
      const parameters = parametersOf(table, chunks)
      const sql = `WITH gone AS (${removalOf(table, parameters.length + 1)}) ${insertOf(table)}`
      return Effect.asVoid(pool.query(sql, [...parameters, ...old]))
    }
    return pool.transaction((connection) =>
      Effect.zipRight(connection.query(removalOf(table, 1), old), insertAll(connection, table, chunks))
    )
  })

export const remove = (pool: Pool, table: Table, ids: ReadonlyArray<ChunkId>): Effect.Effect<void, SinkError> =>
  Effect.asVoid(
    pool.query(`DELETE FROM ${table.name} WHERE ${column(table, "id")} = ANY ($1::text[])${ofTenant(table)}`, [
      idsOf(ids)
    ])
  )

export const count = (pool: Pool, table: Table): Effect.Effect<number, SinkError> =>
  Effect.map(pool.query(`SELECT count(*)::float8 AS count FROM ${table.rows}`), ([row]) => Number(row?.["count"]))

/** Rows that get their terms in one statement. */
const filled = 200

/**
 * Gives terms to the rows that have none, written by an earlier version; the texts are in the table. Each statement is one step, so
 * that a kill loses one at most. Rows that hold no chunk get none, and are found by none.
 */
export const fill = (pool: Pool, table: Table): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    const { terms, waiting } = table
    if (terms === null || !waiting) return
    const id = column(table, "id")
    const members = table.bound.filter(({ member }) => read.has(member))
    const shown = members.map(({ member, quoted }) => `${quoted}::text AS ${quote(member)}`).join(", ")
    for (;;) {
      const rows = yield* pool.query(
        `SELECT ${id} AS key, ${shown} FROM ${table.rows} WHERE ${terms.name} IS NULL ORDER BY ${id} LIMIT ${filled}`
      )
      if (rows.length === 0) return
      const lexemes = yield* Effect.forEach(rows, (row) =>
        Effect.match(decode(Object.fromEntries([...read].map((member) => [member, row[member]]))), {
          onFailure: () => nothing,
          onSuccess: (chunk) => lexemesOf(chunk, terms.version, terms.weights !== null)
        })
      )
      const targets = termColumns(table)
      yield* pool.query(
        `UPDATE ${table.name} AS t SET ${targets.map(({ name, type }, at) => `${name} = r.c${at}::${type}`).join(", ")}
         FROM unnest($1::text[], ${targets.map((_, at) => `$${at + 2}::text[]`).join(", ")})
         AS r (key, ${targets.map((_, at) => `c${at}`).join(", ")})
         WHERE t.${id} = r.key AND t.${terms.name} IS NULL${ofTenant(table)}`,
        [
          PgBinary.texts(rows.map((row) => String(row["key"]))),
          ...targets.map(({ of }) => PgBinary.texts(lexemes.map(of)))
        ]
      )
    }
  })

/** Members that terms are made of, and those without which a row is no chunk. */
const read: ReadonlySet<string> = new Set(["id", "documentId", "source", "text", "headingPath", "metadata"])

/** Rows that `list` reads at once. */
const page = 5000

export const list = (pool: Pool, table: Table): Stream.Stream<Listed, SinkError> => {
  const id = column(table, "id")
  const sql = `SELECT ${id} AS id, ${column(table, "documentId")} AS document FROM ${table.rows}
    WHERE ${id} > $1 ORDER BY ${id} LIMIT ${page}`
  return Pages.stream("", (after) =>
    Effect.map(pool.query(sql, [after]), (rows) => [
      rows.map((row) => listed(row["document"], row["id"])),
      rows.length < page ? null : String(rows.at(-1)?.["id"])
    ])
  )
}
