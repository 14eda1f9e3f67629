/** Turns of the documents whose pages are recognised. */
import * as Effect from "effect/Effect"
import type { EngineError } from "../service/Engine.ts"
import * as OneAtATime from "./OneAtATime.ts"

/**
 * Runs a call with the threads that it may use: a document of several scanned pages, or one that no other is next to, has all of them and
 * runs alone; other single pages run side by side with one each. A call that has not begun after `timeout` milliseconds fails as in
 * {@link OneAtATime}.
 */
export type OcrTurns = <A>(
  pages: number,
  call: (threads: number) => Effect.Effect<A, EngineError>,
  timeout: number
) => Effect.Effect<A, EngineError>

/** Turns that share this number of threads. */
export const make = (size: number): Effect.Effect<OcrTurns> =>
  Effect.map(Effect.makeSemaphore(size), (permits): OcrTurns => {
    /** Documents that run or wait, and those of several pages that wait: single pages do not overtake them. */
    const here = { all: 0, several: 0 }
    return (pages, call, timeout) =>
      Effect.suspend(() => {
        const threads = pages === 1 && here.all > 0 && here.several === 0 ? 1 : size
        let waits = pages > 1
        const begin = (): void => {
          if (waits) here.several -= 1
          waits = false
        }
        here.all += 1
        if (waits) here.several += 1
        const begun = Effect.suspend(() => {
          begin()
          return call(threads)
        })
        return Effect.ensuring(
          OneAtATime.inTurn(permits, threads, begun, timeout),
          Effect.sync(() => {
            begin()
            here.all -= 1
          })
        )
      })
  })
