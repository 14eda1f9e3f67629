/** The end of a run, as its job, its trace and its agents show it. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { EventError, RunError } from "./runner.ts"

export type Outcome = "succeeded" | "failed" | "cancelled" | "refused" | "credit_limit_reached"

/** `data`: JSON text of the result. */
export type Verdict =
  | { readonly outcome: "succeeded"; readonly data: string; readonly error: null }
  | { readonly outcome: Exclude<Outcome, "succeeded">; readonly error: EventError }

export const cancelled: Verdict = {
  outcome: "cancelled",
  error: { code: "cancelled", source: "system", retryable: false, message: "The run was cancelled by the caller" }
}

export const limited = (maxCredits: number): Verdict => ({
  outcome: "credit_limit_reached",
  error: {
    code: "credit_limit_reached",
    source: "billing",
    retryable: false,
    message: `The run reached its credit limit of ${maxCredits} (maxCredits); it is not charged`
  }
})

/** End of a run whose service stopped, in order or not. */
export const stopped: Verdict = {
  outcome: "failed",
  error: {
    code: "internal",
    source: "system",
    retryable: true,
    message: "The service stopped during the run; submit the job again"
  }
}

/** End of a sub-agent that was at work when the agent that started it ended. */
export const parentFinished: Verdict = {
  outcome: "cancelled",
  error: {
    code: "parent_finished",
    source: "system",
    retryable: false,
    message: "The agent that started this one finished first"
  }
}

const broken: Verdict = {
  outcome: "failed",
  error: { code: "internal", source: "system", retryable: true, message: "The run failed unexpectedly" }
}

const failed = (error: RunError): Verdict =>
  error._tag === "AgentRefused"
    ? { outcome: "refused", error: { code: "refused", source: "agent", retryable: false, message: error.error } }
    : {
        outcome: "failed",
        error: { code: "internal", source: "agent", retryable: error.retryable, message: error.error }
      }

/** `interrupted`: the verdict on a run that was interrupted. */
export const ofExit = (exit: Exit.Exit<string, RunError>, interrupted: Verdict): Verdict => {
  if (Exit.isSuccess(exit)) return { outcome: "succeeded", data: exit.value, error: null }
  const failure = Cause.failureOption(exit.cause)
  if (Option.isSome(failure)) return failed(failure.value)
  return Cause.isInterrupted(exit.cause) ? interrupted : broken
}

/** Outcome of an agent: an agent has no separate limit of credits. */
export const agentOutcome = ({ outcome }: Verdict): Exclude<Outcome, "credit_limit_reached"> =>
  outcome === "credit_limit_reached" ? "failed" : outcome
