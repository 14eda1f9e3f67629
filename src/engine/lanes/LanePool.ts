/**
 * A bounded set of lanes: starts them when they are needed, ends them when a job leaves them unfit.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Job, Reply } from "../jobs.ts"
import * as Lane from "./Lane.ts"
import { LaneError } from "./LaneError.ts"
import type { Start } from "./Transport.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface LanePool {
  /**
   * Runs one job on a lane of its own.
   *
   * Waits at most `within` for a free lane (`QueueTimeout`) and at most `within` for the answer, counted from when the
   * lane has the job (`Deadline`). Interruption and deadline end the lane, so that its job holds nothing any more.
   */
  readonly run: (job: Job, within: Duration.Duration) => Effect.Effect<Reply, LaneError>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly start: Start
  /** Lanes at most, at least 1. */
  readonly size: number
  /** Bytes above which a lane is replaced after its job; default 500 MiB. */
  readonly recycleAbove?: number | undefined
}

const defaultRecycleAbove = 500 * 1024 * 1024

/** What a run holds: the lane that it took or started, and whether the lane may serve again. */
interface Hold {
  readonly lane: Lane.Lane
  fit: boolean
}

/**
 * No lane is started before the first job. When the scope closes, all lanes end, busy ones too.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<LanePool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const permits = yield* Effect.makeSemaphore(Math.max(1, options.size))
    const recycleAbove = options.recycleAbove ?? defaultRecycleAbove
    const all = new Set<Lane.Lane>()
    const idle: Array<Lane.Lane> = []

    const kill = (lane: Lane.Lane): Effect.Effect<void> =>
      Effect.suspend(() => {
        all.delete(lane)
        return lane.kill
      })

    yield* Effect.addFinalizer(() => Effect.forEach([...all], kill, { concurrency: 8, discard: true }))

    const take = (): Hold => {
      const rested = nextAlive(idle, all)
      const lane = rested ?? Lane.make(options.start)
      all.add(lane)
      return { lane, fit: false }
    }

    const giveBack = ({ fit, lane }: Hold): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!fit || !lane.alive()) {
          return kill(lane)
        }
        lane.rest()
        idle.push(lane)
        return Effect.void
      })

    const work = (hold: Hold, job: Job, within: Duration.Duration): Effect.Effect<Reply, LaneError> =>
      Effect.zipRight(
        hold.lane.ready,
        Effect.timeoutFail(hold.lane.run(job), {
          duration: within,
          onTimeout: () => new LaneError({ reason: "Deadline", error: `no answer after ${Duration.format(within)}` })
        })
      ).pipe(
        Effect.tap((reply) => {
          hold.fit = reply.footprint <= recycleAbove
        })
      )

    return {
      run: (job, within) =>
        Effect.suspend(() => {
          let started = false
          const running = permits.withPermits(1)(
            Effect.acquireUseRelease(
              Effect.sync(() => {
                started = true
                return take()
              }),
              (hold) => work(hold, job, within),
              giveBack
            )
          )
          return Effect.raceFirst(
            running,
            queueLimit(within, () => started)
          )
        })
    }
  })

/** Ends a wait that has not begun to run; never ends one that has. */
const queueLimit = (within: Duration.Duration, started: () => boolean): Effect.Effect<never, LaneError> =>
  Effect.flatMap(Effect.sleep(within), () =>
    started()
      ? Effect.never
      : new LaneError({ reason: "QueueTimeout", error: `no lane was free for ${Duration.format(within)}` })
  )

/** The lane that rested last, while its memory is warm; lanes that ended meanwhile are forgotten. */
const nextAlive = (idle: Array<Lane.Lane>, all: Set<Lane.Lane>): Lane.Lane | undefined => {
  for (let lane = idle.pop(); lane !== undefined; lane = idle.pop()) {
    if (lane.alive()) {
      return lane
    }
    all.delete(lane)
  }
  return undefined
}
