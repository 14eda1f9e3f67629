import * as Effect from "effect/Effect"
import type { Embedder } from "../../Embedder.ts"
import { failed, notAttempted, thrown } from "./outcome.ts"
import { type Context, type Ended, lost, type Prepared, type Refused } from "./prepare.ts"

type Item = Ended | Refused | Prepared

/** The stage that adds vectors to chunks. */
export interface Stage {
  /** The prepared item itself when it needs no vectors, else undefined; to be called once for each item that arrives. */
  readonly withoutVectors: (prepared: Item) => Ended | Refused | undefined
  /**
   * Adds vectors to the chunks of a document; never fails. The parse's answer is cached by now, so a document that fails here
   * costs no parse request in the next run.
   */
  readonly embed: (prepared: Item) => Effect.Effect<Item>
}

/**
 * Makes the stage of a run. `concurrency` documents are in it at most: texts wait for others to share a request only while a document on
 * its way here can arrive.
 */
export const stage = (context: Context, embedder: Embedder.Service, concurrency: number): Stage => {
  const { budget, session } = context
  let arrived = 0
  let inside = 0
  const expecting = () => arrived < session.discovered && inside < concurrency && !budget.exhausted
  const embed = (prepared: Prepared): Effect.Effect<Item> => {
    const { attempts, chunked, document, file, lease } = prepared
    return Effect.suspend(() => embedder.embed(chunked.chunks, { expecting, halt: session })).pipe(
      Effect.map((chunks): Prepared => ({ ...prepared, chunked: { ...chunked, chunks } })),
      Effect.catchTag("EmbeddingError", (error) =>
        Effect.sync((): Ended => {
          lease.release()
          if (error.severity === "document") {
            return lost(context, file, failed(file.path, error, error.retryable, attempts, document.contentHash))
          }
          session.halt(error)
          return { _tag: "Ended", outcome: notAttempted(file), keep: false, note: null, root: null }
        })
      ),
      Effect.catchAllDefect((defect) =>
        Effect.sync((): Ended => {
          lease.release()
          return lost(context, file, failed(file.path, thrown(defect), false, attempts, document.contentHash))
        })
      )
    )
  }
  return {
    withoutVectors: (prepared) => {
      arrived += 1
      return prepared._tag === "Chunked" ? undefined : prepared
    },
    embed: (prepared) => {
      if (prepared._tag !== "Chunked") return Effect.succeed(prepared)
      inside += 1
      return Effect.ensuring(
        embed(prepared),
        Effect.sync(() => {
          inside -= 1
        })
      )
    }
  }
}
