import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/**
 * Sizes of the files that requests are in flight for. A file of a size that is neither among them nor in the cache cannot have the bytes
 * of another one, so it need not be read for its hash before it is sent.
 */
export interface Sizes {
  /** True while a request is in flight for a file of that many bytes. */
  readonly isFlying: (size: number) => boolean
  /** Runs a request for a file whose hash is known. */
  readonly hashed: <A, E, R>(size: number, request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs a request for a file whose hash is known at the end only; to be called when none is in flight for that size. */
  readonly unhashed: <A, E, R>(size: number, request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits for the end of such a request for a file of that size, which may have the same bytes; null when there is none. */
  readonly whenLanded: (size: number) => Effect.Effect<void> | null
}

export const make = (): Sizes => {
  const counts = new Map<number, number>()
  const landings = new Map<number, Deferred.Deferred<void>>()

  const count = (size: number, by: number): void => {
    const next = (counts.get(size) ?? 0) + by
    if (next === 0) counts.delete(size)
    else counts.set(size, next)
  }

  return {
    isFlying: (size) => counts.has(size) || landings.has(size),
    hashed: (size, request) =>
      Effect.suspend(() => {
        count(size, 1)
        return Effect.ensuring(
          request,
          Effect.sync(() => count(size, -1))
        )
      }),
    unhashed: (size, request) =>
      Effect.suspend(() => {
        const landed = Deferred.unsafeMake<void>(FiberId.none)
        landings.set(size, landed)
        return Effect.ensuring(
          request,
          Effect.suspend(() => {
            landings.delete(size)
            return Deferred.succeed(landed, undefined)
          })
        )
      }),
    whenLanded: (size) => {
      const landed = landings.get(size)
      return landed === undefined ? null : Deferred.await(landed)
    }
  }
}
