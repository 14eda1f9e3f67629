import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { BreakerState } from "./breaker.ts"

/** See `RequestGate.State`. */
export type State =
  | "answered"
  | "queued"
  | "rateLimited"
  | "concurrencyLimited"
  | "unhealthy"
  | "unreachable"
  | "unsent"

/** See `RequestGate.Observed`. */
export interface Observed {
  readonly state: State
  /** Milliseconds for which the service wants no request of anybody; the gate closes for them. Default: it stays open. */
  readonly closeFor?: number | undefined
  /** The failure in words, for the message of `ServiceUnreachable`; without keys. */
  readonly problem?: string | undefined
}

/** See `RequestGate.Observation`. */
export type Observation = State | Observed

/** See `RequestGate.Rate`. */
export interface Rate {
  readonly requests: number
  /** The time in which this number of requests is allowed. */
  readonly per: Duration.DurationInput
}

/** See `RequestGate.Options`. */
export interface Options {
  /**
   * Most requests in flight: a number that is a plan's limit, sent as soon as the first answer came (`RequestGate.make`); or `adaptive` (default), which
   * begins with 1 and grows to 32 while nothing is refused. Either is lowered when the service says that too many are in flight, and
   * raised again.
   */
  readonly concurrency?: number | "adaptive" | undefined
  /** Requests in a time that a plan allows, when known; default: learned once more than a quarter of the last answers are refusals of the rate. */
  readonly rate?: Rate | undefined
  /** Bytes that requests in flight may hold together; one request alone may hold more; default 64 MiB. */
  readonly maxBytesInFlight?: number | undefined
  /**
   * Longest time in which no request succeeds, waits that the service asked for included; after it, or as soon as it is certain to be
   * exceeded, waiting requests fail with `ServiceUnreachable`. Default 10 minutes.
   */
  readonly outageLimit?: Duration.DurationInput | undefined
}

/** See `RequestGate.Target`. */
export interface Target {
  /** Base address without credentials. */
  readonly address: string
  /** The key that requests are sent with; undefined for none. Only its hash is kept. */
  readonly key?: Redacted.Redacted | undefined
}

/** See `RequestGate.Halt`. */
export interface Halt<H> {
  /** Reason why no further request may be sent; null while it may. */
  readonly stopped: () => H | null
  /** Calls `listener` once when `stopped` gets a reason; returns a function that removes the listener. */
  readonly onStop: (listener: () => void) => () => void
}

/** See `RequestGate.UseOptions`. */
export interface UseOptions<H = never> {
  /** True for a request that repeats an earlier one: it goes before the others; default false. */
  readonly again?: boolean | undefined
  /** Bytes that the request holds in memory; default 0. */
  readonly bytes?: number | undefined
  /** Ends the wait with its reason; default: only interruption does. */
  readonly halt?: Halt<H> | null | undefined
}

/** See `RequestGate.Snapshot`. */
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
