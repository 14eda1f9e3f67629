import * as Option from "effect/Option"
import { AgentRunFailed, closestCode, type TraceCode } from "./agentError.ts"
import type { AgentEvent, AgentTrace, EventError, Outcome } from "./agentEvent.ts"
import type { Job } from "./agentJob.ts"

const byOutcome: Readonly<Partial<Record<Outcome, TraceCode>>> = {
  cancelled: "cancelled",
  refused: "refused",
  credit_limit_reached: "credit_limit_reached"
}

/** Words of the job record by which a failure is known when there is no trace of it. */
const words: ReadonlyArray<readonly [RegExp, TraceCode]> = [
  [/credit limit|maxcredits/i, "credit_limit_reached"],
  [/cancel/i, "cancelled"],
  [/refused/i, "refused"]
]

const byWords = ({ error = "", status }: Job): TraceCode =>
  status === "cancelled" ? "cancelled" : (words.find(([pattern]) => pattern.test(error))?.[1] ?? "internal")

interface Ending {
  readonly outcome: Outcome | undefined
  readonly rawOutcome: string | undefined
  readonly error: EventError | undefined
}

/** The event that ended the run, with the last error that was told of before where neither its error nor its outcome says why. */
const endingOf = (events: ReadonlyArray<AgentEvent>): Ending | undefined => {
  const finished = events.findLast((event) => event.type === "run.finished")
  const told = events.findLast((event) => event.type === "error.occurred")?.error
  if (finished === undefined) return told && { outcome: undefined, rawOutcome: undefined, error: told }
  const { error, outcome, rawOutcome } = finished
  const said = error !== undefined || (outcome !== undefined && byOutcome[outcome] !== undefined)
  return { outcome, rawOutcome, error: said ? error : told }
}

/** The code of an ending: its own when it is one of the five, or else that of its outcome. */
const codeOf = ({ error, outcome }: Ending): TraceCode | undefined => {
  const code = error === undefined ? undefined : closestCode(error.rawCode)
  if (code !== undefined && code === error?.rawCode) return code
  return (outcome === undefined ? undefined : byOutcome[outcome]) ?? code
}

/** The failure of a job that ended without completing: the reason from its trace, or else from the words of its record. */
export const failureOf = (job: Job, trace: Option.Option<AgentTrace>): AgentRunFailed => {
  const ending = Option.isSome(trace) ? endingOf(trace.value.events) : undefined
  const error = ending?.error
  const rawCode = error === undefined || error.rawCode === "" ? ending?.rawOutcome : error.rawCode
  const consumed = Option.isSome(trace) ? trace.value.creditsUsed : undefined
  return new AgentRunFailed({
    jobId: job.jobId,
    code: (ending && codeOf(ending)) ?? byWords(job),
    ...(rawCode !== undefined && { rawCode }),
    retryable: error?.retryable ?? false,
    ...(job.creditsUsed !== undefined && { creditsUsed: job.creditsUsed }),
    ...(consumed !== undefined && { creditsConsumed: consumed }),
    error: job.error ?? error?.message ?? `the job ended as ${job.rawStatus}`
  })
}
