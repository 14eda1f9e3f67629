import * as Effect from "effect/Effect"
import { SinkError } from "./sinkError.ts"

/** Failure of a call that the sink's capabilities claim, and that it does not have. */
export const lacking = (sink: string, call: string): Effect.Effect<never, SinkError> =>
  Effect.fail(new SinkError({ sink, reason: "Unsupported", problem: `it claims \`${call}\` and has no such call` }))
