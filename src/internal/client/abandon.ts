import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RequestError } from "./agentError.ts"
import { unbroken } from "./unbroken.ts"

/** Time for a cancellation, its retries included. */
const longest = "10 seconds"

/** Answers to a cancellation that show a job which needs none. */
const ended: ReadonlySet<string> = new Set(["AgentAlreadyFinished", "AgentAlreadyCancelled", "AgentJobNotFound"])

const stillRuns = (jobId: string, why: string): Effect.Effect<void> =>
  Effect.logWarning(`agent job ${jobId} could not be cancelled and may still run: ${why}`)

/** Cancels a job that nobody follows any more, in an interrupted fiber too. Takes 10 seconds at most; a failure is logged with the id. */
export const abandon = (jobId: string, cancel: Effect.Effect<void, RequestError>): Effect.Effect<void> =>
  Effect.matchEffect(unbroken(Effect.timeoutOption(cancel, longest)), {
    onSuccess: (done) => (Option.isSome(done) ? Effect.void : stillRuns(jobId, `no answer within ${longest}`)),
    onFailure: (error) => (ended.has(error._tag) ? Effect.void : stillRuns(jobId, error.message))
  })
