/** The limits of one caller, and what is left of them. */
import type * as ParseOptions from "../../service/ParseOptions.ts"
import {
  catalogue,
  ConcurrencyLimitReached,
  Forbidden,
  PaymentRequired,
  RateLimitExceeded
} from "../../service/ServiceError.ts"
import type * as ApiKey from "./apiKey.ts"
import * as Credits from "./credits.ts"
import * as rateWindow from "./rateWindow.ts"
import * as turnstiles from "./turnstile.ts"

/** A plan without its key; undefined means no limit. */
export interface Plan {
  readonly permissions?: ReadonlyArray<ApiKey.Permission> | undefined
  readonly rate?: ApiKey.Rate | undefined
  readonly concurrency?: number | undefined
  readonly credits?: number | undefined
  readonly zeroDataRetention?: typeof ApiKey.ZeroDataRetention.Type | undefined
}

export type Refusal = Forbidden | PaymentRequired | RateLimitExceeded | ConcurrencyLimitReached

/** Mutable, updated on every request. Times are milliseconds since the epoch. */
export interface Account {
  readonly name: string
  /** Requests that it holds, waiting ones included. */
  readonly held: () => number
  /** Reason to refuse every request to an endpoint, or null. */
  readonly permits: (endpoint: "parse" | "agent") => Forbidden | null
  /** Reason to refuse a request before it is read, or null; `share` is the number of requests that it may hold. */
  readonly refusal: (now: number, share: number) => Refusal | null
  /** Refusal of a request that the server cannot hold. */
  readonly full: () => ConcurrencyLimitReached
  /** Counts a request that begins now. */
  readonly enter: (now: number) => void
  /** Counts the end of a request; `took` in milliseconds. */
  readonly leave: (took: number) => void
  /** Places of the requests whose bodies are there. */
  readonly places: turnstiles.Turnstile
  /** Milliseconds after which a request that found no place may be sent again. */
  readonly pause: () => number
  /** The options as the plan has them, or the reason to refuse them. */
  readonly allowed: (options: ParseOptions.Resolved) => ParseOptions.Resolved | Forbidden
  /** True if credits are limited. */
  readonly limited: boolean
  /** Reserves credits, or tells that there are not enough. */
  readonly reserve: (credits: number) => PaymentRequired | null
  readonly release: (credits: number) => void
  /** Takes credits for good. */
  readonly spend: (credits: number) => void
}

const paymentRequired = (credits: number, left: number): PaymentRequired =>
  new PaymentRequired({
    status: 402,
    error:
      left <= 0
        ? catalogue.PaymentRequired.error
        : `${catalogue.PaymentRequired.error} (this needs ${credits}, ${left} are left)`
  })

const forbidden = (what: string): Forbidden =>
  new Forbidden({ status: 403, error: `${catalogue.Forbidden.error}: this key may not use ${what}` })

/** Features of a parse that need a separate permission. */
const featuresOf = (options: ParseOptions.Resolved): ReadonlyArray<ApiKey.Permission> => [
  "parse",
  ...(["summary", "json"] as const).filter((name) => options.formats.some(({ type }) => type === name)),
  ...(options.redactPII === false ? [] : (["redactPII"] as const))
]

/** Weight of the last request in the average of their durations. */
const weight = 0.2

/** Bounds of the wait that a refused caller is told. */
const pauses = { least: 1000, most: 60_000 } as const

/** Cheapest parse. */
const least = Credits.ofParse({ formats: [], redactPII: false }, {})

/** `spent`: credits spent before. */
export const make = (name: string, plan: Plan, spent: number): Account => {
  const rate = rateWindow.make(plan.rate)
  const places = turnstiles.make(plan.concurrency ?? Number.POSITIVE_INFINITY)
  let held = 0
  let left = (plan.credits ?? Number.POSITIVE_INFINITY) - spent
  /** Credits of requests in flight. */
  let reserved = 0
  let average = 0
  const pause = () => Math.min(pauses.most, Math.max(pauses.least, average))
  const full = () =>
    new ConcurrencyLimitReached({
      status: 429,
      error: catalogue.ConcurrencyLimitReached.error,
      retryAfter: pause()
    })
  const reserve = (credits: number) => {
    if (reserved + credits > left) return paymentRequired(credits, left - reserved)
    reserved += credits
    return null
  }

  return {
    name,
    held: () => held,
    permits: (endpoint) => (plan.permissions?.includes(endpoint) === false ? forbidden(endpoint) : null),
    refusal: (now, share) => {
      if (reserved + least > left) return paymentRequired(least, left - reserved)
      const retryAfter = rate.wait(now)
      if (retryAfter > 0) {
        return new RateLimitExceeded({ status: 429, error: catalogue.RateLimitExceeded.error, retryAfter })
      }
      return held < share ? null : full()
    },
    full,
    enter: (now) => {
      rate.count(now)
      held += 1
    },
    leave: (took) => {
      held -= 1
      average = average === 0 ? took : average * (1 - weight) + took * weight
    },
    places,
    pause,
    allowed: (options) => {
      const refused = featuresOf(options).find((feature) => plan.permissions?.includes(feature) === false)
      if (refused !== undefined) return forbidden(refused)
      if (plan.zeroDataRetention === "refused" && options.zeroDataRetention) return forbidden("zeroDataRetention")
      return plan.zeroDataRetention === "required" ? { ...options, zeroDataRetention: true } : options
    },
    limited: plan.credits !== undefined,
    reserve,
    release: (credits) => {
      reserved -= credits
    },
    spend: (credits) => {
      left -= credits
    }
  }
}
