/** Documents that another process took over while this one was stopped or cut off. */
import * as Effect from "effect/Effect"
import type { ChunkId } from "../../DocumentChunk.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { SourceFile } from "../../SourceFile.ts"
import type { RunContext } from "./context.ts"
import { type Ended, unattempted } from "./item.ts"
import { type RunMemory, take } from "./memory.ts"
import type { SinkWriter } from "./sinkWriter.ts"

interface Stray {
  readonly file: SourceFile
  readonly ids: ReadonlyArray<ChunkId>
  /** Sinks that may have got the chunks. */
  readonly reached: ReadonlyArray<SinkWriter>
}

/**
 * Puts the sinks in order that this process wrote to although the document was another one's by then: waits until that one is done, removes
 * the chunks that are not of the generation that it stored, and has a document that was replaced written again by the next run. The
 * document counts as not attempted.
 */
export const takenOver = (
  { session }: RunContext,
  memory: RunMemory,
  { file, ids, reached }: Stray
): Effect.Effect<Ended, LedgerError> =>
  Effect.gen(function* () {
    const end = unattempted(file)
    session.warnings.push({
      source: file.path,
      message:
        "another process took it over while this one was stopped for longer than its lease; that one's result counts"
    })
    if (reached.length === 0) return end
    yield* take(memory, file, () => false)
    for (const writer of reached) {
      const how = writer.replaces ? "instead" : "beside"
      for (const removal of yield* memory.ledger.stray(file, ids, [writer.sink.id], how)) {
        yield* writer.remove(removal.chunkIds).pipe(
          Effect.zipRight(memory.ledger.removed(removal)),
          // It stays in the ledger, and the next run removes it.
          Effect.catchTag("SinkError", (error) => Effect.logWarning(error.message))
        )
      }
    }
    return end
  })
