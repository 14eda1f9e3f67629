import * as Effect from "effect/Effect"

/** The calls of a corpus that write: one at a time, in their order. */
export interface Writes {
  readonly exclusive: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** True when a call waits for the one that writes. */
  readonly awaited: () => boolean
}

export const make: Effect.Effect<Writes> = Effect.map(Effect.makeSemaphore(1), (semaphore) => {
  let waiting = 0
  return {
    awaited: () => waiting > 0,
    exclusive: (effect) =>
      Effect.suspend(() => {
        waiting += 1
        let waits = true
        const leave = Effect.sync(() => {
          if (waits) waiting -= 1
          waits = false
        })
        return Effect.ensuring(semaphore.withPermits(1)(Effect.zipRight(leave, effect)), leave)
      })
  }
})
