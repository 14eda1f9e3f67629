import * as Effect from "effect/Effect"
import { refusalOf } from "../client/answerRules.ts"
import * as RunState from "../client/runState.ts"

/** State of a run over added documents: a refusal is always its document's, and is reported at once. */
export const make: Effect.Effect<RunState.RunState> = Effect.map(RunState.make, (run) => ({
  ...run,
  refusals: undefined,
  failed: (error, contentHash) => (refusalOf(error) === null ? run.failed(error, contentHash) : "document")
}))
