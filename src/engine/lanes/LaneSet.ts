/** The lanes of a pool: starts lanes on demand, ends idle ones and those that a job has made unfit. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Lane from "./Lane.ts"
import { LaneError } from "./LaneError.ts"
import type { Start } from "./Transport.ts"

export interface LaneSet {
  /** The idle lane that was used last, while its memory is warm; a new one when there is none, or `fresh`. */
  readonly take: (fresh: boolean) => Effect.Effect<Hold, LaneError>
  /** Waits until a lane is ready. After starts that failed, the next start waits. */
  readonly ready: (lane: Lane.Lane) => Effect.Effect<void, LaneError>
  /** Keeps a lane that is fit for further jobs, and ends any other. */
  readonly giveBack: (hold: Hold) => Effect.Effect<void>
  /** True once the scope has closed: no lane starts any more. */
  readonly closed: () => boolean
}

/** The lane of a run. */
export interface Hold {
  readonly lane: Lane.Lane
  /** True if it may serve again. */
  fit: boolean
}

/** Pause in milliseconds before the next start of a lane, after failed ones. */
const pauseAfter = (failures: number): number => (failures < 2 ? 0 : Math.min(5000, 50 * 2 ** failures))

export const stopped = (): LaneError => new LaneError({ reason: "Stopped", error: "the parsers are being stopped" })

/** Makes an empty set. `rest`: time after which a lane without a job ends. When the scope closes, all lanes end, including busy ones. */
export const make = (start: Start, rest: Duration.Duration): Effect.Effect<LaneSet, never, Scope.Scope> =>
  Effect.gen(function* () {
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
      const lane = Lane.make(start)
      all.add(lane)
      return { lane, fit: false }
    }

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
        lane.rest(Duration.toMillis(rest))
        idle.push(lane)
        return Effect.void
      })

    const ready = (lane: Lane.Lane): Effect.Effect<void, LaneError> =>
      lane.ready.pipe(
        Effect.tapBoth({
          onFailure: ({ reason }) => Effect.sync(() => void (failedStarts += reason === "Unavailable" ? 1 : 0)),
          onSuccess: () => Effect.sync(() => void (failedStarts = 0))
        })
      )

    return { take, ready, giveBack, closed: () => closed }
  })
