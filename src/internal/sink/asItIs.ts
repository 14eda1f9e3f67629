import * as Effect from "effect/Effect"
import type { Prepared, Service } from "./contract.ts"
import { held, holding, mapped } from "./generations.ts"

/** A sink that is prepared for the vectors that it holds, whatever space is asked for: to remove from it, not to write. */
export const asItIs = <P extends Prepared>(sink: Service<P>): Service<P> => {
  const generations = held(sink)
  const prepare: Service<P>["prepare"] = (space, claim) =>
    Effect.catchAll(sink.prepare(space, claim), (error) =>
      error.spaces === undefined ? Effect.fail(error) : sink.prepare(error.spaces.stamped, claim)
    )
  return holding({ ...sink, prepare }, generations && mapped(generations, asItIs))
}
