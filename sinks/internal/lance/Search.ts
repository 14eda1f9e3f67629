import type * as Lance from "@lancedb/lancedb"
import { type CheckedQuery as Query, type EmbeddingSpace, type Hit, type Range, SinkError } from "docsluice/ChunkSink"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Terms from "docsluice/Terms"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Damaged from "../shared/Damaged.ts"
import { depth, fuse, weightOf } from "../shared/Fusion.ts"
import { cosine } from "../shared/Similarity.ts"
import * as LanceFilter from "./Filter.ts"
import * as LanceRows from "./Rows.ts"
import { attempt } from "./Table.ts"

/** Columns that an earlier version searched by words. */
const textColumns = ["text", "headings"]

/** A literal of LanceDB's SQL. */
export const quoted = (text: string): string => `'${ChunkRecord.plain(text).replaceAll("'", "''")}'`

/** Candidates of an index that are compared exactly, for each one that is asked for. */
const refine = 2

/** Names of the metrics. */
export const distances = { cosine: "cosine", dot: "dot", euclidean: "l2" } as const

const Row = Schema.Struct({
  id: Schema.String,
  text: Schema.Unknown,
  chunk: Schema.Unknown,
  vector: Schema.optional(Schema.Unknown)
})

const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const unreadable = (sink: string) => (cause: unknown) =>
  new SinkError({ sink, reason: "Mismatch", problem: "a row of the table is not a chunk of this version", cause })

/** Words as the index has them; what is left of syntax is no word. */
const words = (text: string): string => (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(" ")

/** Terms of the words that tell something, or of all when none does. */
const termsOf = (query: string): string => {
  const sought = Terms.sought(query)
  const telling = sought.filter(({ idle }) => !idle)
  return (telling.length > 0 ? telling : sought).flatMap(({ terms }) => terms).join(" ")
}

const lacking = `${LanceRows.termsColumn} IS NULL`

/** Number of rows without terms, which an earlier version wrote. */
const waiting = (sink: string, table: Lance.Table) =>
  attempt(sink, "cannot read the table", () => table.countRows(lacking))

/** Rows that get their terms in one commit. */
const filled = 1000

/**
 * Gives terms to the rows that have none; the texts are in the table. Each commit is one step, so that a kill loses one at most. A
 * row that holds no chunk gets none, and is found by none. False when every row had terms.
 */
export const fill = (
  sink: string,
  table: Lance.Table,
  arrow: LanceRows.ArrowPackage
): Effect.Effect<boolean, SinkError> =>
  Effect.gen(function* () {
    let some = false
    while ((yield* waiting(sink, table)) > 0) {
      const rows: unknown = yield* attempt(sink, "cannot read the table", () =>
        table.query().where(lacking).select(["id", "text", "chunk"]).limit(filled).toArray()
      )
      const chunks = yield* Effect.forEach(
        yield* Effect.mapError(decodeRows(rows), unreadable(sink)),
        ({ chunk, id, text }) =>
          Effect.map(Effect.option(ChunkRecord.decode({ text, record: chunk })), (found) => ({
            id,
            chunk: Option.getOrNull(found)
          }))
      )
      yield* attempt(sink, "cannot write", () =>
        table.mergeInsert("id").whenMatchedUpdateAll().execute(LanceRows.terms(arrow, chunks))
      )
      some = true
    }
    return some
  })

/** Chunks of a document with indexes of a range, in order. */
export const range = (sink: string, table: Lance.Table, { documentId, from, to }: Range) =>
  Effect.gen(function* () {
    const rows: unknown = yield* attempt(sink, "cannot read the table", () =>
      table
        .query()
        .where(`document_id = ${quoted(documentId)} AND chunk_index BETWEEN ${from} AND ${to}`)
        .select(["id", "text", "chunk"])
        .toArray()
    )
    const found = yield* Effect.forEach(yield* Effect.mapError(decodeRows(rows), unreadable(sink)), ({ chunk, text }) =>
      Effect.mapError(ChunkRecord.decode({ text, record: chunk }), unreadable(sink))
    )
    return found.toSorted((left, right) => left.index - right.index)
  })

export const search = Effect.fnUntraced(function* (
  sink: string,
  table: Lance.Table,
  space: EmbeddingSpace | null,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const schema = yield* attempt(sink, "cannot read the table", () => table.schema())
  const hasTerms = LanceRows.hasTerms(schema)
  const text = hasTerms ? termsOf(query.text) : words(query.text)
  const { vector } = query
  if (query.limit < 1 || (text === "" && vector === undefined)) return []
  const where = query.filter === undefined ? [] : [`(${LanceFilter.translate(query.filter)})`]
  const filtered = <A extends Lance.Query | Lance.VectorQuery>(all: A, ...more: ReadonlyArray<string>): A => {
    const conditions = [...where, ...more]
    if (conditions.length > 0) all.where(conditions.join(" AND "))
    return all
  }
  const hitColumns = ["id", "text", "chunk", ...(vector !== undefined && space !== null ? ["vector"] : [])]
  const candidates = depth(query.limit)
  const ranked = (rows: () => Promise<unknown>) =>
    Effect.mapError(Effect.flatMap(attempt(sink, "cannot search", rows), decodeRows), (error) =>
      error._tag === "SinkError" ? error : unreadable(sink)(error)
    )
  const byWords = (sought: string, columns: Array<string>, ...more: ReadonlyArray<string>) =>
    sought === ""
      ? Effect.succeed([])
      : ranked(() =>
          filtered(table.query().fullTextSearch(sought, { columns }), ...more)
            .limit(candidates)
            .select([...hitColumns, "_score"])
            .toArray()
        )
  // Rows that an earlier version wrote come after the others, until the next ingest gives them terms.
  const byText = hasTerms
    ? Effect.zipWith(
        byWords(text, [LanceRows.termsColumn]),
        Effect.flatMap(waiting(sink, table), (rows) =>
          rows === 0 ? Effect.succeed([]) : byWords(words(query.text), textColumns, lacking)
        ),
        (found, others) => [...found, ...others]
      )
    : byWords(text, textColumns)
  const byVector = (near: ReadonlyArray<number>) =>
    ranked(() =>
      filtered(table.query().nearestTo([...near]))
        .distanceType(distances[space?.metric ?? "cosine"])
        // Without an index both are without effect. An index of 8-bit components ranks nearly; the vectors themselves decide.
        .refineFactor(refine)
        .ef(Math.max(200, 2 * candidates))
        .limit(candidates)
        .select([...hitColumns, "_distance"])
        .toArray()
    )
  const texts = yield* byText
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
    best.map(({ row: { chunk, id, text, vector: own }, score }) => ({
      id,
      score,
      similarity: vector === undefined || !Predicate.isIterable(own) ? null : cosine(vector, Array.from(own, Number)),
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
