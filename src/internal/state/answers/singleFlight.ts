import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { Landing } from "../../base/landing.ts"

interface Flight<A, E> {
  readonly landing: Landing<Exit.Exit<A, E>>
  fiber: Fiber.RuntimeFiber<A, E> | null
  waiting: number
}

/**
 * Runs one effect per key at a time; callers with the same key wait for its result.
 *
 * The effect runs in a fiber of its own; interrupting one caller interrupts it only if nobody else is waiting.
 */
export interface SingleFlight<A, E> {
  readonly isRunning: (key: string) => boolean
  readonly run: <R>(
    key: string,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<{ readonly exit: Exit.Exit<A, E>; readonly first: boolean }, never, R>
}

/** Flights end with the scope. */
export const make = <A, E>(scope: Scope.Scope): SingleFlight<A, E> => {
  const flights = new Map<string, Flight<A, E>>()

  const board = (key: string): Flight<A, E> => {
    const flight = { landing: new Landing<Exit.Exit<A, E>>(), fiber: null, waiting: 0 }
    flights.set(key, flight)
    return flight
  }

  const takeOff = <R>(key: string, flight: Flight<A, E>, effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.forkIn(Effect.interruptible(effect), scope), (fiber) => {
      flight.fiber = fiber
      // However it ends, even before it begins.
      fiber.addObserver((exit) => {
        if (flights.get(key) === flight) flights.delete(key)
        flight.landing.land(Effect.succeed(exit))
      })
    })

  const leave = (key: string, flight: Flight<A, E>) =>
    Effect.suspend(() => {
      flight.waiting -= 1
      if (flight.waiting > 0 || flight.fiber === null) return Effect.void
      // From here on a new caller starts its own effect instead of waiting for the aborted one.
      if (flights.get(key) === flight) flights.delete(key)
      return Effect.asVoid(Fiber.interrupt(flight.fiber))
    })

  const landing = (key: string, flight: Flight<A, E>, first: boolean, restore: typeof Effect.interruptible) =>
    Effect.map(
      Effect.onInterrupt(restore(flight.landing.landed), () => leave(key, flight)),
      (exit) => ({ exit, first })
    )

  const run = <R>(key: string, effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) => {
      const known = flights.get(key)
      const flight = known ?? board(key)
      flight.waiting += 1
      return known === undefined
        ? Effect.zipRight(takeOff(key, flight, effect), landing(key, flight, true, restore))
        : landing(key, flight, false, restore)
    })

  return { isRunning: (key) => flights.has(key), run }
}
