import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Outcome } from "../../Outcome.ts"
import type { Session } from "./session.ts"

/**
 * Progress of a run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Progress {
  /** Files and problems found so far. */
  readonly discovered: number
  /** True when discovery has ended: `discovered` is final. */
  readonly complete: boolean
  /** Files whose outcome is known, this one included. */
  readonly finished: number
  /** Outcome of the last file. */
  readonly outcome: Outcome
}

/** The same outcomes; `onProgress` is called for each before it is emitted. */
export const reported =
  (session: Session, onProgress: ((progress: Progress) => Effect.Effect<void>) | undefined) =>
  <E, R>(outcomes: Stream.Stream<Outcome, E, R>): Stream.Stream<Outcome, E, R> => {
    if (onProgress === undefined) return outcomes
    let finished = 0
    const report = (outcome: Outcome): Effect.Effect<void> => {
      finished += 1
      return onProgress({ discovered: session.discovered, complete: session.complete, finished, outcome })
    }
    return Stream.mapChunksEffect(outcomes, (chunk) =>
      Effect.as(Effect.forEach(chunk, report, { discard: true }), chunk)
    )
  }
