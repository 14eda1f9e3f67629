import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type RunState, RunStopped } from "../RunState.ts"

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
  /** Asked to end from outside, rather than stopped by an error. */
  interrupted: boolean
  /** Why nothing more is begun; null while the run goes on. */
  readonly stopped: () => RunStopped | null
  /** Fails once the run is stopped, never succeeds. */
  readonly whenStopped: Effect.Effect<never, RunStopped>
  /** Stops the run; the first reason counts. */
  readonly halt: (tag: string, error: string) => void
}

/** A run that goes on until one of its answers or `halt` stops it. */
export const make = (run: RunState): Effect.Effect<Session> =>
  Effect.map(Deferred.make<never, RunStopped>(), (halted): Session => {
    let reason: RunStopped | null = null
    return {
      run,
      discovered: 0,
      complete: false,
      parsed: 0,
      fromCache: 0,
      credits: 0,
      answerBytes: 262_144,
      interrupted: false,
      stopped: () => reason ?? run.stopped(),
      whenStopped: Effect.raceFirst(Deferred.await(halted), run.whenStopped),
      halt: (tag, error) => {
        if (reason !== null || run.stopped() !== null) return
        reason = new RunStopped({ tag, error })
        Deferred.unsafeDone(halted, Effect.fail(reason))
      }
    }
  })
