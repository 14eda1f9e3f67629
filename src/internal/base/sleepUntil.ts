import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Sleeps to the very millisecond since the epoch, since a timer may fire a little early. */
export const sleepUntil = (until: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now >= until ? Effect.void : Effect.flatMap(Effect.sleep(until - now), () => sleepUntil(until))
  )
