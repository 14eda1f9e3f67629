import * as RetryPolicy from "../../RetryPolicy.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import type { Reason } from "./embeddingError.ts"

/** A failure that is neither a transport error nor a status. */
export interface Thrown {
  readonly _tag: "Thrown"
  readonly error: string
}

/** Every caller was stopped before the request was sent. */
export interface Stopped {
  readonly _tag: "Stopped"
}

export const stopped: Stopped = { _tag: "Stopped" }

/** Errors of a provider. None holds the key. */
export type ProviderError = ServiceError | Thrown

/** Errors of a request through the gate. */
export type ExchangeError = ProviderError | Stopped

/** Reason why one text has no vector. */
export interface Failure {
  readonly reason: Reason
  readonly problem: string
  readonly retryable: boolean
  readonly severity: "document" | "run"
  readonly status?: number
}

export const bad = (problem: string): Failure => ({
  reason: "BadAnswer",
  problem,
  retryable: false,
  severity: "document"
})

const aboutLength = /token|too long|too large|maximum|max_|context|exceed|\blength\b/i

/** True when a smaller request may succeed: the server refused the content, and charged nothing. */
export const isRefusal = (error: ExchangeError): boolean =>
  error._tag === "BadRequest" || error._tag === "PayloadTooLarge" || error._tag === "UnprocessableEntity"

/** True when a shorter text may succeed. */
export const isTooLong = (error: ExchangeError): boolean =>
  error._tag === "PayloadTooLarge" || (isRefusal(error) && "error" in error && aboutLength.test(error.error))

const reasonOf = (error: ServiceError, rule: RetryPolicy.RuleName): Reason => {
  if (error._tag === "ConnectionFailed") return "Unavailable"
  switch (rule) {
    case "throttled":
      return "Throttled"
    case "brokenContent":
      return "BadAnswer"
    case "run":
      return "Refused"
    case "document":
    case "extraction":
      return isTooLong(error) ? "TooLong" : "Rejected"
    default:
      return "Unavailable"
  }
}

/** Failure that an error of a request means for each of its texts. */
export const ofError = (error: ExchangeError): Failure => {
  if (error._tag === "Thrown") {
    return { reason: "Failed", problem: error.error, retryable: false, severity: "document" }
  }
  if (error._tag === "Stopped") {
    return { reason: "Stopped", problem: "not sent, the run was stopped", retryable: true, severity: "run" }
  }
  const rule = RetryPolicy.ruleOf(error)
  const { retryable, severity } = RetryPolicy.rules[rule]
  return {
    reason: reasonOf(error, rule),
    problem: error.message,
    retryable,
    severity,
    ...("status" in error ? { status: error.status } : {})
  }
}
