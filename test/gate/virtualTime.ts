import { Clock, Duration, Effect } from "effect"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/**
 * Runs an effect on a clock of its own, which jumps to the next sleeper as soon as everything waits: hours take as long as their
 * events. Only for effects that wait for nothing but this clock.
 */
export const inVirtualTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    let now = 0
    let sleepers: Array<Sleeper> = []
    const clock: Clock.Clock = {
      ...Clock.make(),
      unsafeCurrentTimeMillis: () => now,
      unsafeCurrentTimeNanos: () => BigInt(Math.round(now * 1_000_000)),
      currentTimeMillis: Effect.sync(() => now),
      currentTimeNanos: Effect.sync(() => BigInt(Math.round(now * 1_000_000))),
      sleep: (duration) =>
        Effect.async((resume) => {
          const sleeper = { at: now + Math.ceil(Duration.toMillis(duration)), wake: () => resume(Effect.void) }
          const before = sleepers.findIndex(({ at }) => at > sleeper.at)
          sleepers.splice(before < 0 ? sleepers.length : before, 0, sleeper)
          return Effect.sync(() => {
            sleepers = sleepers.filter((other) => other !== sleeper)
          })
        })
    }
    const idle = Effect.async<void>((resume) => {
      setImmediate(() => setImmediate(() => resume(Effect.void)))
    })
    const tick = Effect.zipRight(
      idle,
      Effect.sync(() => {
        const next = sleepers.shift()
        if (next === undefined) return
        now = Math.max(now, next.at)
        next.wake()
      })
    )
    return Effect.raceFirst(Effect.withClock(effect, clock), Effect.forever(tick))
  })
