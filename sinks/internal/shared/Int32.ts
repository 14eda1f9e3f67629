import { SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"

const members = ["index", "tokens", "start", "end"] as const

const largest = 2 ** 31 - 1

/** Fails with `Rejected` for the first chunk with a number that a column of 32 bits cannot hold. */
export const check = (sink: string, chunks: ReadonlyArray<DocumentChunk>): Effect.Effect<void, SinkError> =>
  Effect.suspend(() => {
    for (const chunk of chunks) {
      const member = members.find((name) => chunk[name] > largest)
      if (member !== undefined) {
        return new SinkError({
          sink,
          reason: "Rejected",
          problem: `chunk ${chunk.id} of ${chunk.documentId} has ${chunk[member]} as \`${member}\`, and at most ${largest} is kept here`
        })
      }
    }
    return Effect.void
  })
