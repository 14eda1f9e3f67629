import { Effect, Exit, Scope } from "effect"
import { afterAll } from "vitest"

/**
 * One server for all tests of a file: started by the first that needs it, ended after the last. `layer` of `@effect/vitest` would change
 * `it` for every other file that runs in this process.
 */
export const shared = <A>(server: Effect.Effect<A, never, Scope.Scope>): Effect.Effect<A> => {
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runSync(Effect.cached(Scope.extend(server, scope)))
}
