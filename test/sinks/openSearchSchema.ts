/** The parts of the published interfaces of OpenSearch and Elasticsearch that the sink uses: bodies of requests. */
import { Schema } from "effect"

export const Field = Schema.Union(
  Schema.Struct({ type: Schema.Literal("keyword"), ignore_above: Schema.optional(Schema.Int) }),
  Schema.Struct({ type: Schema.Literal("keyword"), index: Schema.Boolean, doc_values: Schema.Boolean }),
  Schema.Struct({ type: Schema.Literal("integer") }),
  Schema.Struct({ type: Schema.Literal("text") })
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
export const MultiMatch = Schema.Struct({
  multi_match: Schema.Struct({
    query: Schema.String,
    fields: Schema.Array(Schema.String),
    type: Schema.Literal("most_fields"),
    operator: Schema.Literal("or")
  })
})
export const MatchAll = Schema.Struct({ match_all: Schema.Struct({}) })
export const Knn = Schema.Struct({
  knn: Schema.Struct({ embedding: Schema.Struct({ vector: Numbers, k: Schema.Int.pipe(Schema.between(1, 10_000)) }) })
})
export const Search = Schema.Struct({
  size: Schema.Int.pipe(Schema.between(0, 10_000)),
  query: Schema.optional(Schema.Union(MatchAll, MultiMatch, Knn)),
  knn: Schema.optional(
    Schema.Struct({
      field: Schema.Literal("embedding"),
      query_vector: Numbers,
      k: Schema.Int,
      num_candidates: Schema.Int.pipe(Schema.between(1, 10_000))
    })
  ),
  _source: Schema.Array(Schema.String),
  pit: Schema.optional(Schema.Struct({ id: Schema.String, keep_alive: Schema.String })),
  sort: Schema.optional(Schema.Array(Schema.Struct({ key: Schema.Literal("asc") }))),
  search_after: Schema.optional(Schema.Array(Schema.String))
})
