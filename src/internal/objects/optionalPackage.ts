import * as Effect from "effect/Effect"
import { SourceUnavailable } from "../../Source.ts"

/** A package that is not installed with this one; `source`: what needs it. */
export const load = <A>(source: string, name: string, load: () => Promise<A>): Effect.Effect<A, SourceUnavailable> =>
  Effect.tryPromise({
    try: load,
    catch: (cause) =>
      new SourceUnavailable({
        source,
        reason: "Invalid",
        problem: `it needs a package that is not installed here; run: npm install ${name}`,
        cause
      })
  })
