import type * as Lance from "@lancedb/lancedb"
import { type EmbeddingSpace, type Hit, type Query, SinkError } from "docsluice/ChunkSink"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Damaged from "../shared/Damaged.ts"
import { depth, fuse, weightOf } from "../shared/Fusion.ts"
import { tag } from "../shared/Tags.ts"
import { attempt } from "./Table.ts"

/** Columns with a full-text index. */
export const textColumns = ["text", "headings"]

/** A literal of LanceDB's SQL. */
export const quoted = (text: string): string => `'${ChunkRecord.plain(text).replaceAll("'", "''")}'`

/** Candidates of an index that are compared exactly, for each one that is asked for. */
const refine = 2

/** Names of the metrics. */
export const distances = { cosine: "cosine", dot: "dot", euclidean: "l2" } as const

const Row = Schema.Struct({ id: Schema.String, text: Schema.Unknown, chunk: Schema.Unknown })

const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const unreadable = (sink: string) => (cause: unknown) =>
  new SinkError({ sink, reason: "Mismatch", problem: "a row of the table is not a chunk of this version", cause })

/** Words as the index has them; what is left of syntax is no word. */
const words = (text: string): string => (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(" ")

export const search = Effect.fnUntraced(function* (
  sink: string,
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
  const columns = ["id", "text", "chunk"]
  const candidates = depth(query.limit)
  const ranked = (rows: () => Promise<unknown>) =>
    Effect.mapError(Effect.flatMap(attempt(sink, "cannot search", rows), decodeRows), (error) =>
      error._tag === "SinkError" ? error : unreadable(sink)(error)
    )
  const byText = ranked(() =>
    filtered(table.query().fullTextSearch(text, { columns: textColumns }))
      .limit(candidates)
      .select([...columns, "_score"])
      .toArray()
  )
  const byVector = (near: ReadonlyArray<number>) =>
    ranked(() =>
      filtered(table.query().nearestTo([...near]))
        .distanceType(distances[space?.metric ?? "cosine"])
        // Without an index both are without effect. An index of 8-bit components ranks nearly; the vectors themselves decide.
        .refineFactor(refine)
        .ef(Math.max(200, 2 * candidates))
        .limit(candidates)
        .select([...columns, "_distance"])
        .toArray()
    )
  const texts = text === "" ? [] : yield* byText
  const vectors = vector === undefined ? [] : yield* byVector(vector)
  const rows = new Map([...texts, ...vectors].map((row) => [row.id, row]))
  const rankings = [
    { keys: texts.map(({ id }) => id), weight: 1 },
    { keys: vectors.map(({ id }) => id), weight: weightOf(space) }
  ]
  const best = fuse(rankings, query.limit).flatMap(({ key, score }) => {
    const row = rows.get(key)
    return row === undefined ? [] : [{ score, row }]
  })
  return yield* Damaged.hits(
    sink,
    best.map(({ row: { chunk, id, text }, score }) => ({
      id,
      score,
      chunk: ChunkRecord.decode({ text, record: chunk })
    }))
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
