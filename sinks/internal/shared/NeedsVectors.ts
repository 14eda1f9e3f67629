import { type EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import * as Vector from "./Vector.ts"

/** For stores that keep nothing without a vector in a space of vectors: every chunk has one, and of the space's length. */
export const check = (
  sink: string,
  space: EmbeddingSpace | null,
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, SinkError> => {
  const bare = space === null ? undefined : chunks.find(({ embedding }) => embedding === undefined)
  return bare === undefined
    ? Vector.check(sink, space, chunks)
    : Effect.fail(
        new SinkError({
          sink,
          reason: "Rejected",
          problem: `chunk ${bare.id} of ${bare.documentId} has no vector, and nothing is kept here without one`
        })
      )
}
