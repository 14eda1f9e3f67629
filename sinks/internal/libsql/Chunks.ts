import type { DocumentChunks, Listed, SinkError } from "docsluice/ChunkSink"
import type { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { columns, listed } from "../shared/ChunkRow.ts"
import * as Pages from "../shared/Pages.ts"
import { escape, fromJson, toJson, unescape } from "../shared/PlainText.ts"
import * as Tenant from "../shared/Tenant.ts"
import { littleEndian } from "../shared/Vector.ts"
import { type Database, type Value } from "./Database.ts"
import { searchColumns, searchMembers, termsOf } from "./Schema.ts"

/** Rows of one statement; more gain nothing. */
const rowsAtOnce = 100

/** The rows that a sink writes and reads: all, or those of a tenant. */
export interface Part {
  readonly db: Database
  readonly tenant: string | null
}

const names = [...columns.map(({ name }) => name), "embedding"]
const inserts = new Map<string, string>()

const insertOf = (count: number, tenant: string | null): string => {
  const key = `${count} ${tenant !== null}`
  const known = inserts.get(key)
  if (known !== undefined) return known
  const into = tenant === null ? names : ["tenant", ...names]
  const places = `(${into.map(() => "?").join(", ")})`
  const sql = `INSERT INTO chunks (${into.join(", ")}) VALUES ${Array.from({ length: count }, () => places).join(", ")}`
  inserts.set(key, sql)
  return sql
}

const insert = ({ db, tenant }: Part, chunks: ReadonlyArray<DocumentChunk>): void => {
  for (let from = 0; from < chunks.length; from += rowsAtOnce) {
    const part = chunks.slice(from, from + rowsAtOnce)
    const parameters: Array<Value> = []
    for (const chunk of part) {
      if (tenant !== null) parameters.push(tenant)
      for (const { encode } of columns) parameters.push(encode(chunk))
      parameters.push(chunk.embedding === undefined ? null : littleEndian(chunk.embedding))
    }
    db.run(insertOf(part.length, tenant), parameters)
  }
}

const removeWhere = ({ db, tenant }: Part, column: "id" | "document_id", values: string): void =>
  db.run(`DELETE FROM chunks WHERE ${column} IN (SELECT value FROM json_each(?))${Tenant.condition(tenant)}`, [values])

const removeIds = (part: Part, ids: ReadonlyArray<ChunkId>): void => removeWhere(part, "id", toJson(ids))

const idOf = ({ id }: DocumentChunk): ChunkId => id

/** Writes chunks, replacing those with the same ids, in one transaction. The rows are new, so that the full-text index follows. */
export const write = (part: Part, batch: ReadonlyArray<DocumentChunk>): Effect.Effect<void, SinkError> =>
  part.db.attempt(() =>
    part.db.transaction(() => {
      removeIds(part, batch.map(idOf))
      insert(part, batch)
    })
  )

export const remove = (part: Part, ids: ReadonlyArray<ChunkId>): Effect.Effect<void, SinkError> =>
  part.db.attempt(() => part.db.transaction(() => removeIds(part, ids)))

/** Sets the chunks of the documents to exactly these, in one transaction. */
export const replaceAll = (part: Part, documents: ReadonlyArray<DocumentChunks>): Effect.Effect<void, SinkError> =>
  part.db.attempt(() => {
    const chunks = documents.flatMap((one) => one.chunks)
    const ids = toJson(documents.map(({ documentId }) => escape(documentId)))
    part.db.transaction(() => {
      removeWhere(part, "document_id", ids)
      removeIds(part, chunks.map(idOf))
      insert(part, chunks)
    })
  })

/** Rows that one step of `list` takes. */
const page = 500

/** Rows that one step of the index takes, so that the event loop is never held for long: terms of 100 chunks take some 50 ms. */
const step = 100

export const list = ({ db, tenant }: Part): Stream.Stream<Listed, SinkError> =>
  Pages.stream(0, (after) =>
    Effect.map(
      db.attempt(() =>
        db.rows(
          `SELECT row, document_id, id FROM chunks WHERE row > ?${Tenant.condition(tenant)} ORDER BY row LIMIT ?`,
          [after, page]
        )
      ),
      (rows) => [
        rows.map(([, documentId, id]) => listed(documentId, id)),
        rows.length < page ? null : Number(rows.at(-1)?.[0])
      ]
    )
  )

/** Number of rows, inside an attempt. SQLite counts them one by one. */
export const size = ({ db, tenant }: Part): number => {
  const [known, name] = [db.counts(), `chunks ${tenant ?? ""}`]
  const count =
    known.get(name) ?? Number(db.rows(`SELECT count(*) FROM chunks WHERE TRUE${Tenant.condition(tenant)}`)[0]?.[0])
  known.set(name, count)
  return count
}

export const count = (part: Part): Effect.Effect<number, SinkError> => part.db.attempt(() => size(part))

/** Brings the full-text index up to date, one transaction per step. */
export const index = (db: Database): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    while (yield* db.attempt(() => indexStep(db))) yield* Effect.yieldNow()
  })

/**
 * Indexes the rows that the full-text index lacks in `chunks_waiting`, a table of this connection alone: nothing in the file is
 * changed.
 */
export const indexAside = (db: Database): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    yield* db.attempt(() =>
      db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunks_waiting USING fts5(${searchColumns(versionOf(db))})`)
    )
    while (yield* db.attempt(() => asideStep(db))) yield* Effect.yieldNow()
  })

/** The next rows above one, a step of them at most: the first, the last and their number. */
const nextRows = (db: Database, above: string): ReadonlyArray<unknown> =>
  db.rows(
    `SELECT min(row), max(row), count(*) FROM (SELECT row FROM chunks WHERE row > (${above}) ORDER BY row LIMIT ?)`,
    [step]
  )[0] ?? []

/** None for a text that is not JSON, which another program wrote. */
const jsonOf = Schema.decodeUnknownOption(Schema.parseJson())

const Headings = Schema.Array(Schema.Struct({ text: Schema.String }))
const Members = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const read = <A>(json: unknown, is: (value: unknown) => value is A, otherwise: A): A => {
  const value = Option.getOrNull(jsonOf(fromJson(String(json))))
  return is(value) ? value : otherwise
}

/** Terms that rows get: those of the index that is there. */
const versionOf = (db: Database): Terms.Version => termsOf(db) ?? Terms.version

const insertTerms = (db: Database, table: string, first: unknown, last: unknown): void => {
  const version = versionOf(db)
  const rows = db.readable(
    "SELECT row, text, heading_path, source, metadata FROM chunks WHERE row BETWEEN ? AND ? ORDER BY row",
    [Number(first), Number(last)]
  )
  const indexed = rows.flatMap(([row, text, headingPath, source, metadata]) => {
    const terms = Terms.texts(
      {
        text: unescape(String(text)),
        headingPath: read(headingPath, Schema.is(Headings), []),
        source: unescape(String(source)),
        metadata: read(metadata, Schema.is(Members), {})
      },
      version
    )
    return [Number(row), terms.text, terms.headings, terms.source]
  })
  // One statement for all: on a server each statement is one request.
  db.run(
    `INSERT INTO ${table} (rowid, ${searchMembers(version).join(", ")}) VALUES ${rows.map(() => "(CAST(? AS INTEGER), ?, ?, ?)").join(", ")}`,
    indexed
  )
}

const asideStep = (db: Database): boolean => {
  const known = "max((SELECT indexed FROM docsluice), (SELECT ifnull(max(rowid), 0) FROM temp.chunks_waiting))"
  const [first, last, count] = nextRows(db, `SELECT ${known}`)
  if (count === 0) return false
  insertTerms(db, "temp.chunks_waiting", first, last)
  return count === step
}

const indexStep = (db: Database): boolean => {
  const indexed = "SELECT indexed FROM docsluice"
  if (nextRows(db, indexed)[2] === 0) return false
  return db.transaction(() => {
    const [first, last, count] = nextRows(db, indexed)
    if (count === 0) return false
    insertTerms(db, "chunks_fts", first, last)
    db.run("UPDATE docsluice SET indexed = ?", [Number(last)])
    return count === step
  })
}
