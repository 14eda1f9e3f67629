import { type CataloguedError, catalogue, type ServiceError } from "../../service/ServiceError.ts"

/** Number of attempts for one kind of answer, and its meaning after the last. */
export interface Rule {
  /** Number of attempts, the first included; `time`: repetitions take time but no attempts. */
  readonly attempts: number | "time"
  /** After the last attempt: this document fails, or the run stops. */
  readonly severity: "document" | "run"
  /** True when the same file may succeed in a later run without any change; otherwise the document's failure is final. */
  readonly retryable: boolean
}

export const rules = {
  throttled: { attempts: "time", severity: "document", retryable: true },
  unhealthy: { attempts: 5, severity: "document", retryable: true },
  unsent: { attempts: 5, severity: "document", retryable: true },
  brokenContent: { attempts: 3, severity: "document", retryable: true },
  foreign: { attempts: 3, severity: "document", retryable: true },
  gateway: { attempts: 3, severity: "document", retryable: true },
  timeout: { attempts: 2, severity: "document", retryable: true },
  ambiguous: { attempts: 2, severity: "document", retryable: true },
  otherServerError: { attempts: 2, severity: "document", retryable: true },
  extraction: { attempts: 2, severity: "document", retryable: false },
  unresolved: { attempts: 2, severity: "run", retryable: true },
  outage: { attempts: 1, severity: "run", retryable: true },
  document: { attempts: 1, severity: "document", retryable: false },
  run: { attempts: 1, severity: "run", retryable: false }
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

type TransientTag = {
  readonly [Tag in CataloguedError["_tag"]]: (typeof catalogue)[Tag]["severity"] extends "transient" ? Tag : never
}[CataloguedError["_tag"]]

/** Rules of the catalogue's rows that are tried again. */
const transient: Readonly<Record<TransientTag, RuleName>> = {
  RequestTimeout: "timeout",
  RateLimitExceeded: "throttled",
  ConcurrencyLimitReached: "throttled",
  InternalServerError: "unhealthy",
  BadGateway: "unhealthy",
  ServiceUnavailable: "unhealthy",
  GatewayTimeout: "gateway"
}

/** Statuses outside the catalogue that concern every document alike. */
const aboutTheService = new Set([405, 406, 407, 410, 421, 426, 501, 505])

const ofUnexpected = (status: number, reason: string): RuleName => {
  switch (reason) {
    case "NotJson":
    case "Empty":
      return "brokenContent"
    case "Redirect":
      return "run"
    case "Status":
      if (aboutTheService.has(status)) return "run"
      return status >= 500 ? "otherServerError" : "document"
    default:
      return "document"
  }
}

/** A 429 that names a wait comes from a rate limit, whoever enforces it. */
const isThrottling = (error: ServiceError): boolean =>
  error._tag === "RateLimitExceeded" && error.retryAfter !== undefined

/** Rule of an answer; `json`: the format `json` was requested. */
export const ruleOf = (error: ServiceError, json: boolean): RuleName => {
  if ("foreign" in error && error.foreign === true && !isThrottling(error)) return "foreign"
  switch (error._tag) {
    case "RequestTimeout":
      return error.code === "CONCURRENCY_QUEUE_TIMEOUT" ? "throttled" : transient[error._tag]
    case "RateLimitExceeded":
    case "ConcurrencyLimitReached":
    case "InternalServerError":
    case "BadGateway":
    case "ServiceUnavailable":
    case "GatewayTimeout":
      return transient[error._tag]
    case "UnprocessableEntity":
      return json ? "extraction" : "document"
    case "DocumentUnparsable":
      return "document"
    case "UnexpectedResponse":
      return ofUnexpected(error.status, error.reason)
    case "ConnectionFailed":
      if (error.reason === "tls" || error.reason === "address") return "run"
      if (error.code === "ENOTFOUND") return "unresolved"
      return error.ambiguous ? "ambiguous" : "unsent"
    case "ServiceUnreachable":
      return "outage"
    default:
      return catalogue[error._tag].severity
  }
}

/** Severity of an answer that is not tried again. */
export const severityOf = (error: ServiceError): Rule["severity"] => rules[ruleOf(error, false)].severity

/**
 * Key that is equal for two identical refusals; null for an answer that is not a refusal and may concern many documents. The body of a
 * foreign answer may hold a request number or the time, so its status alone counts.
 */
export const refusalOf = (error: ServiceError): string | null => {
  if (ruleOf(error, false) === "foreign") return `${error._tag} ${"status" in error ? error.status : ""}`
  switch (error._tag) {
    case "BadRequest":
    case "InvalidUrl":
    case "PromptInjectionDetected":
    case "UnprocessableEntity":
      return JSON.stringify([error._tag, error.code, error.error])
    default:
      return null
  }
}
