import type * as Effect from "effect/Effect"
import type { RequestGate } from "../../RequestGate.ts"
import type { Attempt } from "../gate/attempts.ts"
import { attempted } from "../telemetry/attempt.ts"
import type { RequestError } from "./agentError.ts"
import type { BaseAddress } from "./baseAddress.ts"

/** Reports the attempts of a request to telemetry; `path` names it there. */
export const reporting =
  ({ address, gate }: { readonly address: BaseAddress; readonly gate: RequestGate.Service }, path: string) =>
  (attempt: Attempt<unknown, RequestError>, number: number): Effect.Effect<void> => {
    const { error, until } = attempt._tag === "Answered" ? { error: null, until: null } : attempt
    return attempted({ path, number, error, until, gate: { service: address.url, snapshot: gate.snapshot } })
  }
