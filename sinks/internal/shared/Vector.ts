import { type EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"

/** The vector as 32-bit floats, little-endian. */
export const littleEndian = (vector: ArrayLike<number>): Uint8Array => {
  const view = new DataView(new ArrayBuffer(4 * vector.length))
  for (let index = 0; index < vector.length; index++) view.setFloat32(4 * index, vector[index] ?? 0, true)
  return Buffer.from(view.buffer)
}

/** Fails with `Rejected` for the first chunk whose vector is not of the space that was prepared. */
export const check = (
  sink: string,
  space: EmbeddingSpace | null,
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, SinkError> =>
  Effect.suspend(() => {
    for (const { id, documentId, embedding } of chunks) {
      if (embedding !== undefined && embedding.length !== space?.dimensions) {
        return new SinkError({
          sink,
          reason: "Rejected",
          problem: `chunk ${id} of ${documentId} has a vector of ${embedding.length} dimensions, and the store was prepared for ${
            space === null ? "chunks without vectors" : `${space.dimensions} (${space.model})`
          }`
        })
      }
    }
    return Effect.void
  })

/** Fails with `Mismatch` when a query's vector cannot be compared with those that are stored. */
export const checkQuery = (
  sink: string,
  space: EmbeddingSpace | null,
  vector: ArrayLike<number> | undefined
): Effect.Effect<void, SinkError> =>
  vector === undefined || vector.length === space?.dimensions
    ? Effect.void
    : Effect.fail(
        new SinkError({
          sink,
          reason: "Mismatch",
          problem:
            space === null
              ? "the query has a vector, and the store holds chunks without vectors; search by text alone"
              : `the query's vector has ${vector.length} dimensions, and the store holds those of ${space.model} with ${space.dimensions}; embed the query with that model`
        })
      )
