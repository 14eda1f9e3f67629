import type { RequestGate } from "../../RequestGate.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import { stateOf } from "./serviceState.ts"

/**
 * Failures of one request over its attempts, told apart from an outage: one that comes again although the service answered a request
 * that was sent after the last failure is the request's own, and so are those after it. They neither open the breaker nor are free, or
 * else a few documents that the service cannot parse would look like an outage once all others are done.
 */
export class OwnFailures {
  private readonly gate: RequestGate.Service
  /** Time of the last failure, in milliseconds since the epoch. */
  private failedAt = Number.POSITIVE_INFINITY
  private own = false

  constructor(gate: RequestGate.Service) {
    this.gate = gate
  }

  /** Notes a failed attempt; true when it is the request's own. */
  add(error: ServiceError, now: number): boolean {
    const state = stateOf(error)
    if (state !== "unhealthy" && state !== "unreachable") return false
    this.own ||= (this.gate.snapshot().servedAt ?? 0) > this.failedAt
    this.failedAt = now
    return this.own
  }
}
