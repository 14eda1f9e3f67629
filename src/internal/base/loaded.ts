import * as Effect from "effect/Effect"

/** Loads a module when it is first needed; once it is there, the effect does not wait for a promise. */
export const loaded = <A extends object>(load: () => Promise<A>): Effect.Effect<A> => {
  let module: A | undefined
  const first = Effect.tap(Effect.promise(load), (found) => {
    module = found
  })
  return Effect.suspend(() => (module === undefined ? first : Effect.succeed(module)))
}
