/** A bounded set of lanes: starts lanes on demand, ends idle ones and those that a job has made unfit. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Reply, Sent } from "../jobs.ts"
import * as Lane from "./Lane.ts"
import { LaneError } from "./LaneError.ts"
import * as LethalDocuments from "./LethalDocuments.ts"
import type { Start } from "./Transport.ts"

export interface LanePool {
  /**
   * Runs one job on a lane of its own.
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

/** The lane of a run; tells also if it may serve again. */
interface Hold {
  readonly lane: Lane.Lane
  fit: boolean
}

/** Pause in milliseconds before the next start of a lane, after failed ones. */
const pauseAfter = (failures: number): number => (failures < 2 ? 0 : Math.min(5000, 50 * 2 ** failures))

const endedUnder = ({ reason }: LaneError): boolean =>
  reason === "Crashed" || reason === "OutOfMemory" || reason === "Killed"

const stopped = (): LaneError => new LaneError({ reason: "Stopped", error: "the parsers are being stopped" })

/**
 * Makes a pool. No lane is started before the first job. When the scope closes, all lanes end, including busy ones: their jobs, and all
 * waiting and later ones, fail with `Stopped`.
 */
export const make = (options: Options): Effect.Effect<LanePool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const permits = yield* Effect.makeSemaphore(Math.max(1, options.size))
    const recycleAbove = options.recycleAbove ?? defaults.recycleAbove
    const rest = Duration.toMillis(options.rest ?? defaults.rest)
    const lethal = LethalDocuments.make()
    const all = new Set<Lane.Lane>()
    const idle: Array<Lane.Lane> = []
    let closed = false
    let failedStarts = 0

    const kill = (lane: Lane.Lane): Effect.Effect<void> =>
      Effect.suspend(() => {
        all.delete(lane)
        return lane.kill
      })

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closed = true
        return Effect.forEach([...all], kill, { concurrency: 8, discard: true })
      })
    )

    const startLane = (): Hold => {
      const lane = Lane.make(options.start)
      all.add(lane)
      return { lane, fit: false }
    }

    /** The idle lane that was used last, while its memory is warm. */
    const takeIdle = (): Hold | undefined => {
      for (let lane = idle.pop(); lane !== undefined; lane = idle.pop()) {
        if (lane.alive()) return { lane, fit: false }
        all.delete(lane)
      }
      return undefined
    }

    const take = (fresh: boolean): Effect.Effect<Hold, LaneError> =>
      Effect.suspend(() => {
        const rested = fresh ? undefined : takeIdle()
        return rested === undefined
          ? Effect.zipRight(
              Effect.interruptible(Effect.sleep(pauseAfter(failedStarts))),
              Effect.suspend(() => (closed ? stopped() : Effect.sync(startLane)))
            )
          : Effect.succeed(rested)
      })

    const giveBack = ({ fit, lane }: Hold): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!fit || closed || !lane.alive()) return kill(lane)
        lane.rest(rest)
        idle.push(lane)
        return Effect.void
      })

    const isReady = (lane: Lane.Lane): Effect.Effect<void, LaneError> =>
      lane.ready.pipe(
        Effect.tapBoth({
          onFailure: ({ reason }) => Effect.sync(() => void (failedStarts += reason === "Unavailable" ? 1 : 0)),
          onSuccess: () => Effect.sync(() => void (failedStarts = 0))
        })
      )

    const attempt = (job: Sent, within: Duration.Duration, fresh: boolean): Effect.Effect<Reply, LaneError> =>
      Effect.acquireUseRelease(
        take(fresh),
        (hold) =>
          Effect.zipRight(isReady(hold.lane), hold.lane.run(job, within)).pipe(
            Effect.tap((reply) => {
              hold.fit = reply.footprint <= recycleAbove
            })
          ),
        giveBack
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
            return closed ? stopped() : (lethal.recall(job) ?? parsed(job, within, inParts))
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
