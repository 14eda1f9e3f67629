import * as Effect from "effect/Effect"
import type { Embedder } from "../../Embedder.ts"
import { failed, notAttempted } from "./outcome.ts"
import { type Context, type Ended, lost, type Prepared, type Refused } from "./prepare.ts"

/** What needs no vectors. */
export const atOnce = (prepared: Ended | Refused | Prepared): Ended | Refused | undefined =>
  prepared._tag === "Chunked" ? undefined : prepared

/**
 * Gives the chunks of a document their vectors; never fails. The answer of the parse is kept by now, so a document without vectors
 * costs no request in the next run.
 */
export const embed =
  (
    context: Context,
    embedder: Embedder.Service
  ): ((prepared: Ended | Refused | Prepared) => Effect.Effect<Ended | Refused | Prepared>) =>
  (prepared) => {
    if (prepared._tag !== "Chunked") return Effect.succeed(prepared)
    const { attempts, chunked, document, file, lease } = prepared
    return embedder.embed(chunked.chunks).pipe(
      Effect.map((chunks): Prepared => ({ ...prepared, chunked: { ...chunked, chunks } })),
      Effect.catchTag("EmbeddingError", (error) =>
        Effect.sync((): Ended => {
          lease.release()
          if (error.severity === "document") {
            return lost(context, file, failed(file.path, error, error.retryable, attempts, document.contentHash))
          }
          context.session.halt(error._tag, error.message)
          return { _tag: "Ended", outcome: notAttempted(file), keep: false, note: null, root: null }
        })
      )
    )
  }
