/** One child process that parses one document at a time. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Schema from "effect/Schema"
import { Pages, Part, Reply, type Sent } from "../jobs.ts"
import * as PageProgress from "../PageProgress.ts"
import { LaneError } from "./LaneError.ts"
import type { Event, Start } from "./Transport.ts"

export interface Lane {
  /** Waits until the lane has loaded its entry module, at most 30 seconds. */
  readonly ready: Effect.Effect<void, LaneError>
  /**
   * Runs a job; fails with `Deadline` when it has no answer `within` that time, which starts again with the time of each part that the
   * lane begins. Must not be called again before it ends. Neither interruption nor the deadline stops the job, {@link kill} does.
   */
  readonly run: (job: Sent, within: Duration.Duration) => Effect.Effect<Reply, LaneError>
  /** True if it can take another job. */
  readonly alive: () => boolean
  /** Stops keeping the host process alive; the lane ends unless it gets a job within this number of milliseconds. */
  readonly rest: (millis: number) => void
  /** Ends the lane, whatever its state; completes when it is gone. Its current job ends with `Stopped`. */
  readonly kill: Effect.Effect<void>
}

type Ended = Extract<Event, { readonly _tag: "Ended" }>

/** Error of a job that has had that time. */
export const deadline = (within: Duration.Duration): LaneError =>
  new LaneError({ reason: "Deadline", error: `no answer after ${Duration.format(within)}` })

const startWithin = "30 seconds"

const isPart = Schema.is(Part)

const isPages = Schema.is(Pages)

const decodeReply = (message: unknown): Effect.Effect<Reply, LaneError> =>
  Effect.mapError(
    Schema.decodeUnknown(Reply)(message),
    (cause) => new LaneError({ reason: "Crashed", error: `an answer of another shape: ${cause.message}` })
  )

/**
 * Starts a lane. It is running when this returns: the caller has to `kill` it.
 *
 * One function, since all of it reads and changes the state of one process: what is loaded, what has ended, who listens.
 */
export const make = (start: Start): Lane => {
  let loaded = false
  let ended: Ended | undefined
  /** True once the host has decided to end it. */
  let ending = false
  let resting: NodeJS.Timeout | undefined
  let listener: (event: Event) => void = () => undefined
  const transport = start((event) => {
    if (event._tag === "Ended") {
      ended = event
    } else if (!loaded) {
      loaded = true
    }
    listener(event)
  })

  const endOf = ({ how, reason }: Ended): LaneError =>
    ending
      ? new LaneError({ reason: "Stopped", error: "the parsers are being stopped" })
      : new LaneError({ reason, error: how })

  const loading = Effect.async<void, LaneError>((resume) => {
    const settle = (): void => {
      if (ended !== undefined) {
        resume(ending ? endOf(ended) : new LaneError({ reason: "Unavailable", error: ended.how }))
      } else if (loaded) {
        resume(Effect.void)
      }
    }
    listener = settle
    settle()
  }).pipe(
    Effect.timeoutFail({
      duration: startWithin,
      onTimeout: () => new LaneError({ reason: "Unavailable", error: `not ready after ${startWithin}` })
    })
  )

  const run = (job: Sent, within: Duration.Duration): Effect.Effect<Reply, LaneError> =>
    Effect.flatMap(FiberRef.get(PageProgress.listener), (tell) =>
      Effect.async<unknown, LaneError>((resume) => {
        // Not `Effect.timeoutFail`, which starts two fibers for each document; a lane is a process, so its time is the system's.
        const lateAfter = (time: Duration.Duration) => setTimeout(() => resume(deadline(time)), Duration.toMillis(time))
        let late = lateAfter(within)
        listener = (event) => {
          if (event._tag !== "Ended" && isPages(event.message)) return tell?.(event.message)
          clearTimeout(late)
          if (event._tag === "Ended") resume(endOf(event))
          else if (isPart(event.message)) late = lateAfter(Duration.millis(event.message.within))
          else resume(Effect.succeed(event.message))
        }
        clearTimeout(resting)
        if (ended === undefined) {
          transport.hold()
          transport.post(job)
        } else {
          listener(ended)
        }
        return Effect.sync(() => clearTimeout(late))
      })
    ).pipe(Effect.flatMap(decodeReply))

  return {
    ready: Effect.suspend(() => (loaded && ended === undefined ? Effect.void : loading)),
    run,
    alive: () => ended === undefined && !ending,
    rest: (millis) => {
      transport.release()
      // Not `Effect.sleep`, whose timer would keep the host process alive.
      resting = setTimeout(() => {
        ending = true
        void transport.kill()
      }, millis)
      resting.unref()
    },
    kill: Effect.suspend(() => {
      clearTimeout(resting)
      ending = true
      if (ended !== undefined) {
        return Effect.void
      }
      // A resting lane is not held: without this, the host could end while it waits here.
      transport.hold()
      return Effect.promise(transport.kill)
    })
  }
}
