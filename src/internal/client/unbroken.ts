import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Runs to its end though it is interrupted meanwhile; the interruption follows then. Time limits inside still hold. */
export const unbroken = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  // Not a child: an interruption reaches children at once, whatever their parent allows.
  Effect.forkScoped(Effect.interruptible(self)).pipe(Effect.flatMap(Fiber.join), Effect.scoped, Effect.uninterruptible)
