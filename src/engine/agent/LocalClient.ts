/** The client of agent jobs without sockets: calls `AgentJobs` in this process. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { abandon } from "../../internal/client/abandon.ts"
import * as agentBody from "../../internal/client/agentBody.ts"
import * as AgentEvent from "../../internal/client/agentEvent.ts"
import * as AgentJob from "../../internal/client/agentJob.ts"
import { AgentClient, type SubmitError } from "../../service/AgentClient.ts"
import type { AgentJobs, Caller } from "../../service/AgentJobs.ts"

const decodeBody = Schema.decodeUnknownSync(Schema.parseJson())

/**
 * The client of one owner. Requests are checked as by the client over HTTP, and answered as by the server; nothing is retried, since
 * nothing can be lost on the way.
 */
export const make = (jobs: AgentJobs.Service, caller: Caller): AgentClient.Service => {
  const cancel: AgentClient.Service["cancel"] = (jobId) => jobs.cancel(caller, jobId)
  return AgentClient.of({
    identity: "embedded",
    submit: (request, keep) =>
      Effect.suspend((): Effect.Effect<string, SubmitError> => {
        const encoded = agentBody.encode(request)
        if (Either.isLeft(encoded)) return Effect.fail(encoded.left)
        let submitted: string | null = null
        // Through its JSON, as the server reads it.
        const taken = jobs.submit(caller, decodeBody(Buffer.from(encoded.right).toString())).pipe(
          Effect.map((id): string => id),
          Effect.tap((id) =>
            Effect.sync(() => {
              if (keep === undefined) submitted = id
              else keep(id)
            })
          )
        )
        return Effect.onInterrupt(Effect.uninterruptible(taken), () =>
          submitted === null ? Effect.void : abandon(submitted, cancel(submitted))
        )
      }),
    status: (jobId) =>
      Effect.flatMap(jobs.status(caller, jobId), (record) =>
        Option.match(AgentJob.jobOf(jobId, record), {
          onNone: () => Effect.dieMessage("a job without a status"),
          onSome: Effect.succeed
        })
      ),
    trace: (jobId) =>
      Effect.map(jobs.trace(caller, jobId), (record) => ({
        jobId,
        events: record.events.flatMap((event) => AgentEvent.fromRecord(event) ?? []),
        ...(record.creditsUsed !== undefined && { creditsUsed: record.creditsUsed }),
        record
      })),
    snapshot: (jobId, snapshotId) =>
      Effect.map(jobs.snapshot(caller, jobId, snapshotId), (record) => ({
        jobId,
        snapshotId,
        snapshot: record.snapshot,
        record
      })),
    cancel
  })
}
