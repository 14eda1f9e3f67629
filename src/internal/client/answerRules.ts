import type { ServiceError } from "../../service/ServiceError.ts"

/** How often one kind of answer is tried, and what it means once that is used up. */
export interface Rule {
  /** The first attempt included; `time`: costs time, never attempts. */
  readonly attempts: number | "time"
  readonly severity: "document" | "run"
}

export const rules = {
  throttled: { attempts: "time", severity: "document" },
  unhealthy: { attempts: 5, severity: "document" },
  unsent: { attempts: 5, severity: "document" },
  brokenContent: { attempts: 3, severity: "document" },
  gateway: { attempts: 3, severity: "document" },
  timeout: { attempts: 2, severity: "document" },
  ambiguous: { attempts: 2, severity: "document" },
  otherServerError: { attempts: 2, severity: "document" },
  extraction: { attempts: 2, severity: "document" },
  unresolved: { attempts: 2, severity: "run" },
  document: { attempts: 1, severity: "document" },
  run: { attempts: 1, severity: "run" }
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

/** Statuses outside the catalogue that would meet every document alike. */
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

/** The rule of an answer; `json`: the format `json` was asked for. */
export const ruleOf = (error: ServiceError, json: boolean): RuleName => {
  switch (error._tag) {
    case "RateLimitExceeded":
    case "ConcurrencyLimitReached":
      return "throttled"
    case "RequestTimeout":
      return error.code === "CONCURRENCY_QUEUE_TIMEOUT" ? "throttled" : "timeout"
    case "InternalServerError":
    case "BadGateway":
    case "ServiceUnavailable":
      return "unhealthy"
    case "GatewayTimeout":
      return "gateway"
    case "UnprocessableEntity":
      return json ? "extraction" : "document"
    case "UnexpectedResponse":
      return ofUnexpected(error.status, error.reason)
    case "ConnectionFailed":
      if (error.reason === "tls" || error.reason === "address") return "run"
      if (error.code === "ENOTFOUND") return "unresolved"
      return error.ambiguous ? "ambiguous" : "unsent"
    case "Unauthorized":
    case "PaymentRequired":
    case "Forbidden":
    case "ServiceUnreachable":
      return "run"
    default:
      return "document"
  }
}
