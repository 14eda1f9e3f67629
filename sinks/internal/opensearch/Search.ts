import type { CheckedQuery as Query, EmbeddingSpace, Frequencies, Hit, Range, SinkError } from "docsluice/ChunkSink"
import type * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import { breadth, type Ranking } from "../shared/Fusion.ts"
import * as Hits from "../shared/Hits.ts"
import { cosine } from "../shared/Similarity.ts"
import * as Words from "../shared/Words.ts"
import * as Facts from "./Facts.ts"
import * as OpenSearchFilter from "./Filter.ts"
import type { Index } from "./Index.ts"

/** An index that is open: the space of its vectors, and the version of its terms. */
export interface Opened {
  readonly space: EmbeddingSpace | null
  readonly terms: Terms.Version
}

const Found = Schema.Struct({
  hits: Schema.Struct({
    hits: Schema.Array(
      Schema.Struct({
        _id: Schema.String,
        _score: Schema.NullOr(Schema.Number),
        _source: Schema.Record({ key: Schema.String, value: Schema.Unknown })
      })
    )
  })
})

type Row = (typeof Found.Type)["hits"]["hits"][number]

const ranking = (rows: ReadonlyArray<Row>): Ranking<string> =>
  rows.map(({ _id, _score }) => ({ key: _id, score: _score }))

const source = { _source: ["chunk_id", "text", "docsluice"] }

const chunkOf = (row: Row["_source"]) => ChunkRecord.decode({ text: row["text"], record: row["docsluice"] })

/** Most terms of a search: a server takes 1,024 clauses, of which a filter has 256 at most. */
const mostTerms = 700

/** Queries by words, each if those before it find nothing: the words that say something, then the function words. */
const queriesOf = (query: string, version: Terms.Version): ReadonlyArray<object> => {
  const clause = (terms: ReadonlyArray<string>, boost: number) =>
    terms.length === 0
      ? []
      : [{ match: { [Words.nameOf(version)]: { query: terms.join(" "), operator: "or", boost } } }]
  return Words.steps(query, version).map((words) => {
    const { half, whole } = Words.joined(words)
    const first = whole.slice(0, mostTerms)
    const should = [...clause(first, 1), ...clause(half.slice(0, mostTerms - first.length), Words.halfWeight)]
    return { bool: { should, minimum_should_match: 1 } }
  })
}

const isVector = Schema.is(Schema.Array(Schema.Number))

/** BM25 over the terms, and the nearest vectors, both at the same time; joined by score. */
export const search = (
  { dialect, own, path, rest }: Index,
  { space, terms }: Opened,
  query: Query
): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  Effect.gen(function* () {
    const limit = breadth(query.limit)
    const filter = OpenSearchFilter.both(
      own,
      query.filter === undefined ? null : OpenSearchFilter.translate(query.filter)
    )
    const rows = (body: object): Effect.Effect<ReadonlyArray<Row>, SinkError> =>
      Effect.map(rest.call("POST", `/${path}/_search`, body, Found), ({ hits }) => hits.hits)
    const matching = (match: object) =>
      rows({
        size: limit,
        query: filter === null ? match : { bool: { must: [match], filter: [filter] } },
        ...source
      })
    const byText = Effect.reduce(
      queriesOf(query.text, terms),
      [] satisfies ReadonlyArray<Row>,
      (found: ReadonlyArray<Row>, match) => (found.length > 0 ? Effect.succeed(found) : matching(match))
    )
    const vector = space === null ? undefined : query.vector
    const byVector =
      vector === undefined
        ? Effect.succeed([])
        : Effect.flatMap(dialect, ({ nearest }) => rows({ ...nearest(Array.from(vector), limit, filter), ...source }))
    const [texts, vectors] = yield* Effect.all([byText, byVector], { concurrency: 2 })
    const found = new Map([...texts, ...vectors].map((row) => [row._id, row._source]))
    const rankings = { words: ranking(texts), vectors: ranking(vectors), space, query }
    return yield* Hits.fused(
      rest.sink,
      rankings,
      Effect.fnUntraced(function* (keys) {
        const asked = { size: keys.length, query: { ids: { values: keys } } }
        const embedded =
          vector === undefined
            ? []
            : yield* Effect.flatMap(dialect, ({ withVectors }) => rows({ ...asked, ...withVectors }))
        const embeddings = new Map(embedded.map(({ _id, _source }) => [_id, _source["embedding"]]))
        return new Map(
          [...found].map(([key, row]) => {
            const embedding = embeddings.get(key)
            const similarity = vector !== undefined && isVector(embedding) ? cosine(vector, embedding) : null
            return [key, { id: row["chunk_id"], similarity, chunk: chunkOf(row) }]
          })
        )
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
  { own, path, rest }: Index,
  { terms: version }: Opened,
  groups: ReadonlyArray<ReadonlyArray<string>>
): Effect.Effect<Frequencies, SinkError> => {
  const filters = groups.map((terms) => ({ terms: { [Words.nameOf(version)]: terms } }))
  const query = own ?? { match_all: {} }
  const body = { size: 0, track_total_hits: true, query, aggs: { words: { filters: { filters } } } }
  return Effect.map(
    rest.call("POST", `/${path}/_search`, body, Counted),
    ({ aggregations: { words }, hits: { total } }) => ({
      total: total.value,
      counts: words.buckets.map(({ doc_count }) => doc_count)
    })
  )
}

/** Most documents of one answer. */
const window = 10_000

/** Chunks of a document with indexes of a range, in order. */
export const range = Effect.fnUntraced(function* ({ own, path, rest }: Index, { documentId, from, to }: Range) {
  const filter = [
    ...(own === null ? [] : [own]),
    { terms: { facts: [Facts.equals({ name: "documentId" }, documentId)] } },
    { range: { chunk_index: { gte: from, lte: to } } }
  ]
  const body = {
    size: Math.min(window, to - from + 1),
    query: { bool: { filter } },
    sort: [{ chunk_index: "asc" }],
    ...source
  }
  const { hits } = yield* rest.call("POST", `/${path}/_search`, body, Found)
  return yield* Hits.chunks(
    rest.sink,
    "a document",
    hits.hits.map(({ _source }) => chunkOf(_source))
  )
})
