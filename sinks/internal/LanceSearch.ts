import type * as Lance from "@lancedb/lancedb"
import { type EmbeddingSpace, type Hit, type Query, SinkError } from "docsluice/ChunkSink"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChunkRecord from "./ChunkRecord.ts"
import { attempt } from "./LanceTable.ts"
import { tag } from "./Tags.ts"

/** Columns with a full-text index. */
export const textColumns = ["text", "headings"]

/** A literal of LanceDB's SQL. */
export const quoted = (text: string): string => `'${ChunkRecord.plain(text).replaceAll("'", "''")}'`

const distances = { cosine: "cosine", dot: "dot", euclidean: "l2" } as const

const Row = Schema.Struct({
  text: Schema.String,
  chunk: Schema.String,
  _relevance_score: Schema.optional(Schema.Number),
  _score: Schema.optional(Schema.NullOr(Schema.Number)),
  _distance: Schema.optional(Schema.NullOr(Schema.Number))
})

const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const unreadable = (sink: string) => (cause: unknown) =>
  new SinkError({ sink, reason: "Mismatch", problem: "a row of the table is not a chunk of this version", cause })

/** Words as the index has them; what is left of syntax is no word. */
const words = (text: string): string => (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(" ")

export const search = Effect.fnUntraced(function* (
  sink: string,
  lance: typeof Lance,
  table: Lance.Table,
  space: EmbeddingSpace | null,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const text = words(query.text)
  const { vector } = query
  if (query.limit < 1 || (text === "" && vector === undefined)) return []
  const where = Object.entries(query.filter ?? {}).map(([key, value]) => `array_has(tags, ${quoted(tag(key, value))})`)
  const filtered = <A extends Lance.Query | Lance.VectorQuery>(all: A): A => {
    if (where.length > 0) all.where(where.join(" AND "))
    return all
  }
  const columns = ["text", "chunk"]
  const run = (rows: () => Promise<unknown>) => attempt(sink, "cannot search", rows)
  const byText = () => filtered(table.query().fullTextSearch(text, { columns: textColumns })).limit(query.limit)
  const byVector = (near: ReadonlyArray<number>) =>
    filtered(table.query().nearestTo([...near]))
      .distanceType(distances[space?.metric ?? "cosine"])
      .limit(query.limit)
  const reranker = yield* attempt(sink, "cannot search", () => lance.rerankers.RRFReranker.create())
  const rows = yield* vector === undefined
    ? run(() =>
        byText()
          .select([...columns, "_score"])
          .toArray()
      )
    : text === ""
      ? run(() =>
          byVector(vector)
            .select([...columns, "_distance"])
            .toArray()
        )
      : run(() => byVector(vector).fullTextSearch(text, { columns: textColumns }).rerank(reranker).toArray())
  const found = yield* Effect.mapError(decodeRows(rows), unreadable(sink))
  return yield* Effect.forEach(found, (row) =>
    Effect.map(
      Effect.mapError(ChunkRecord.decode({ text: row.text, record: row.chunk }), unreadable(sink)),
      (chunk) => ({ score: row._relevance_score ?? row._score ?? -(row._distance ?? 0), chunk })
    )
  )
})

const decodeId = Schema.decodeUnknown(Schema.Struct({ documentId: DocumentId, id: ChunkId }))

/** Ids only, in the batches in which the engine gives them. */
export const list = (sink: string, table: Lance.Table) =>
  Stream.fromAsyncIterable(
    table.query().select(["id", "document_id"]),
    (cause) => new SinkError({ sink, reason: "Unavailable", problem: "cannot list the table", cause })
  ).pipe(
    Stream.mapEffect((batch) => {
      const [ids, documents] = [batch.getChild("id"), batch.getChild("document_id")]
      return Effect.forEach(Array.from({ length: batch.numRows }), (_, row) =>
        decodeId({ documentId: documents?.get(row), id: ids?.get(row) })
      ).pipe(Effect.mapError(unreadable(sink)), Effect.map(Chunk.unsafeFromArray))
    }),
    Stream.flattenChunks
  )
