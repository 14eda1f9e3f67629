/** The gate before a simulated service on a virtual clock: figures that do not depend on the machine or its load. */
import { Effect } from "effect"
import { type Result, simulate } from "../test/gate/simulator.ts"
import type { Limits } from "./gateService.ts"

export interface Simulated {
  readonly ms: number
  readonly served: number
  readonly refused: number
}

const counted = ({ arrivals, millis, wasted }: Result): Simulated => ({
  ms: millis,
  served: arrivals.length - wasted,
  refused: wasted
})

/** Plays limits with the service times of a seed; ends after `within` milliseconds, by default when all files are served. */
export const play = (
  { bucket, concurrency, retryAfter, seed, sporadic }: Limits,
  { files, within, workers }: { readonly files: number; readonly workers: number; readonly within?: number | undefined }
): Promise<Simulated> =>
  Effect.runPromise(
    Effect.map(
      simulate(
        {
          bucket: bucket === null ? undefined : { capacity: bucket.size, perSecond: bucket.rate },
          concurrency:
            concurrency.length === 0
              ? undefined
              : (at) => concurrency.findLast(({ from }) => at >= from)?.limit ?? Number.POSITIVE_INFINITY,
          sporadic,
          retryAfter: retryAfter === null ? undefined : 1000 * retryAfter
        },
        { documents: files, workers, seed, within }
      ),
      counted
    )
  )
