/** Searches that the bench compares with: LangChain's store over the same vectors, and SQLite's own full-text search. */
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect } from "effect"
import Libsql from "libsql"

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
  for (const [at, { headingPath, source, text }] of chunks.entries()) {
    insert.run([at + 1, text.replaceAll("\0", " "), headingPath.map((one) => one.text).join(" "), source])
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
