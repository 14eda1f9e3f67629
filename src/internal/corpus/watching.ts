/** Runs over a source for as long as it is watched. */
import * as Effect from "effect/Effect"
import { SinkError } from "../../ChunkSink.ts"
import { DeadLetterError } from "../../DeadLetter.ts"
import { DiscoveryError } from "../../Discovery.ts"
import { EmbeddingError } from "../../Embedder.ts"
import { EmbeddingCacheError } from "../../EmbeddingCache.ts"
import { LedgerError } from "../../Ledger.ts"
import type { Summary } from "../../Outcome.ts"
import { ParseCacheError } from "../../ParseCache.ts"
import type { BudgetOptions } from "../../Pipeline.ts"
import { SourceUnavailable } from "../../Source.ts"
import * as Watch from "../discovery/watch.ts"

export interface Options<E, R> extends Pick<Parameters<typeof Watch.passes>[0], "backOff" | "next" | "stop"> {
  /** For all runs together; default: unlimited. */
  readonly budget: BudgetOptions | undefined
  /** One run, within the rest of the budget. */
  readonly run: (budget: BudgetOptions | undefined) => Effect.Effect<Summary, E, R>
  /** Called with the failure of a run which may pass, so that another run follows after a while. */
  readonly onPassing: (error: E) => Effect.Effect<void, never, R>
}

/**
 * A run at once and one for each batch of `next`, one after another; again after a delay as long as documents or a whole run failed for a
 * reason that may pass. Ends when `stop` completes, after the run in progress; fails with a failure that does not pass.
 */
export const watch = <E, R>({
  backOff,
  budget,
  next,
  onPassing,
  run,
  stop
}: Options<E, R>): Effect.Effect<void, E | Watch.WatchError, R> =>
  Effect.suspend(() => {
    const spent = { pages: 0, credits: 0 }
    let runs = 0
    const pass = Effect.suspend(() => {
      runs += 1
      return Effect.map(run(left(budget, spent)), (summary) => {
        spent.pages += summary.parsed === 0 ? 0 : summary.pages
        spent.credits += summary.credits
        return after(summary)
      })
    })
    const isFirst = () => runs === 1
    return Watch.passes({
      next,
      stop,
      backOff,
      pass: () =>
        Effect.catchIf(
          pass,
          (error) => mayPass(error, isFirst()),
          (error) => Effect.as(onPassing(error), "again" as const)
        )
    })
  })

/** Remainder of the budget. */
const left = (
  budget: BudgetOptions | undefined,
  spent: { readonly pages: number; readonly credits: number }
): BudgetOptions | undefined =>
  budget && {
    ...budget,
    pages: budget.pages === undefined ? undefined : Math.max(0, budget.pages - spent.pages),
    credits: budget.credits === undefined ? undefined : Math.max(0, budget.credits - spent.credits)
  }

/** A spent budget does not come back; what an outage stopped is tried again. */
const after = (summary: Summary): "done" | "again" => {
  if (summary.stopped !== undefined) return summary.stopped.tag === "BudgetSpent" ? "done" : "again"
  return summary.failures.some(({ retryable }) => retryable) ? "again" : "done"
}

/** Reasons for which a state cannot be used now that could be used before. */
const passing: ReadonlySet<string> = new Set(["Locked", "Unreachable", "TimedOut"])

/** True for a failure that may pass: a target, a model, or a root or state that was there before, may come back. Wrong usage does not pass. */
const mayPass = (error: unknown, isFirst: boolean): boolean => {
  if (error instanceof SinkError) return error.reason === "Unavailable"
  if (error instanceof EmbeddingError) return error.retryable
  if (error instanceof SourceUnavailable) return error.transient || !isFirst
  if (error instanceof DiscoveryError || error instanceof DeadLetterError) return !isFirst
  if (error instanceof LedgerError || error instanceof ParseCacheError || error instanceof EmbeddingCacheError) {
    return !isFirst && passing.has(error.reason)
  }
  return false
}
