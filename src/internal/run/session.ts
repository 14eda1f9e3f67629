import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Summary } from "../../Outcome.ts"
import { Listeners } from "../base/listeners.ts"
import type { Worded } from "../base/message.ts"
import { type RunState, RunStopped } from "../client/runState.ts"
import { tagOf } from "./documentError.ts"
import { unchecked } from "./outcome.ts"
import { Interrupted, type RunError } from "./runError.ts"
import { Collected } from "./runReport.ts"

/** State shared by the stages of one run: its counts, and whether it continues. */
export interface Session {
  readonly run: RunState
  /** Files and problems found so far. */
  discovered: number
  /** True when discovery has ended. */
  complete: boolean
  /** Number of answers paid for, whatever the outcome of the documents. */
  parsed: number
  fromCache: number
  /** Credits spent on answers; those from the cache cost none. */
  credits: number
  /** Notes for the report of the run. */
  readonly collected: Collected
  /** Expected bytes of an answer: the largest of recent ones. */
  answerBytes: number
  /** Number of documents removed from the sinks because no scope claims them. */
  removed: number
  /** Number of chunks of those documents. */
  chunksRemoved: number
  /** Warnings about the run rather than a document; each makes its exit status at least 1. */
  readonly warnings: Array<{ readonly source: string } & Worded>
  /** True once it was asked to end from outside, rather than stopped by an error. */
  readonly interrupted: () => boolean
  /** Done once it was asked to end from outside. */
  readonly whenInterrupted: Effect.Effect<void>
  /** Stops the run because it was asked to end from outside. */
  readonly interrupt: Effect.Effect<void>
  /** Reason why no new work is started; null while the run continues. */
  readonly stopped: () => RunStopped | null
  /** Fails once the run is stopped, never succeeds. */
  readonly whenStopped: Effect.Effect<never, RunStopped>
  /** Calls `listener` when the run is stopped; returns a function that removes it. */
  readonly onStop: (listener: () => void) => () => void
  /** Exit status of a run that was stopped. */
  readonly stoppedExit: () => 1 | 2
  /** Stops the run; the first error counts. */
  readonly halt: (error: RunError, how?: Halt) => void
}

export interface Halt {
  /** Exit status; default 2. */
  readonly exit?: 1 | 2 | undefined
  /** Path of the document whose failure it is, where a failure of a document stops the run. */
  readonly source?: string | undefined
}

/** The error that stopped a run, as its summary has it. */
export const reasonOf = ({ cause, words }: RunStopped): NonNullable<Summary["stopped"]> => ({
  tag: tagOf(cause),
  ...words,
  error: cause
})

/** Makes the session of a run, which continues until one of its answers or `halt` stops it. */
export const make = (run: RunState): Effect.Effect<Session> =>
  Effect.gen(function* () {
    const clock = yield* Clock.clockWith(Effect.succeed)
    const halted = yield* Deferred.make<never, RunStopped>()
    const asked = yield* Deferred.make<void>()
    const listeners = new Listeners()
    run.onStop(() => listeners.notify())
    let reason: RunStopped | null = null
    let status: 1 | 2 = 2
    let interrupted = false
    const session: Session = {
      run,
      discovered: 0,
      complete: false,
      parsed: 0,
      fromCache: 0,
      credits: 0,
      collected: new Collected(() => clock.unsafeCurrentTimeMillis()),
      answerBytes: 262_144,
      removed: 0,
      chunksRemoved: 0,
      warnings: [],
      stoppedExit: () => status,
      interrupted: () => interrupted,
      whenInterrupted: Deferred.await(asked),
      interrupt: Effect.suspend(() => {
        interrupted = true
        session.halt(new Interrupted({ begun: true }))
        return Deferred.succeed(asked, undefined)
      }),
      stopped: () => reason ?? run.stopped(),
      whenStopped: Effect.raceFirst(Deferred.await(halted), run.whenStopped),
      onStop: listeners.add,
      halt: (cause, { exit = 2, source } = {}) => {
        if (reason !== null || run.stopped() !== null) return
        status = exit
        reason = new RunStopped({ cause, ...(source !== undefined && { source }) }, unchecked)
        Deferred.unsafeDone(halted, Effect.fail(reason))
        listeners.notify()
      }
    }
    return session
  })
