/** A search over chunks in memory: simple, exact, and by the same rules as every sink's. */
import type { Hit, Query } from "../../ChunkSink.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { type Condition, matches } from "../../Filter.ts"
import * as Terms from "../../Terms.ts"
import type { EmbeddingSpace } from "../sink/space.ts"

/** Number of the query's words that a text holds, inflected forms counted. */
const heldIn = (query: ReadonlyArray<Terms.Sought>, text: string): number => {
  const held = new Set(Terms.places(text).flatMap(({ terms }) => terms))
  return query.filter(({ terms }) => terms.some((term) => held.has(term))).length
}

const sum = (left: ArrayLike<number>, of: (value: number, at: number) => number): number =>
  Array.from(left).reduce((total, value, at) => total + of(value, at), 0)

const dot = (left: ArrayLike<number>, right: ArrayLike<number>): number =>
  sum(left, (value, at) => value * (right[at] ?? 0))

/** Nearness of two vectors by each metric, greater for nearer ones. */
export const near = {
  cosine: (left: ArrayLike<number>, right: ArrayLike<number>) =>
    dot(left, right) / (Math.sqrt(dot(left, left) * dot(right, right)) || 1),
  dot,
  euclidean: (left: ArrayLike<number>, right: ArrayLike<number>) =>
    -Math.sqrt(sum(left, (value, at) => (value - (right[at] ?? 0)) ** 2))
} as const

/** Chunks that fit, best first: by vector where the query has one, else by the number of its words that a chunk has. */
export const rank = (
  chunks: ReadonlyArray<DocumentChunk>,
  query: Omit<Query, "filter"> & { readonly filter?: Condition | undefined },
  metric: EmbeddingSpace["metric"]
): ReadonlyArray<Hit> => {
  const { filter, limit, text, vector } = query
  const wanted = Terms.sought(text)
  const cosineOf = ({ embedding }: DocumentChunk): number | null =>
    vector === undefined || embedding === undefined ? null : Math.max(0, near.cosine(vector, embedding))
  const scoreOf = ({ embedding, text }: DocumentChunk): number | null => {
    if (vector !== undefined) return embedding === undefined ? null : near[metric](vector, embedding)
    return heldIn(wanted, text) || null
  }
  return chunks
    .filter((chunk) => filter === undefined || matches(filter, chunk))
    .flatMap((chunk) => {
      const score = scoreOf(chunk)
      return score === null ? [] : [{ chunk, score, similarity: cosineOf(chunk) }]
    })
    .toSorted((left, right) => right.score - left.score)
    .slice(0, Math.max(0, limit))
}
