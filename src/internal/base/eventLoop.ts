/** The turns of the event loop, in the time of the machine: the clock of a program may be another one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Turns {
  /** Milliseconds from any beginning, by which long work is cut into slices. */
  readonly now: () => number
  /** Ends in the next turn. */
  readonly next: Effect.Effect<void>
  /** Ends after so many milliseconds. */
  readonly after: (milliseconds: number) => Effect.Effect<void>
}

/** Default: those of Node. */
export class EventLoop extends Context.Reference<EventLoop>()("docsluice/internal/EventLoop", {
  defaultValue: (): Turns => ({
    now: () => performance.now(),
    next: Effect.async((resume) => {
      const turn = setImmediate(() => resume(Effect.void))
      return Effect.sync(() => clearImmediate(turn))
    }),
    after: (milliseconds) =>
      Effect.async((resume) => {
        const timer = setTimeout(() => resume(Effect.void), milliseconds)
        return Effect.sync(() => clearTimeout(timer))
      })
  })
}) {}
