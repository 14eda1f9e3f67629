import * as Effect from "effect/Effect"
import type { Embedder } from "../../Embedder.ts"
import type { RunContext } from "./context.ts"
import { fromDefect } from "./documentError.ts"
import { type Ended, failedBy, halted, type Item, type Prepared, type Refused } from "./item.ts"

/** The stage that adds vectors to chunks. */
export interface EmbeddingStage {
  /** The item itself when it needs no vectors, else undefined; to be called once for each item that arrives. */
  readonly withoutVectors: (item: Item) => Ended | Refused | undefined
  /**
   * Adds vectors to the chunks of a document; never fails. The parse's answer is cached by now, so a document that fails here
   * costs no parse request in the next run.
   */
  readonly embed: (item: Item) => Effect.Effect<Item>
}

/**
 * Makes the stage of a run. `concurrency` documents are in it at most: texts wait for others to share a request only while a document on
 * its way here can arrive.
 */
export const make = (context: RunContext, embedder: Embedder.Service, concurrency: number): EmbeddingStage => {
  const { budget, session } = context
  let arrived = 0
  let inside = 0
  const expecting = () => arrived < session.discovered && inside < concurrency && !budget.exhausted
  const embed = (prepared: Prepared): Effect.Effect<Item> => {
    const { attempts, chunked, document, file, lease } = prepared
    const facts = { attempts, contentHash: document.contentHash }
    const released = (end: () => Ended): Effect.Effect<Ended> =>
      Effect.sync(() => {
        lease.release()
        return end()
      })
    return Effect.suspend(() => embedder.embed(chunked.chunks, { expecting, halt: session })).pipe(
      Effect.map((chunks): Prepared => ({ ...prepared, chunked: { ...chunked, chunks } })),
      Effect.catchTag("EmbeddingError", (error) =>
        released(() =>
          error.severity === "document" ? failedBy(context, file, error, facts) : halted(context, file, error)
        )
      ),
      Effect.catchAllDefect((defect) => released(() => failedBy(context, file, fromDefect(defect), facts)))
    )
  }
  return {
    withoutVectors: (item) => {
      arrived += 1
      return item._tag === "Prepared" ? undefined : item
    },
    embed: (item) => {
      if (item._tag !== "Prepared") return Effect.succeed(item)
      inside += 1
      return Effect.ensuring(
        embed(item),
        Effect.sync(() => {
          inside -= 1
        })
      )
    }
  }
}
