/** SIGINT and SIGTERM: the first asks for a clean end, the second ends at once. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export class Signals extends Context.Tag("docsluice/cli/Signals")<Signals, Signals.Service>() {}

export declare namespace Signals {
  export interface Service {
    /** Completed by the first signal. */
    readonly first: Deferred.Deferred<void>
    /** From now on the first signal only completes `first`, and the caller is responsible for ending. */
    readonly handled: Effect.Effect<void>
    /** Called by the second signal, just before the process ends: it must be done when it returns. */
    readonly beforeEnd: (action: () => void) => void
    /** True once a caller has taken that responsibility. */
    readonly isHandled: () => boolean
  }
}

const names = ["SIGINT", "SIGTERM"] as const

/** Listens until the scope closes. */
export const make: Effect.Effect<Signals.Service, never, Scope.Scope> = Effect.gen(function* () {
  const first = yield* Deferred.make<void>()
  let handled = false
  let seen = 0
  let last = (): void => undefined
  const listener = (): void => {
    seen++
    if (seen > 1) {
      last()
      process.exit(130)
    }
    Deferred.unsafeDone(first, Effect.void)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      for (const name of names) process.on(name, listener)
    }),
    () =>
      Effect.sync(() => {
        for (const name of names) process.off(name, listener)
      })
  )
  return {
    first,
    handled: Effect.sync(() => {
      handled = true
    }),
    beforeEnd: (action) => {
      last = action
    },
    isHandled: () => handled
  }
})
