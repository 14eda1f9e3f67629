/** The turns of the event loop, in the time of the machine: the clock of a program may be another one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Turns {
  /** Milliseconds from any beginning, by which long work is cut into slices. */
  readonly now: () => number
  /** Runs the task after so many milliseconds, with 0 in the next turn; returns what calls it off. */
  readonly later: (milliseconds: number, task: () => void) => () => void
}

/** Default: those of Node. */
export class EventLoop extends Context.Reference<EventLoop>()("docsluice/internal/EventLoop", {
  defaultValue: (): Turns => ({
    now: () => performance.now(),
    later: (milliseconds, task) => {
      if (milliseconds === 0) {
        const turn = setImmediate(task)
        return () => clearImmediate(turn)
      }
      const timer = setTimeout(task, milliseconds)
      return () => clearTimeout(timer)
    }
  })
}) {}

/** Ends after so many milliseconds, with 0 in the next turn. */
export const after = (milliseconds: number): Effect.Effect<void> =>
  Effect.flatMap(EventLoop, ({ later }) =>
    Effect.async<void>((resume) => {
      const callOff = later(milliseconds, () => resume(Effect.void))
      return Effect.sync(callOff)
    })
  )
