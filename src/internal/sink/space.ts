/** The embedding space of a store's vectors. */
import * as Schema from "effect/Schema"

/**
 * The space of a store's vectors; it is stamped into the target, so that the vectors of two models never mix.
 *
 * @since 0.1.0
 * @category models
 */
export const EmbeddingSpace = Schema.Struct({
  model: Schema.String,
  dimensions: Schema.Int.pipe(Schema.positive()),
  normalized: Schema.Boolean,
  metric: Schema.Literal("cosine", "dot", "euclidean")
})

/**
 * @since 0.1.0
 * @category models
 */
export type EmbeddingSpace = typeof EmbeddingSpace.Type

/**
 * Describes a space in words; two spaces that may not be mixed never have the same description.
 *
 * @since 0.1.0
 * @category models
 */
export const describeSpace = (space: EmbeddingSpace | null): string =>
  space === null
    ? "chunks without vectors"
    : `vectors of ${space.model} (${space.dimensions} dimensions, ${space.metric}${space.normalized ? ", normalized" : ""})`

export const sameSpace = (left: EmbeddingSpace | null, right: EmbeddingSpace | null): boolean =>
  describeSpace(left) === describeSpace(right)
