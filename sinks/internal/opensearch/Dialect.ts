/** The differences between OpenSearch and Elasticsearch. */
import type { EmbeddingSpace } from "docsluice/ChunkSink"
import * as Schema from "effect/Schema"
import type { FactQuery } from "./Filter.ts"

/** Calls and bodies of one of the two. */
export interface Dialect {
  readonly name: "opensearch" | "elasticsearch"
  readonly settings: (space: EmbeddingSpace | null) => object
  /** Mapping of the field `embedding`. */
  readonly vector: (space: EmbeddingSpace) => object
  /** Body of a search for the nearest vectors among those that the filter lets pass, without `_source`. */
  readonly nearest: (vector: ReadonlyArray<number>, limit: number, filter: FactQuery | null) => object
  /** What a search sends to get the vectors back. */
  readonly withVectors: object
  readonly openPoint: (index: string) => string
  /** Path and body that end a point in time. */
  readonly closePoint: (id: string) => readonly [string, object]
}

/** The answer to `GET /`. */
export const Root = Schema.Struct({
  version: Schema.Struct({ number: Schema.String, distribution: Schema.optional(Schema.String) })
})

/** Id of a point in time. */
export const Point = Schema.Union(Schema.Struct({ pit_id: Schema.String }), Schema.Struct({ id: Schema.String }))

const spaceTypes = { cosine: "cosinesimil", dot: "innerproduct", euclidean: "l2" } as const

const similarities = { cosine: "cosine", dot: "max_inner_product", euclidean: "l2_norm" } as const

const keepAlive = "keep_alive=2m"

const openSearch: Dialect = {
  name: "opensearch",
  settings: (space) => (space === null ? {} : { "index.knn": true }),
  vector: ({ dimensions, metric }) => ({
    type: "knn_vector",
    dimension: dimensions,
    method: { name: "hnsw", engine: "lucene", space_type: spaceTypes[metric] }
  }),
  nearest: (vector, limit, filter) => ({
    size: limit,
    query: { knn: { embedding: { vector, k: limit, ...(filter !== null && { filter }) } } }
  }),
  withVectors: { _source: ["embedding"] },
  openPoint: (index) => `/${index}/_search/point_in_time?${keepAlive}`,
  closePoint: (id) => ["/_search/point_in_time", { pit_id: [id] }]
}

const elasticsearch: Dialect = {
  name: "elasticsearch",
  settings: () => ({}),
  vector: ({ dimensions, metric }) => ({
    type: "dense_vector",
    dims: dimensions,
    index: true,
    similarity: similarities[metric]
  }),
  nearest: (vector, limit, filter) => ({
    size: limit,
    knn: {
      field: "embedding",
      query_vector: vector,
      k: limit,
      num_candidates: Math.min(10_000, 2 * limit),
      ...(filter !== null && { filter })
    }
  }),
  withVectors: { _source: ["embedding"] },
  openPoint: (index) => `/${index}/_pit?${keepAlive}`,
  closePoint: (id) => ["/_pit", { id }]
}

/** From 9.2 on it leaves vectors out of what it gives back, unless it is asked for them in words that it knows from 9.1 on. */
const elasticsearch91: Dialect = {
  ...elasticsearch,
  withVectors: { _source: { includes: ["embedding"], exclude_vectors: false } }
}

export const of = ({ version }: typeof Root.Type): Dialect => {
  if (version.distribution === "opensearch") return openSearch
  const [major = 0, minor = 0] = version.number.split(".").map(Number)
  return major > 9 || (major === 9 && minor >= 1) ? elasticsearch91 : elasticsearch
}
