import type { RequestGate } from "../../RequestGate.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import type { Rules, Verdict } from "../gate/attempts.ts"
import { stateOf } from "./serviceState.ts"

export interface Settings {
  readonly gate: Pick<RequestGate.Service, "snapshot" | "downtime">
  readonly policy: RetryPolicy.RetryPolicy
}

/** Circumstances of a failure that its error does not show. */
export type Circumstances = Pick<RetryPolicy.Failure, "json" | "reusedConnection">

const plain: Circumstances = { json: false, reusedConnection: false }

/**
 * Rules of one request to a service with the error catalogue: its attempts by `RetryPolicy`, and the failures that are its own.
 *
 * A failure that comes again although the service answered a request that was sent after the last one is the request's own, and so are
 * those after it. They neither open the breaker nor are free, or else a few documents that the service cannot parse would look like an
 * outage once all others are done.
 */
export class ServiceRules implements Rules<ServiceError> {
  private readonly settings: Settings
  private readonly circumstances: () => Circumstances
  private spent = RetryPolicy.nothingSpent
  /** Time of the first request by {@link served}. */
  private started: number | null = null
  /** Time of the last failure of the service's health, in milliseconds since the epoch. */
  private failedAt = Number.POSITIVE_INFINITY
  private own = false

  constructor(settings: Settings, circumstances: () => Circumstances = () => plain) {
    this.settings = settings
    this.circumstances = circumstances
  }

  begin(now: number): void {
    this.started ??= this.served(now)
  }

  judge(error: ServiceError, now: number, random: number): Verdict {
    const { gate, policy } = this.settings
    const { breaker, ratePerSecond, servedAt } = gate.snapshot()
    const state = stateOf(error)
    const own = (state === "unhealthy" || state === "unreachable") && this.isOwn(now, servedAt)
    const shown = own ? "unsent" : state
    const decision = RetryPolicy.decide(policy, this.spent, {
      ...this.circumstances(),
      error,
      elapsed: this.served(now) - (this.started ?? 0),
      free: !own && breaker !== "closed",
      paced: ratePerSecond !== null,
      random
    })
    const retryAfter = "retryAfter" in error ? error.retryAfter : undefined
    if (decision._tag === "GiveUp") return { state: shown, wait: null, retryAfter }
    this.spent = decision.spent
    return { state: shown, wait: decision.millis, closes: decision.closes, retryAfter }
  }

  private isOwn(now: number, servedAt: number | null): boolean {
    this.own ||= (servedAt ?? 0) > this.failedAt
    this.failedAt = now
    return this.own
  }

  /** A clock that stands still while the service as a whole is not asked; in milliseconds. */
  private served(now: number): number {
    return now - this.settings.gate.downtime(now)
  }
}
