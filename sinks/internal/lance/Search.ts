import type * as Lance from "@lancedb/lancedb"
import { type CheckedQuery as Query, type Hit, type Range, SinkError } from "docsluice/ChunkSink"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import type * as Terms from "docsluice/Terms"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import { breadth, depth, type Ranking } from "../shared/Fusion.ts"
import * as Hits from "../shared/Hits.ts"
import { cosine } from "../shared/Similarity.ts"
import * as Tenant from "../shared/Tenant.ts"
import * as Words from "../shared/Words.ts"
import * as LanceFilter from "./Filter.ts"
import * as LanceRows from "./Rows.ts"
import { attempt, type Opened, reading } from "./Table.ts"

/** Columns that an earlier version searched by words. */
const textColumns = ["text", "headings"]

/** A literal of LanceDB's SQL. */
export const quoted = (text: string): string => `'${ChunkRecord.plain(text).replaceAll("'", "''")}'`

/** Rows of an index that are compared exactly, for each one that it looks at. */
const refine = 2

/** Names of the metrics. */
export const distances = { cosine: "cosine", dot: "dot", euclidean: "l2" } as const

const Row = Schema.Struct({
  id: Schema.String,
  text: Schema.Unknown,
  chunk: Schema.Unknown,
  vector: Schema.optional(Schema.Unknown),
  _score: Schema.optional(Schema.NullOr(Schema.Number)),
  _distance: Schema.optional(Schema.NullOr(Schema.Number))
})

/** Columns from which a chunk is read. */
const hitColumns = ["id", "text", "chunk"]

const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const unreadable = (sink: string) => Hits.unreadable(sink, "a row of the table")

/** The rows of a call, checked. */
const rowsOf = (sink: string, call: Effect.Effect<unknown, SinkError>) =>
  Effect.flatMap(call, (rows) => Effect.mapError(decodeRows(rows), unreadable(sink)))

/** The rows as a ranking by a column of theirs, times `sign`: of a distance, the lowest is best. */
const ranking = (rows: ReadonlyArray<typeof Row.Type>, column: "_score" | "_distance", sign: 1 | -1): Ranking<string> =>
  rows.map(({ id, [column]: value }) => ({
    key: id,
    score: value === undefined || value === null ? null : sign * value
  }))

const chunkOf = ({ chunk, text }: typeof Row.Type) => ChunkRecord.decode({ text, record: chunk })

/** Words as the index has them; what is left of syntax is no word. */
const words = (text: string): string => (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(" ")

/** Condition of rows without terms, which an earlier version wrote. */
const lacking = (version: Terms.Version): string => `${Words.nameOf(version)} IS NULL`

/** Number of rows without terms. */
const waiting = (opened: Opened, version: Terms.Version) =>
  reading(opened, (table) => table.countRows(lacking(version) + Tenant.condition(opened.tenant)))

/** What a search has to know of a table at one of its versions; each change of the table makes another. */
interface Standing {
  readonly at: number
  /** Null for a table without terms. */
  readonly terms: Terms.Version | null
  /** True when there are rows without terms. */
  readonly waits: boolean
}

const standings = new WeakMap<Lance.Table, Standing>()

/** Kept for the version of the table: the rows without terms are found by reading the terms of all. */
const standingOf = Effect.fnUntraced(function* (opened: Opened) {
  const at = yield* reading(opened, (table) => table.version())
  const known = standings.get(opened.table)
  if (known?.at === at) return known
  const terms = LanceRows.versionOf(yield* reading(opened, (table) => table.schema()))
  const found: Standing = { at, terms, waits: terms !== null && (yield* waiting(opened, terms)) > 0 }
  standings.set(opened.table, found)
  return found
})

/** Rows that get their terms in one commit. */
const filled = 1000

/**
 * Gives terms to the rows that have none; the texts are in the table. Each commit is one step, so that a kill loses one at most. A
 * row that holds no chunk gets none, and is found by none. False when every row had terms.
 */
export const fill = Effect.fnUntraced(function* (
  opened: Opened,
  arrow: LanceRows.ArrowPackage,
  version: Terms.Version
): Effect.fn.Return<boolean, SinkError> {
  const { id: sink, table, tenant } = opened
  const where = lacking(version) + Tenant.condition(tenant)
  let some = false
  while ((yield* waiting(opened, version)) > 0) {
    const rows = yield* rowsOf(
      sink,
      reading(opened, (all) => all.query().where(where).select(hitColumns).limit(filled).toArray())
    )
    const chunks = yield* Effect.forEach(rows, (row) =>
      Effect.map(Effect.option(chunkOf(row)), (found) => ({ id: row.id, chunk: Option.getOrNull(found) }))
    )
    yield* attempt(sink, "cannot write", () =>
      table
        .mergeInsert(LanceRows.keyOf(tenant))
        .whenMatchedUpdateAll()
        .execute(LanceRows.terms(arrow, version, chunks, tenant))
    )
    some = true
  }
  return some
})

/** Chunks of a document with indexes of a range, in order. */
export const range = Effect.fnUntraced(function* (opened: Opened, { documentId, from, to }: Range) {
  const where = `document_id = ${quoted(documentId)} AND chunk_index BETWEEN ${from} AND ${to}${Tenant.condition(opened.tenant)}`
  const rows = yield* rowsOf(
    opened.id,
    reading(opened, (table) => table.query().where(where).select(hitColumns).toArray())
  )
  return Hits.byIndex(yield* Hits.chunks(opened.id, "a row of the table", rows.map(chunkOf)))
})

export const search = Effect.fnUntraced(function* (
  opened: Opened,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const { id: sink, lance, space, table } = opened
  const { terms: version, waits } = yield* standingOf(opened)
  const { vector } = query
  if (query.limit < 1) return []
  const where = [
    ...(opened.tenant === null ? [] : [Tenant.equals(opened.tenant)]),
    ...(query.filter === undefined ? [] : [`(${LanceFilter.translate(query.filter)})`])
  ]
  const filtered = <A extends Lance.Query | Lance.VectorQuery>(all: A, ...more: ReadonlyArray<string>): A => {
    const conditions = [...where, ...more]
    if (conditions.length > 0) all.where(conditions.join(" AND "))
    return all
  }
  const wanted = [...hitColumns, ...(vector !== undefined && space !== null ? ["vector"] : [])]
  const [candidates, broad] = [depth(query), breadth(query.limit)]
  const ranked = (rows: () => Promise<unknown>) => rowsOf(sink, attempt(sink, "cannot search", rows))
  const matching = (
    text: Lance.FullTextQuery | string,
    options: Partial<Lance.FullTextSearchOptions>,
    ...more: ReadonlyArray<string>
  ) =>
    ranked(() =>
      filtered(table.query().fullTextSearch(text, options), ...more)
        .limit(candidates)
        .select([...wanted, "_score"])
        .toArray()
    )
  const byWords = (...more: ReadonlyArray<string>) => {
    const text = words(query.text)
    return text === "" ? Effect.succeed([]) : matching(text, { columns: textColumns }, ...more)
  }
  const byTerms = (of: Terms.Version) => {
    const { half, whole } = Words.joined(Words.of(query.text, of))
    const parts: ReadonlyArray<readonly [ReadonlyArray<string>, number]> = [
      [whole, 1],
      [half, Words.halfWeight]
    ]
    const should = parts.flatMap(([terms, boost]): Array<[Lance.Occur, Lance.FullTextQuery]> =>
      terms.length === 0
        ? []
        : [[lance.Occur.Should, new lance.MatchQuery(terms.join(" "), Words.nameOf(of), { boost })]]
    )
    return should.length === 0 ? Effect.succeed([]) : matching(new lance.BooleanQuery(should), {})
  }
  // Rows that an earlier version wrote come after the others, until the next ingest gives them terms.
  const byText =
    version === null
      ? byWords()
      : Effect.zipWith(byTerms(version), waits ? byWords(lacking(version)) : Effect.succeed([]), (found, others) => [
          ...found,
          ...others.map((row) => ({ ...row, _score: null }))
        ])
  const byVector = (near: ReadonlyArray<number>) =>
    ranked(() =>
      filtered(table.query().nearestTo([...near]))
        .distanceType(distances[space?.metric ?? "cosine"])
        // Without an index both are without effect. An index of 8-bit components ranks nearly; the vectors themselves decide.
        .refineFactor(Math.ceil((refine * broad) / candidates))
        .ef(Math.max(200, refine * broad))
        .limit(candidates)
        .select([...wanted, "_distance"])
        .toArray()
    )
  const texts = yield* byText
  const vectors = vector === undefined ? [] : yield* byVector(vector)
  const rows = new Map([...texts, ...vectors].map((row) => [row.id, row]))
  const hitOf = (row: typeof Row.Type): Hits.Row => {
    const { id, vector: stored } = row
    const near =
      vector !== undefined && Predicate.isIterable(stored) ? cosine(vector, Array.from(stored, Number)) : null
    return { id, similarity: near, chunk: chunkOf(row) }
  }
  const rankings = { words: ranking(texts, "_score", 1), vectors: ranking(vectors, "_distance", -1), space, query }
  return yield* Hits.fused(sink, rankings, (ids) =>
    Effect.succeed(
      new Map(
        ids.flatMap((id) => {
          const row = rows.get(id)
          return row === undefined ? [] : [[id, hitOf(row)] as const]
        })
      )
    )
  )
})

const decodeId = Schema.decodeUnknown(Schema.Struct({ documentId: DocumentId, id: ChunkId }))

/** Ids only, in the batches in which the engine gives them. */
export const list = ({ id: sink, table, tenant }: Pick<Opened, "id" | "table" | "tenant">) =>
  Stream.fromAsyncIterable(
    tenant === null
      ? table.query().select(["id", "document_id"])
      : table.query().where(Tenant.equals(tenant)).select(["id", "document_id"]),
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
