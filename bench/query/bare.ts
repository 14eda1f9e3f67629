/** Stores as one writes them by hand over the same drivers: rows, an index of words with stems, and one of vectors. */
import { rmSync } from "node:fs"
import * as lancedb from "@lancedb/lancedb"
import * as arrow from "apache-arrow"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import Libsql from "libsql"
import { Pool } from "pg"
import { dimensions } from "./chunks.ts"

/** Words and vector that are asked for, either of which may be missing. */
export interface Asked {
  readonly text: string
  readonly vector?: ReadonlyArray<number> | undefined
}

export interface Bare {
  readonly write: (chunks: ReadonlyArray<DocumentChunk>) => Promise<unknown>
  /** Builds the indexes. */
  readonly finish: () => Promise<unknown>
  /** The best rows with all that they hold, by words or by the vector. */
  readonly search: (asked: Asked, limit: number) => Promise<ReadonlyArray<unknown>>
  readonly close: () => Promise<unknown>
}

const rest = ({ id: _id, documentId: _document, text: _text, embedding: _vector, ...others }: DocumentChunk): string =>
  JSON.stringify(others)

const headings = ({ headingPath }: DocumentChunk): string => headingPath.map(({ text }) => text).join("\n")

const parsed = (row: { readonly rest?: unknown }): unknown => ({ ...row, rest: JSON.parse(String(row.rest)) })

const quoted = (text: string, joint: string): string =>
  text
    .split(" ")
    .map((word) => `"${word}"`)
    .join(joint)

const floats = (vector: ArrayLike<number>): Buffer => Buffer.from(Float32Array.from(vector).buffer)

/** FTS5 with porter stems over the table's own texts, ranked by BM25; vectors compared one by one. */
export const libSql = async (file: string): Promise<Bare> => {
  const db = new Libsql(file)
  db.prepare("PRAGMA journal_mode=WAL").all([])
  db.exec("PRAGMA synchronous=FULL; PRAGMA cache_size=-16384")
  db.exec(`
    CREATE TABLE chunks (
      row INTEGER PRIMARY KEY, id TEXT UNIQUE, document TEXT, headings TEXT, text TEXT, rest TEXT, embedding BLOB
    );
    CREATE INDEX document ON chunks (document);
    CREATE VIRTUAL TABLE words USING fts5(text, headings, content='chunks', content_rowid='row', tokenize='porter unicode61')`)
  const insert = db.prepare(
    "INSERT INTO chunks (id, document, headings, text, rest, embedding) VALUES (?, ?, ?, ?, ?, ?)"
  )
  const members = "id, document, c.text, rest"
  const byWords = db.prepare(
    `SELECT ${members} FROM words JOIN chunks c ON c.row = words.rowid WHERE words MATCH ? ORDER BY rank LIMIT ?`
  )
  const byVector = db.prepare(
    `SELECT ${members}, vector_distance_cos(embedding, ?) AS distance FROM chunks c ORDER BY distance LIMIT ?`
  )
  return {
    write: async (chunks) => {
      db.exec("BEGIN IMMEDIATE")
      for (const chunk of chunks) {
        insert.run([
          chunk.id,
          chunk.documentId,
          headings(chunk),
          chunk.text,
          rest(chunk),
          floats(chunk.embedding ?? [])
        ])
      }
      db.exec("COMMIT")
    },
    finish: async () => db.exec("INSERT INTO words (words) VALUES ('rebuild')"),
    search: async ({ text, vector }, limit) =>
      (vector === undefined ? byWords.all([quoted(text, " OR "), limit]) : byVector.all([floats(vector), limit])).map(
        (row) => parsed(Object(row))
      ),
    close: async () => {
      db.close()
      for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true })
    }
  }
}

/** A `tsvector` of English words with a GIN index, ranked by `ts_rank`; an HNSW index of the vectors. */
export const pgVector = async (url: string): Promise<Bare> => {
  const pool = new Pool({ connectionString: url })
  await pool.query("CREATE EXTENSION IF NOT EXISTS vector")
  await pool.query(
    `CREATE TABLE bare (id text PRIMARY KEY, document text, headings text, text text, rest jsonb, embedding vector(${dimensions}),
       terms tsvector GENERATED ALWAYS AS (to_tsvector('english', headings || ' ' || text)) STORED)`
  )
  await pool.query("CREATE INDEX ON bare (document)")
  const members = "id, document, text, rest::text AS rest"
  return {
    write: (chunks) =>
      pool.query(
        `INSERT INTO bare (id, document, headings, text, rest, embedding)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::vector[])`,
        [
          chunks.map(({ id }) => id),
          chunks.map(({ documentId }) => documentId),
          chunks.map(headings),
          chunks.map(({ text }) => text),
          chunks.map(rest),
          chunks.map(({ embedding = [] }) => JSON.stringify(Array.from(embedding)))
        ]
      ),
    finish: async () => {
      await pool.query("CREATE INDEX ON bare USING gin (terms)")
      await pool.query("CREATE INDEX ON bare USING hnsw (embedding vector_cosine_ops)")
      await pool.query("ANALYZE bare")
    },
    search: async ({ text, vector }, limit) => {
      const { rows } = await (vector === undefined
        ? pool.query<{ readonly rest: string }>(
            `SELECT ${members} FROM bare, websearch_to_tsquery('english', $1) query WHERE terms @@ query
             ORDER BY ts_rank(terms, query) DESC LIMIT $2`,
            [quoted(text, " or "), limit]
          )
        : pool.query<{ readonly rest: string }>(
            `SELECT ${members} FROM bare ORDER BY embedding <=> $1::vector LIMIT $2`,
            [JSON.stringify(vector), limit]
          ))
      return rows.map(parsed)
    },
    close: async () => {
      await pool.query("DROP TABLE bare")
      await pool.end()
    }
  }
}

/** The full-text index as it is by default, with English stems, and an HNSW index of the vectors. */
export const lanceDb = async (folder: string): Promise<Bare> => {
  const connection = await lancedb.connect(folder)
  const vectorType = new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Float32(), true))
  const schema = new arrow.Schema([
    ...["id", "document", "text", "rest"].map((name) => new arrow.Field(name, new arrow.Utf8(), false)),
    new arrow.Field("vector", vectorType, true)
  ])
  const table = await connection.createEmptyTable("bare", schema)
  const texts = (values: ReadonlyArray<string>) => arrow.vectorFromArray([...values], new arrow.Utf8())
  const members = ["id", "document", "text", "rest"]
  return {
    write: (chunks) => {
      const values = new Float32Array(chunks.length * dimensions)
      for (const [row, { embedding = [] }] of chunks.entries()) values.set(embedding, row * dimensions)
      const child = arrow.makeData({ type: new arrow.Float32(), length: values.length, data: values })
      const vector = arrow.makeVector(arrow.makeData({ type: vectorType, length: chunks.length, nullCount: 0, child }))
      return table.add(
        new arrow.Table(schema, {
          id: texts(chunks.map(({ id }) => id)),
          document: texts(chunks.map(({ documentId }) => documentId)),
          text: texts(chunks.map((chunk) => `${headings(chunk)}\n${chunk.text}`)),
          rest: texts(chunks.map(rest)),
          vector
        })
      )
    },
    finish: async () => {
      await table.createIndex("text", { config: lancedb.Index.fts() })
      await table.createIndex("vector", { config: lancedb.Index.hnswSq({ distanceType: "cosine", numPartitions: 1 }) })
      await table.optimize()
    },
    search: async ({ text, vector }, limit) => {
      const rows: ReadonlyArray<unknown> = await (
        vector === undefined
          ? table.query().fullTextSearch(text)
          : table
              .query()
              .nearestTo([...vector])
              .distanceType("cosine")
      )
        .limit(limit)
        .select([...members, vector === undefined ? "_score" : "_distance"])
        .toArray()
      return rows.map((row) => parsed(Object(row)))
    },
    close: async () => connection.close()
  }
}
