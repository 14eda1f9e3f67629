import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Sleeps until a time in milliseconds since the epoch, never less: a timer alone may fire a little early. */
export const sleepUntil = (until: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now >= until ? Effect.void : Effect.flatMap(Effect.sleep(until - now), () => sleepUntil(until))
  )
