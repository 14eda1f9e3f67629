import * as Duration from "effect/Duration"
import { catalogue, ConcurrencyLimitReached, PaymentRequired, RateLimitExceeded } from "../../service/ServiceError.ts"

/** Limits of a plan, as the service has them; undefined means no limit. */
export interface Plan {
  readonly rate: { readonly requests: number; readonly per: Duration.DurationInput } | undefined
  readonly concurrency: number | undefined
  readonly credits: number | undefined
}

export type Refusal = PaymentRequired | RateLimitExceeded | ConcurrencyLimitReached

/** Remaining rate, concurrency and credits of a server. Mutable, updated on every request. Times are milliseconds since the epoch. */
export interface Admission {
  /** Reason to refuse a request now, or null. A null counts as one request in flight until {@link leave}. */
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
