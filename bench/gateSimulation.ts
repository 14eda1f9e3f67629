/** The gate before a simulated service on a virtual clock: figures that do not depend on the machine or its load. */
import { Effect } from "effect"
import { type Result, simulate } from "../test/gate/simulator.ts"
import type { Limits } from "./gateService.ts"

export interface Simulated {
  readonly ms: number
  readonly served: number
  readonly refused: number
  /** Share of the requests that were refused after the first window. */
  readonly later: number
}

const counted = ({ arrivals, millis, wasted }: Result, window: number): Simulated => {
  const later = arrivals.filter(({ at }) => at >= window)
  return {
    ms: millis,
    served: arrivals.length - wasted,
    refused: wasted,
    later: later.filter(({ refused }) => refused).length / later.length
  }
}

/** Plays limits with the service times of a seed; ends after `within` milliseconds, by default when all files are served. */
export const play = (
  { concurrency, rate, retryAfter, seed, sporadic }: Limits,
  {
    clients,
    files,
    window,
    within,
    workers
  }: {
    /** Of each client. */
    readonly files: number
    readonly workers: number
    readonly clients: number
    /** Milliseconds of the first window. */
    readonly window: number
    readonly within?: number | undefined
  }
): Promise<Simulated> =>
  Effect.runPromise(
    Effect.map(
      simulate(
        {
          rate: rate ?? undefined,
          concurrency:
            concurrency.length === 0
              ? undefined
              : (at) => concurrency.findLast(({ from }) => at >= from)?.limit ?? Number.POSITIVE_INFINITY,
          sporadic,
          retryAfter
        },
        { documents: files, workers, seed, clients, within }
      ),
      (result) => counted(result, window)
    )
  )
