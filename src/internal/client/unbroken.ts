import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Runs to its end though it is interrupted meanwhile; the interruption follows then. Time limits inside still hold. */
export const unbroken = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptible(Effect.flatMap(Effect.fork(Effect.interruptible(self)), Fiber.join))
