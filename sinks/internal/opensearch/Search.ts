import type { CheckedQuery as Query, EmbeddingSpace, Frequencies, Hit, Range } from "docsluice/ChunkSink"
import { SinkError } from "docsluice/ChunkSink"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Damaged from "../shared/Damaged.ts"
import { depth, fuse, weightOf } from "../shared/Fusion.ts"
import { cosine } from "../shared/Similarity.ts"
import * as Facts from "./Facts.ts"
import * as OpenSearchFilter from "./Filter.ts"
import { type Index, termsField } from "./Index.ts"
import type { Rest } from "./Rest.ts"

const Found = Schema.Struct({
  hits: Schema.Struct({
    hits: Schema.Array(
      Schema.Struct({ _id: Schema.String, _source: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })
    )
  })
})

type Row = (typeof Found.Type)["hits"]["hits"][number]

const source = { _source: ["chunk_id", "text", "docsluice"] }

const chunkOf = (row: Row["_source"]) => ChunkRecord.decode({ text: row["text"], record: row["docsluice"] })

/** Most terms of a search: a server takes 1,024 clauses, of which a filter has 256 at most. */
const mostTerms = 700

const held = (sought: ReadonlyArray<Terms.Sought>): string =>
  sought
    .flatMap(({ terms }) => terms)
    .slice(0, mostTerms)
    .join(" ")

/** Texts to look for, each if those before it find nothing: the words that say something, then the function words. */
const textsOf = (query: string): ReadonlyArray<string> => {
  const sought = Terms.sought(query)
  return [sought.filter(({ idle }) => !idle), sought.filter(({ idle }) => idle)].map(held).filter((text) => text !== "")
}

const isVector = Schema.is(Schema.Array(Schema.Number))

/** BM25 over the terms, and the nearest vectors, both at the same time; joined by rank. */
export const search = Effect.fnUntraced(function* (
  rest: Rest,
  sink: string,
  index: Index,
  space: EmbeddingSpace | null,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const limit = depth(query.limit)
  const filter = query.filter === undefined ? null : OpenSearchFilter.translate(query.filter)
  const rows = (body: object): Effect.Effect<ReadonlyArray<Row>, SinkError> =>
    Effect.map(rest.call("POST", `/${index.path}/_search`, body, Found), ({ hits }) => hits.hits)
  const matching = (text: string) => {
    const match = { match: { [termsField]: { query: text, operator: "or" } } }
    return rows({
      size: limit,
      query: filter === null ? match : { bool: { must: [match], filter: [filter] } },
      ...source
    })
  }
  const byText = Effect.reduce(
    textsOf(query.text),
    [] satisfies ReadonlyArray<Row>,
    (found: ReadonlyArray<Row>, text) => (found.length > 0 ? Effect.succeed(found) : matching(text))
  )
  const { vector } = query
  const byVector =
    vector === undefined || space === null
      ? Effect.succeed([])
      : Effect.flatMap(index.dialect, ({ nearest }) =>
          rows({ ...nearest(Array.from(vector), limit, filter), ...source })
        )
  const [texts, vectors] = yield* Effect.all([byText, byVector], { concurrency: 2 })
  const found = new Map([...texts, ...vectors].map((row) => [row._id, row._source]))
  const rankings = [
    { keys: texts.map(({ _id }) => _id), weight: 1 },
    { keys: vectors.map(({ _id }) => _id), weight: weightOf(space) }
  ]
  const best = fuse(rankings, query.limit)
  const asked = { size: best.length, query: { ids: { values: best.map(({ key }) => key) } } }
  const embedded =
    vector === undefined || space === null || best.length === 0
      ? []
      : yield* Effect.flatMap(index.dialect, ({ withVectors }) => rows({ ...asked, ...withVectors }))
  const embeddings = new Map(embedded.map(({ _id, _source }) => [_id, _source["embedding"]]))
  return yield* Damaged.hits(
    sink,
    best.flatMap(({ key, score }) => {
      const [row, own] = [found.get(key), embeddings.get(key)]
      const similarity = vector !== undefined && isVector(own) ? cosine(vector, own) : null
      return row === undefined ? [] : [{ id: row["chunk_id"], score, similarity, chunk: chunkOf(row) }]
    })
  )
})

const Counted = Schema.Struct({
  hits: Schema.Struct({ total: Schema.Struct({ value: Schema.Int }) }),
  aggregations: Schema.Struct({
    words: Schema.Struct({ buckets: Schema.Array(Schema.Struct({ doc_count: Schema.Int })) })
  })
})

/** Chunks that hold any term of each group, in one call. */
export const frequencies = (
  rest: Rest,
  index: Index,
  groups: ReadonlyArray<ReadonlyArray<string>>
): Effect.Effect<Frequencies, SinkError> =>
  Effect.map(
    rest.call(
      "POST",
      `/${index.path}/_search`,
      {
        size: 0,
        track_total_hits: true,
        query: { match_all: {} },
        aggs: { words: { filters: { filters: groups.map((terms) => ({ terms: { [termsField]: terms } })) } } }
      },
      Counted
    ),
    ({ aggregations: { words }, hits: { total } }) => ({
      total: total.value,
      counts: words.buckets.map(({ doc_count }) => doc_count)
    })
  )

/** Most documents of one answer. */
const window = 10_000

/** Chunks of a document with indexes of a range, in order. */
export const range = Effect.fnUntraced(function* (
  rest: Rest,
  sink: string,
  index: Index,
  { documentId, from, to }: Range
) {
  const filter = [
    { terms: { facts: [Facts.equals({ name: "documentId" }, documentId)] } },
    { range: { chunk_index: { gte: from, lte: to } } }
  ]
  const body = {
    size: Math.min(window, to - from + 1),
    query: { bool: { filter } },
    sort: [{ chunk_index: "asc" }],
    ...source
  }
  const { hits } = yield* rest.call("POST", `/${index.path}/_search`, body, Found)
  return yield* Effect.forEach(hits.hits, ({ _source }) =>
    Effect.mapError(
      chunkOf(_source),
      (cause) =>
        new SinkError({ sink, reason: "Mismatch", problem: "a document is not a chunk of this version", cause })
    )
  )
})
