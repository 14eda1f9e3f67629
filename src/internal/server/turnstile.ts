/** A number of places that several callers share in turns: a caller with a long queue does not delay the others. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Milliseconds that a request waited for its place; undefined when one was free. */
export type Waited = number | undefined

export interface Turnstile {
  /**
   * Runs `self` in a place, once one is free. Places go round the keys, and within a key in the order of arrival. After `within`
   * milliseconds in the queue the wait ends with `late`.
   */
  readonly pass: <A, E, R, E2>(
    key: string,
    options: { readonly within: number; readonly late: (waited: number) => E2 },
    self: (waited: Waited) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | E2, R>
}

/** A request in the queue. `settle` answers false when the wait is over already. */
interface Ticket {
  readonly settle: (admitted: boolean) => boolean
}

export const make = (places: number): Turnstile => {
  let free = places
  /** Waiting requests by key; the first key is the next in turn. */
  const queues = new Map<string, ReadonlyArray<Ticket>>()

  const withdraw = (key: string, ticket: Ticket): void => {
    const left = (queues.get(key) ?? []).filter((each) => each !== ticket)
    if (left.length === 0) queues.delete(key)
    else queues.set(key, left)
  }

  /** Gives the place of a request that is done to the next in turn. */
  const leave = (): void => {
    for (const [key, [first, ...others]] of queues) {
      queues.delete(key)
      if (others.length > 0) queues.set(key, others)
      if (first?.settle(true) === true) return
    }
    free += 1
  }

  /** Waits for a place; false when none was free in time. An interrupted wait keeps no place. */
  const place = (key: string, within: number): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      let state: "waiting" | "admitted" | "late" = "waiting"
      let resume: (admitted: boolean) => void = () => {}
      const ticket: Ticket = {
        settle: (admitted) => {
          if (state !== "waiting") return false
          state = admitted ? "admitted" : "late"
          resume(admitted)
          return true
        }
      }
      const late = Effect.flatMap(Effect.interruptible(Effect.sleep(within)), () =>
        Effect.sync(() => {
          if (ticket.settle(false)) withdraw(key, ticket)
        })
      )
      const turn = Effect.async<boolean>((done) => {
        resume = (admitted) => done(Effect.succeed(admitted))
        if (state !== "waiting") return resume(false)
        queues.set(key, [...(queues.get(key) ?? []), ticket])
        return Effect.sync(() => {
          if (state === "admitted") leave()
          else withdraw(key, ticket)
        })
      })
      return Effect.flatMap(Effect.fork(late), (timer) => Effect.ensuring(turn, Fiber.interruptFork(timer)))
    })

  return {
    pass: (key, { late, within }, self) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const inPlace = (waited: Waited) => Effect.ensuring(restore(self(waited)), Effect.sync(leave))
          if (free > 0) {
            free -= 1
            return yield* inPlace(undefined)
          }
          const begun = yield* Clock.currentTimeMillis
          const admitted = yield* restore(place(key, within))
          const waited = (yield* Clock.currentTimeMillis) - begun
          return yield* admitted ? inPlace(waited) : Effect.fail(late(waited))
        })
      )
  }
}
