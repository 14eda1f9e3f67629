/** Long work in steps, so that the event loop of the process has its turns in between. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { SyncScheduler } from "effect/Scheduler"
import { EventLoop } from "../base/eventLoop.ts"

/** Work that stops after every step, each of some milliseconds at most, and goes on when it is asked to. */
export type Steps<A> = Generator<undefined, A, undefined>

/** Small items of a loop that are one step. */
export const perStep = 64

/** Milliseconds of work between two turns of the event loop. */
const slice = 20

/** Work that waits for a turn, first come first served. */
const waiting = new Set<() => void>()

let scheduled = false

/** Browsers and workers have no `setImmediate`. */
const inNextTurn = (task: () => void): void => {
  if ("setImmediate" in globalThis) setImmediate(task)
  else setTimeout(task, 0)
}

const schedule = (): void => {
  if (scheduled || waiting.size === 0) return
  scheduled = true
  inNextTurn(turn)
}

/** One of those that wait goes on in each turn: all of them together hold the event loop no longer than one alone. */
const turn = (): void => {
  scheduled = false
  const [next] = waiting
  if (next === undefined) return
  waiting.delete(next)
  schedule()
  next()
}

const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  const next = (): void => resume(Effect.void)
  waiting.add(next)
  schedule()
  return Effect.sync(() => void waiting.delete(next))
})

/** Takes steps until the time is up; undefined when some are left. */
const taken = <A>(steps: Steps<A>, milliseconds: number, now: () => number): { readonly value: A } | undefined => {
  const end = now() + milliseconds
  let step = steps.next()
  while (step.done !== true && now() < end) step = steps.next()
  return step.done === true ? step : undefined
}

/**
 * All steps of some work, with a turn of the event loop after every 20 ms, at which it can be interrupted; without one where the caller
 * runs it synchronously. `caught` makes a failure of what a step throws.
 */
export const inTurns = <A, E>(steps: Steps<A>, caught: (cause: unknown) => E): Effect.Effect<A, E> =>
  Effect.withFiberRuntime((fiber) => {
    const milliseconds = fiber.currentScheduler instanceof SyncScheduler ? Number.POSITIVE_INFINITY : slice
    const { now } = Context.get(fiber.currentContext, EventLoop)
    const onwards: Effect.Effect<A, E> = Effect.flatMap(
      Effect.try({ try: () => taken(steps, milliseconds, now), catch: caught }),
      (result) => (result === undefined ? Effect.zipRight(nextTurn, onwards) : Effect.succeed(result.value))
    )
    return onwards
  })
