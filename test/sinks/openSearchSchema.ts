/** The parts of the published interfaces of OpenSearch and Elasticsearch that the sink uses: bodies of requests. */
import { Schema } from "effect"

export const Field = Schema.Union(
  Schema.Struct({ type: Schema.Literal("keyword"), ignore_above: Schema.optional(Schema.Int) }),
  Schema.Struct({ type: Schema.Literal("keyword"), index: Schema.Boolean, doc_values: Schema.Boolean }),
  Schema.Struct({ type: Schema.Literal("integer") }),
  Schema.Struct({
    type: Schema.Literal("text"),
    analyzer: Schema.optional(Schema.Literal("whitespace")),
    index_options: Schema.optional(Schema.Literal("docs", "freqs", "positions", "offsets"))
  })
)
export const KnnVector = Schema.Struct({
  type: Schema.Literal("knn_vector"),
  dimension: Schema.Int.pipe(Schema.between(1, 16_000)),
  method: Schema.Struct({
    name: Schema.Literal("hnsw"),
    engine: Schema.Literal("lucene"),
    space_type: Schema.Literal("cosinesimil", "innerproduct", "l2")
  })
})
export const DenseVector = Schema.Struct({
  type: Schema.Literal("dense_vector"),
  dims: Schema.Int.pipe(Schema.between(1, 4096)),
  index: Schema.Literal(true),
  similarity: Schema.Literal("cosine", "dot_product", "max_inner_product", "l2_norm")
})
export const Meta = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export const Mappings = Schema.Struct({
  dynamic: Schema.Literal("strict", "true"),
  _meta: Schema.optional(Meta),
  properties: Schema.Record({ key: Schema.String, value: Schema.Union(Field, KnnVector, DenseVector) })
})
export const Create = Schema.Struct({
  settings: Schema.Struct({ "index.knn": Schema.optional(Schema.Boolean) }),
  mappings: Mappings
})
export const Remap = Schema.Struct({ _meta: Meta })
export const Action = Schema.Union(
  Schema.Struct({ index: Schema.Struct({ _id: Schema.String.pipe(Schema.maxLength(512)) }) }),
  Schema.Struct({ delete: Schema.Struct({ _id: Schema.String }) })
)
export const Numbers = Schema.Array(Schema.JsonNumber)

/** Most terms of a `terms` query, `index.max_terms_count`. */
const terms = Schema.Array(Schema.String).pipe(Schema.maxItems(65_536))
const bound = Schema.Union(Schema.String, Schema.Number)
const Range = Schema.Struct({
  gt: Schema.optional(bound),
  gte: Schema.optional(bound),
  lt: Schema.optional(bound),
  lte: Schema.optional(bound)
})
const ofField = <A, I>(value: Schema.Schema<A, I>) =>
  Schema.Record({ key: Schema.String, value }).pipe(
    Schema.filter((body) => Object.keys(body).length === 1 || "expected one field")
  )

/** The parts of the query language that are used here. */
export type Query =
  | { readonly match_all: object }
  | { readonly match_none: object }
  | { readonly ids: { readonly values: ReadonlyArray<string> } }
  | { readonly terms: Readonly<Record<string, ReadonlyArray<string>>> }
  | { readonly range: Readonly<Record<string, typeof Range.Type>> }
  | {
      readonly match: Readonly<
        Record<string, { readonly query: string; readonly operator: "or"; readonly boost: number }>
      >
    }
  | { readonly knn: { readonly embedding: typeof Nearest.Type } }
  | { readonly bool: typeof Bool.Type }

const query = Schema.suspend((): Schema.Schema<Query> => Query)

const Nearest = Schema.Struct({
  vector: Numbers,
  k: Schema.Int.pipe(Schema.between(1, 10_000)),
  filter: Schema.optional(query)
})

const Bool = Schema.Struct({
  must: Schema.optional(Schema.Array(query)),
  filter: Schema.optional(Schema.Array(query)),
  should: Schema.optional(Schema.Array(query)),
  must_not: Schema.optional(Schema.Array(query)),
  minimum_should_match: Schema.optional(Schema.Int)
})

const Query: Schema.Schema<Query> = Schema.Union(
  Schema.Struct({ match_all: Schema.Struct({}) }),
  Schema.Struct({ match_none: Schema.Struct({}) }),
  Schema.Struct({ ids: Schema.Struct({ values: Schema.Array(Schema.String) }) }),
  Schema.Struct({ terms: ofField(terms) }),
  Schema.Struct({ range: ofField(Range) }),
  Schema.Struct({
    match: ofField(Schema.Struct({ query: Schema.String, operator: Schema.Literal("or"), boost: Schema.Positive }))
  }),
  Schema.Struct({ knn: Schema.Struct({ embedding: Nearest }) }),
  Schema.Struct({ bool: Bool })
)

export const Search = Schema.Struct({
  size: Schema.Int.pipe(Schema.between(0, 10_000)),
  query: Schema.optional(Query),
  knn: Schema.optional(
    Schema.Struct({
      field: Schema.Literal("embedding"),
      query_vector: Numbers,
      k: Schema.Int,
      num_candidates: Schema.Int.pipe(Schema.between(1, 10_000)),
      filter: Schema.optional(Query)
    })
  ),
  track_total_hits: Schema.optional(Schema.Boolean),
  aggs: Schema.optional(
    Schema.Struct({ words: Schema.Struct({ filters: Schema.Struct({ filters: Schema.Array(Query) }) }) })
  ),
  _source: Schema.optional(
    Schema.Union(
      Schema.Array(Schema.String),
      Schema.Struct({ includes: Schema.Array(Schema.String), exclude_vectors: Schema.Boolean })
    )
  ),
  pit: Schema.optional(Schema.Struct({ id: Schema.String, keep_alive: Schema.String })),
  sort: Schema.optional(
    Schema.Array(
      Schema.Union(Schema.Struct({ key: Schema.Literal("asc") }), Schema.Struct({ chunk_index: Schema.Literal("asc") }))
    )
  ),
  search_after: Schema.optional(Schema.Array(Schema.String))
})

/** Body of a count or a deletion by a query. */
export const ByQuery = Schema.Struct({ query })
