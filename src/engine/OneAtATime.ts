/** Parses that must not run next to each other. */
import * as Effect from "effect/Effect"
import type { EngineError } from "../service/Engine.ts"
import * as Failure from "./Failure.ts"

/**
 * Runs a call when no other is running. A call that has not begun after `timeout` milliseconds fails with a 408 of code
 * `CONCURRENCY_QUEUE_TIMEOUT`.
 */
export type OneAtATime = <A>(call: Effect.Effect<A, EngineError>, timeout: number) => Effect.Effect<A, EngineError>

export const make: Effect.Effect<OneAtATime> = Effect.map(
  Effect.makeSemaphore(1),
  (permit): OneAtATime =>
    (call, timeout) =>
      inTurn(permit, 1, call, timeout)
)

/** Runs a call when that many permits are free. Fails as {@link OneAtATime} does when they are not after `timeout` milliseconds. */
export const inTurn = <A>(
  semaphore: Effect.Semaphore,
  permits: number,
  call: Effect.Effect<A, EngineError>,
  timeout: number
): Effect.Effect<A, EngineError> =>
  Effect.suspend(() => {
    let begun = false
    const running = Effect.suspend(() => {
      begun = true
      return call
    })
    const waited = Effect.flatMap(Effect.sleep(timeout), () => (begun ? Effect.never : Failure.queued(timeout)))
    return Effect.raceFirst(semaphore.withPermits(permits)(running), waited)
  })
