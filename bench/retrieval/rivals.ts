/** Searches that the benches compare with: LangChain's store over the same vectors, and the full-text search of SQLite and PostgreSQL. */
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect } from "effect"
import Libsql from "libsql"
import { Client } from "pg"

/** What an index over text, headings and source is given of a chunk. */
export const fieldsOf = ({ headingPath, source, text }: DocumentChunk) => ({
  text: text.replaceAll("\0", " "),
  headings: headingPath.map((one) => one.text).join(" "),
  source
})

/** The best chunks for a query, best first. */
export type Search = (
  text: string,
  vector: ReadonlyArray<number>
) => Effect.Effect<ReadonlyArray<DocumentChunk>, unknown>

export const langChain = (chunks: ReadonlyArray<DocumentChunk>, limit: number): Effect.Effect<Search> =>
  Effect.promise(async () => {
    const store = new MemoryVectorStore({ embedDocuments: async () => [], embedQuery: async () => [] })
    await store.addVectors(
      chunks.map(({ embedding = [] }) => Array.from(embedding)),
      chunks.map(({ text }, at) => ({ pageContent: text, metadata: { at } }))
    )
    return (_, vector) =>
      Effect.promise(async () => {
        const hits = await store.similaritySearchVectorWithScore([...vector], limit)
        return hits.flatMap(([{ metadata }]) => chunks[Number(metadata["at"])] ?? [])
      })
  })

const words = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

const parts = {
  /** Words between blanks, as the tokenizer's own documentation queries it. */
  unicode61: words,
  /** The same, with English stems. */
  "porter unicode61": words,
  /** Every three characters in a row of each word. */
  trigram: (text: string) =>
    words(text).flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - 2) }, (_, at) => word.slice(at, at + 3))
    )
} as const

/** SQLite's FTS5 with one of its tokenizers over text, headings and source, ranked by `bm25`; any part of a query may match. */
export const fts5 = (chunks: ReadonlyArray<DocumentChunk>, tokenizer: keyof typeof parts, limit: number): Search => {
  const db = new Libsql(":memory:")
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(text, headings, source, tokenize="${tokenizer}")`)
  const insert = db.prepare("INSERT INTO t (rowid, text, headings, source) VALUES (?, ?, ?, ?)")
  db.exec("BEGIN")
  for (const [at, chunk] of chunks.entries()) {
    const { headings, source, text } = fieldsOf(chunk)
    insert.run([at + 1, text, headings, source])
  }
  db.exec("COMMIT")
  const select = db.prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid LIMIT ?").raw(true)
  return (text) =>
    Effect.sync(() => {
      const match = [...new Set(parts[tokenizer](text))].map((part) => `"${part}"`).join(" OR ")
      if (match === "") return []
      const rows: ReadonlyArray<unknown> = select.all([match, limit])
      return rows.flatMap((row) => (Array.isArray(row) ? (chunks[Number(row[0]) - 1] ?? []) : []))
    })
}

/** Stemmers that PostgreSQL has; texts in other languages are indexed as they are. */
const stemmed: ReadonlySet<string> = new Set(["arabic", "english", "german", "greek", "russian"])

/**
 * PostgreSQL's own full-text search: `ts_rank` over a `tsvector` of text, headings and source in the language, with a GIN index. The query
 * is of `websearch_to_tsquery`, with `or` between the words: without it, a chunk would have to hold every word of a question.
 */
export const tsRank = (
  chunks: ReadonlyArray<DocumentChunk>,
  at: { readonly url: string; readonly table: string; readonly language: string },
  limit: number
) =>
  Effect.gen(function* () {
    const client = new Client({ connectionString: at.url })
    yield* Effect.acquireRelease(
      Effect.promise(async () => client.connect()),
      () => Effect.promise(async () => client.end())
    )
    const configuration = stemmed.has(at.language) ? at.language : "simple"
    const rows = chunks.map(fieldsOf)
    yield* Effect.promise(async () => {
      await client.query(`CREATE TABLE ${at.table} (id int PRIMARY KEY, terms tsvector NOT NULL)`)
      await client.query(
        `INSERT INTO ${at.table} SELECT id - 1, to_tsvector('${configuration}', text) FROM unnest($1::text[]) WITH ORDINALITY t(text, id)`,
        [rows.map(({ headings, source, text }) => `${text} ${headings} ${source}`)]
      )
      await client.query(`CREATE INDEX ON ${at.table} USING gin (terms)`)
      await client.query(`ANALYZE ${at.table}`)
    })
    const select = `SELECT id FROM ${at.table}, websearch_to_tsquery('${configuration}', $1) query WHERE terms @@ query
      ORDER BY ts_rank(terms, query) DESC, id LIMIT ${limit}`
    const search: Search = (text) =>
      Effect.promise(async () => {
        const wanted = [...new Set(words(text))].map((word) => `"${word}"`).join(" or ")
        const found = await client.query<{ readonly id: number }>(select, [wanted])
        return found.rows.flatMap(({ id }) => chunks[id] ?? [])
      })
    return search
  })
