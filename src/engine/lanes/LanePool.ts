/** Runs jobs on a bounded number of lanes, and tries those again whose lane ended under them. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Reply, Sent } from "../jobs.ts"
import * as Lane from "./Lane.ts"
import { LaneError } from "./LaneError.ts"
import * as LaneSet from "./LaneSet.ts"
import * as LethalDocuments from "./LethalDocuments.ts"
import type { Start } from "./Transport.ts"

export interface LanePool {
  /**
   * Runs one job on a lane.
   *
   * Waits at most `within` for a free lane (`QueueTimeout`) and at most `within` for the answer, from the time when the lane has the job
   * (`Deadline`). Interruption and deadline end the lane, so that its job releases everything.
   *
   * A job that ends its lane (`Crashed`, `OutOfMemory`) is tried once more, in a new lane and in the remaining time, or with all of
   * `within` when the job is done in parts; so is one whose lane is ended from outside (`Killed`). A document that ended two lanes, in one call or in several, is remembered by its bytes: its jobs
   * then fail at once.
   */
  readonly run: (job: Sent, within: Duration.Duration, inParts?: boolean) => Effect.Effect<Reply, LaneError>
}

export interface Options {
  readonly start: Start
  /** Most lanes; at least 1. */
  readonly size: number
  /** Memory in bytes above which a lane is replaced after its job; default 500 MiB. */
  readonly recycleAbove?: number | undefined
  /** Time after which a lane without a job ends; default 60 seconds. */
  readonly rest?: Duration.DurationInput | undefined
}

const defaults = { recycleAbove: 500 * 1024 * 1024, rest: "60 seconds" } as const satisfies Partial<Options>

const endedUnder = ({ reason }: LaneError): boolean =>
  reason === "Crashed" || reason === "OutOfMemory" || reason === "Killed"

/**
 * Makes a pool. No lane is started before the first job. When the scope closes, all lanes end, including busy ones: their jobs, and all
 * waiting and later ones, fail with `Stopped`.
 */
export const make = (options: Options): Effect.Effect<LanePool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const permits = yield* Effect.makeSemaphore(Math.max(1, options.size))
    const recycleAbove = options.recycleAbove ?? defaults.recycleAbove
    const lanes = yield* LaneSet.make(options.start, Duration.decode(options.rest ?? defaults.rest))
    const lethal = LethalDocuments.make()
    const attempt = (job: Sent, within: Duration.Duration, fresh: boolean): Effect.Effect<Reply, LaneError> =>
      Effect.acquireUseRelease(
        lanes.take(fresh),
        (hold) =>
          Effect.zipRight(lanes.ready(hold.lane), hold.lane.run(job, within)).pipe(
            Effect.tap((reply) => {
              hold.fit = reply.footprint <= recycleAbove
            })
          ),
        lanes.giveBack
      )

    /** A lane that failed to start does not count against the document: another one is started, once. */
    const first = (job: Sent, within: Duration.Duration): Effect.Effect<Reply, LaneError> =>
      Effect.catchIf(
        attempt(job, within, false),
        (error) => error.reason === "Unavailable",
        () => attempt(job, within, true)
      )

    /**
     * Repeats a job whose lane ended, in a new one, until the document has ended two lanes, or two were ended from outside. `outside`:
     * number of lanes that were ended from outside so far.
     */
    const tried = (
      job: Sent,
      { inParts, left }: { readonly left: Duration.Duration; readonly inParts: boolean },
      attempted: Effect.Effect<Reply, LaneError>,
      outside: number
    ): Effect.Effect<Reply, LaneError> =>
      Effect.flatMap(Clock.currentTimeMillis, (begun) =>
        Effect.catchIf(attempted, endedUnder, (error) => {
          const killed = error.reason === "Killed"
          if (killed ? outside === 1 : lethal.count(job, error) > 1) return error
          return Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const rest = inParts ? left : Duration.subtract(left, Duration.millis(now - begun))
            return Duration.toMillis(rest) > 0
              ? tried(job, { left: rest, inParts }, attempt(job, rest, true), outside + (killed ? 1 : 0))
              : Lane.deadline(left)
          })
        })
      )

    const parsed = (job: Sent, within: Duration.Duration, inParts: boolean): Effect.Effect<Reply, LaneError> =>
      Effect.tap(tried(job, { left: within, inParts }, first(job, within), 0), () => lethal.forget(job))

    return {
      run: (job, within, inParts = false) =>
        Effect.suspend(() => {
          let started = false
          const running = Effect.suspend(() => {
            started = true
            return lanes.closed() ? LaneSet.stopped() : (lethal.recall(job) ?? parsed(job, within, inParts))
          })
          // A race starts two fibers; most jobs find a free lane and need none.
          return Effect.flatMap(permits.withPermitsIfAvailable(1)(running), (reply) =>
            reply._tag === "Some"
              ? Effect.succeed(reply.value)
              : Effect.raceFirst(
                  permits.withPermits(1)(running),
                  queueLimit(within, () => started)
                )
          )
        })
    }
  })

/** Ends the wait of a job that has not started after `within`; never ends a started one. */
const queueLimit = (within: Duration.Duration, started: () => boolean): Effect.Effect<never, LaneError> =>
  Effect.flatMap(Effect.sleep(within), () =>
    started()
      ? Effect.never
      : new LaneError({ reason: "QueueTimeout", error: `no lane was free for ${Duration.format(within)}` })
  )
