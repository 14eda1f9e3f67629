import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Waits of a source pass this many times as fast, so that its attempts do not take minutes. */
const factor = 20

/** The clock of this fiber, on which every wait is shorter and the time runs as much faster. */
export const hastened: Effect.Effect<Clock.Clock> = Effect.map(Effect.clock, (clock): Clock.Clock => {
  const start = clock.unsafeCurrentTimeMillis()
  const startNanos = clock.unsafeCurrentTimeNanos()
  const millis = (): number => start + (clock.unsafeCurrentTimeMillis() - start) * factor
  const nanos = (): bigint => startNanos + (clock.unsafeCurrentTimeNanos() - startNanos) * BigInt(factor)
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) => clock.sleep(Duration.unsafeDivide(duration, factor))
  }
})
