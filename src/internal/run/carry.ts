import * as Stream from "effect/Stream"
import type { Outcome } from "../../Outcome.ts"
import type { Parser } from "../../Parser.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { adaptiveCeiling } from "../gate/limiter.ts"
import type { Compared } from "./compare.ts"
import { mapConcurrently } from "./mapConcurrently.ts"
import type { RunOptions } from "./options.ts"
import { PostponedFiles, ready } from "./postponed.ts"
import type { Context, Refused } from "./prepare.ts"
import { outcomeIfUnchanged } from "./store.ts"
import * as Work from "./work.ts"

/** The road of compared files to where they are worked on, and of what became of them back. Each file has one result. */
export type Carry<E> = (
  context: Context,
  options: RunOptions
) => <E2, R>(items: Stream.Stream<Compared, E2, R>) => Stream.Stream<Outcome | Refused, E | E2, R | Tokenizer>

/** Maximum number of documents waiting for the sinks at a time; together they make the sinks' batches. */
const storing = 128

/** Results of a stage that wait for the next one: few, since each is a document with its chunks. */
const waiting = 16

/** Files that may be put off until the end, as many as may be found ahead; some 0.3 KB each. */
const mostPostponed = 20_000

/**
 * Number of documents that are prepared at a time. The gate limits the requests; there are three documents for each, since those that wait
 * for a retry leave their place in the gate to others.
 */
const workers = (concurrency: number | "adaptive", { gate }: Parser.Service): number => {
  if (gate === undefined) return concurrency === "adaptive" ? 8 : Math.max(1, concurrency)
  return 3 * (concurrency === "adaptive" ? adaptiveCeiling : Math.max(1, concurrency))
}

/** Through this process: a stage after the other, each with its own concurrency. */
export const here: Carry<never> = (context, options) => (items) => {
  const concurrency = workers(options.concurrency ?? "adaptive", context.parser)
  const ordered = options.ordered ?? false
  const together = Math.max(storing, concurrency)
  const work = Work.make(context, options.embedder, together)
  const stage = { concurrency, runAhead: waiting, ordered, direct: work.endedAtOnce }
  const postponed = new PostponedFiles(ordered ? 0 : mostPostponed)
  const prepared = Stream.concat(
    ready(mapConcurrently(items, work.prepareOr(postponed.add), stage)),
    mapConcurrently(postponed.items, work.prepareAgain, stage)
  )
  const embedded =
    work.embedding === null
      ? prepared
      : mapConcurrently(prepared, work.embedding.embed, {
          concurrency: together,
          runAhead: waiting,
          ordered,
          direct: work.embedding.withoutVectors
        })
  return mapConcurrently(embedded, work.store, { concurrency: together, ordered, direct: outcomeIfUnchanged })
}
