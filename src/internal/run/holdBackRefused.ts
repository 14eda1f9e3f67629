import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Outcome } from "../../Outcome.ts"
import type { RunContext } from "./context.ts"
import type { Refused } from "./item.ts"
import { notAttempted } from "./outcome.ts"
import { record } from "./record.ts"

/** Order and capacity of the waiting outcomes. */
export interface Options {
  /** True: the outcomes after a refused document wait for it. */
  readonly ordered: boolean
  /** Maximum number of waiting outcomes; beyond it, the refusals among them count as their documents' own. */
  readonly capacity: number
}

/**
 * Holds refused documents back until it is known whether the run or the documents caused the refusals. After the first success
 * they are failures like any other; when the run stops before it, those documents count as not attempted; when the source ends
 * before either, they are failures. No worker and no byte of a document is held meanwhile. The end and the failure of the stream
 * come after all outcomes held back.
 */
export const holdBackRefused =
  (context: RunContext, { capacity, ordered }: Options) =>
  <E, R>(outcomes: Stream.Stream<Outcome | Refused, E, R>): Stream.Stream<Outcome, E, R> =>
    Stream.suspend(() => {
      const { session } = context
      let held: Array<Outcome | Refused> = []

      const concluded = (item: Outcome | Refused): Effect.Effect<Outcome> => {
        if (item._tag !== "Refused") return Effect.succeed(item)
        const refusals = session.run.refusals?.() ?? "documents"
        return refusals === "run" || (refusals === "open" && session.stopped() !== null)
          ? Effect.succeed(notAttempted(item.file))
          : record(context, item.failure)
      }
      const release = Effect.suspend(() => {
        const items = held
        held = []
        return Effect.map(Effect.forEach(items, concluded), Chunk.unsafeFromArray)
      })
      const isOpen = (): boolean =>
        session.run.refusals?.() === "open" && session.stopped() === null && held.length <= capacity

      const pass = (chunk: Chunk.Chunk<Outcome | Refused>): Effect.Effect<Chunk.Chunk<Outcome>> => {
        const through: Array<Outcome> = []
        for (const item of chunk) {
          if (item._tag === "Refused" || (ordered && held.length > 0)) held.push(item)
          else through.push(item)
        }
        if (held.length === 0 || isOpen()) return Effect.succeed(Chunk.unsafeFromArray(through))
        return Effect.map(release, (released) => Chunk.appendAll(Chunk.unsafeFromArray(through), released))
      }
      const rest = Stream.unwrap(Effect.map(release, Stream.fromChunk))
      return outcomes.pipe(
        Stream.mapChunksEffect(pass),
        Stream.concat(rest),
        Stream.catchAll((error) => Stream.concat(rest, Stream.fail(error)))
      )
    })
