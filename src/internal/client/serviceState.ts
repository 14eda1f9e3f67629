import type { State } from "../../RequestGate.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { ServiceError } from "../../service/ServiceError.ts"

/**
 * State of the service as an error shows it. A refusal of the document shows a service at work; any 429 is a refusal of the rate,
 * whoever between us and the service sent it, so requests are spaced out although its document has few attempts.
 */
export const stateOf = (error: ServiceError): State => {
  if (error._tag === "RateLimitExceeded") return "rateLimited"
  switch (RetryPolicy.ruleOf(error)) {
    case "throttled":
      return "concurrencyLimited"
    case "unhealthy":
    case "gateway":
    case "otherServerError":
      return "unhealthy"
    default:
      return error._tag === "ConnectionFailed" ? "unreachable" : "answered"
  }
}
