import * as Duration from "effect/Duration"
import { catalogue, ConcurrencyLimitReached, PaymentRequired, RateLimitExceeded } from "../../service/ServiceError.ts"

/** A plan, as the service has them; what is undefined has no bound. */
export interface Plan {
  readonly rate: { readonly requests: number; readonly per: Duration.DurationInput } | undefined
  readonly concurrency: number | undefined
  readonly credits: number | undefined
}

export type Refusal = PaymentRequired | RateLimitExceeded | ConcurrencyLimitReached

/** What a server still has of its plan; mutable, touched once a request. Times are milliseconds. */
export interface Admission {
  /** Why a request may not begin now; null when it may, and then it counts until {@link leave}. */
  readonly enter: (now: number) => Refusal | null
  readonly leave: () => void
  readonly spend: (credits: number) => void
}

export const make = (plan: Plan): Admission => {
  let inFlight = 0
  let credits = plan.credits ?? Number.POSITIVE_INFINITY
  const window = plan.rate === undefined ? 0 : Duration.toMillis(plan.rate.per)
  let admitted: Array<number> = []

  const wait = (now: number): number => {
    if (plan.rate === undefined) return 0
    admitted = admitted.filter((at) => at > now - window)
    return admitted.length < plan.rate.requests ? 0 : (admitted[0] ?? now) + window - now
  }

  return {
    enter: (now) => {
      if (credits <= 0) return new PaymentRequired({ status: 402, error: catalogue.PaymentRequired.error })
      const retryAfter = wait(now)
      if (retryAfter > 0) {
        return new RateLimitExceeded({ status: 429, error: catalogue.RateLimitExceeded.error, retryAfter })
      }
      if (inFlight >= (plan.concurrency ?? Number.POSITIVE_INFINITY)) {
        return new ConcurrencyLimitReached({ status: 429, error: catalogue.ConcurrencyLimitReached.error })
      }
      if (plan.rate !== undefined) admitted.push(now)
      inFlight += 1
      return null
    },
    leave: () => {
      inFlight -= 1
    },
    spend: (used) => {
      credits -= used
    }
  }
}
