import * as Effect from "effect/Effect"
import type { Embedder } from "../../Embedder.ts"
import { failed, notAttempted } from "./outcome.ts"
import { type Context, type Ended, lost, type Prepared, type Refused } from "./prepare.ts"

/** The prepared item itself when it needs no vectors, else undefined. */
export const withoutVectors = (prepared: Ended | Refused | Prepared): Ended | Refused | undefined =>
  prepared._tag === "Chunked" ? undefined : prepared

/**
 * Adds vectors to the chunks of a document; never fails. The parse's answer is cached by now, so a document that fails here
 * costs no parse request in the next run.
 */
export const embed =
  (
    context: Context,
    embedder: Embedder.Service
  ): ((prepared: Ended | Refused | Prepared) => Effect.Effect<Ended | Refused | Prepared>) =>
  (prepared) => {
    if (prepared._tag !== "Chunked") return Effect.succeed(prepared)
    const { attempts, chunked, document, file, lease } = prepared
    return embedder.embed(chunked.chunks, { halt: context.session }).pipe(
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
