import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type RunState, RunStopped } from "../../RunState.ts"

/** What the stages of one run share: how much was found, and whether it goes on. */
export interface Session {
  readonly run: RunState
  /** Files and problems found so far. */
  discovered: number
  /** Nothing more will be found. */
  complete: boolean
  /** Answers paid for, whatever became of the documents. */
  parsed: number
  fromCache: number
  /** What the answers cost, without those from the cache. */
  credits: number
  /** Bytes that an answer is expected to take: the largest of late. */
  answerBytes: number
  /** Documents taken out of the sinks since no scope claims them. */
  removed: number
  /** Chunks of those documents. */
  chunksRemoved: number
  /** What concerns the run rather than a document; each makes its exit status at least 1. */
  readonly warnings: Array<{ readonly source: string; readonly message: string }>
  /** True once it was asked to end from outside, rather than stopped by an error. */
  readonly interrupted: () => boolean
  /** Done once it was asked to end from outside. */
  readonly whenInterrupted: Effect.Effect<void>
  /** Stops the run because it was asked to end from outside. */
  readonly interrupt: Effect.Effect<void>
  /** Why nothing more is begun; null while the run goes on. */
  readonly stopped: () => RunStopped | null
  /** Fails once the run is stopped, never succeeds. */
  readonly whenStopped: Effect.Effect<never, RunStopped>
  /** Exit status of a run that was stopped. */
  readonly stoppedExit: () => 1 | 2
  /** Stops the run; the first reason counts. */
  readonly halt: (tag: string, error: string, exit?: 1 | 2) => void
}

/** A run that goes on until one of its answers or `halt` stops it. */
export const make = (run: RunState): Effect.Effect<Session> =>
  Effect.gen(function* () {
    const halted = yield* Deferred.make<never, RunStopped>()
    const asked = yield* Deferred.make<void>()
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
      answerBytes: 262_144,
      removed: 0,
      chunksRemoved: 0,
      warnings: [],
      stoppedExit: () => status,
      interrupted: () => interrupted,
      whenInterrupted: Deferred.await(asked),
      interrupt: Effect.suspend(() => {
        interrupted = true
        session.halt("Interrupted", "the run was asked to end")
        return Deferred.succeed(asked, undefined)
      }),
      stopped: () => reason ?? run.stopped(),
      whenStopped: Effect.raceFirst(Deferred.await(halted), run.whenStopped),
      halt: (tag, error, exit = 2) => {
        if (reason !== null || run.stopped() !== null) return
        status = exit
        reason = new RunStopped({ tag, error })
        Deferred.unsafeDone(halted, Effect.fail(reason))
      }
    }
    return session
  })
