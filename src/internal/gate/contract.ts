import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { BreakerState } from "./breaker.ts"

/**
 * The service's state as seen by one request. `answered`: it did its work, a refusal of the document included; `queued`: the same,
 * after a wait in the service's own queue because too many requests were in flight; `rateLimited`, `concurrencyLimited`: refused,
 * the service wants fewer requests; `unhealthy`: a fault of the service; `unreachable`: no answer; `unsent`: the request was not
 * sent.
 *
 * @since 0.1.0
 * @category models
 */
export type State =
  | "answered"
  | "queued"
  | "rateLimited"
  | "concurrencyLimited"
  | "unhealthy"
  | "unreachable"
  | "unsent"

/**
 * A state, with a wait that the service asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly state: State
  /** Milliseconds for which the service wants no request of anybody; the gate closes for them. Default: it stays open. */
  readonly closeFor?: number | undefined
  /** Milliseconds after which the service wants this request again, as a sign of when it has room. Default: it named none. */
  readonly retryAfter?: number | undefined
  /** The failure in words, for the message of `ServiceUnreachable`; without keys. */
  readonly problem?: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export type Observation = State | Observed

/**
 * A known rate: a number of requests in a time.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rate {
  readonly requests: number
  /** The time in which this number of requests is allowed. */
  readonly per: Duration.DurationInput
}

/**
 * Limits of a gate. Where several users share one, the lowest of each counts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * Most requests in flight: a number that is a plan's limit, sent as soon as the first answer came (`RequestGate.make`); or `adaptive` (default), which
   * begins with 1 and grows to 32 while nothing is refused. Either is lowered when the service says that too many are in flight, and
   * raised again.
   */
  readonly concurrency?: number | "adaptive" | undefined
  /** Requests in a time that a plan allows, when known; default: learned once refusals of the rate are frequent. */
  readonly rate?: Rate | undefined
  /** Bytes that requests in flight may hold together; one request alone may hold more; default 64 MiB. */
  readonly maxBytesInFlight?: number | undefined
  /**
   * Longest time in which no request succeeds, waits that the service asked for included; after it, or as soon as it is certain to be
   * exceeded, waiting requests fail with `ServiceUnreachable`. Default 10 minutes.
   */
  readonly outageLimit?: Duration.DurationInput | undefined
}

/**
 * The service that a gate is for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Target {
  /** Base address without credentials. */
  readonly address: string
  /** The key that requests are sent with; undefined for none. Only its hash is kept. */
  readonly key?: Redacted.Redacted | undefined
}

/**
 * The reason why requests are not sent any more, such as the stop of a run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Halt<H> {
  /** Reason why no further request may be sent; null while it may. */
  readonly stopped: () => H | null
  /** Calls `listener` once when `stopped` gets a reason; returns a function that removes the listener. */
  readonly onStop: (listener: () => void) => () => void
}

/**
 * @since 0.1.0
 * @category models
 */
export interface UseOptions<H = never> {
  /** True for a request that repeats an earlier one: it goes before the others; default false. */
  readonly again?: boolean | undefined
  /** Bytes that the request holds in memory; default 0. */
  readonly bytes?: number | undefined
  /** Ends the wait with its reason; default: only interruption does. */
  readonly halt?: Halt<H> | null | undefined
}

/**
 * A gate at one moment.
 *
 * @since 0.1.0
 * @category models
 */
export interface Snapshot {
  /** Requests that may be in flight at present. */
  readonly limit: number
  readonly inFlight: number
  /** Requests that wait for a slot. */
  readonly waiting: number
  /** Requests a second; null while they are not spaced out. */
  readonly ratePerSecond: number | null
  readonly breaker: BreakerState
  /** Time in milliseconds since the epoch before which the service wants no request; null when it named none, or it is over. */
  readonly closedUntil: number | null
  /** Time at which the latest of the answered requests was sent, in milliseconds since the epoch; null before the first answer. */
  readonly servedAt: number | null
}
