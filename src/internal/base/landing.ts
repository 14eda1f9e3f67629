import * as Effect from "effect/Effect"

/**
 * A result that many wait for. As a `Deferred`, without the ten effects by which each waiter that is interrupted leaves its list: it stays
 * there until the result has come, and is then resumed in vain.
 */
export class Landing<A, E = never> {
  private given: Effect.Effect<A, E> | null = null
  private waiting: Array<(result: Effect.Effect<A, E>) => void> = []

  /** Null before it has come. */
  get result(): Effect.Effect<A, E> | null {
    return this.given
  }

  /** Gives the result to those who wait; the first one counts. */
  readonly land = (result: Effect.Effect<A, E>): void => {
    if (this.given !== null) return
    this.given = result
    const waiting = this.waiting
    this.waiting = []
    for (const resume of waiting) resume(result)
  }

  /** Waits for the result. */
  readonly landed: Effect.Effect<A, E> = Effect.async<A, E>((resume) => {
    if (this.given === null) this.waiting.push(resume)
    else resume(this.given)
  })
}
