import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import type * as Tracer from "effect/Tracer"
import type { Snapshot } from "../../RequestGate.ts"
import { attributes, events } from "../../Telemetry.ts"
import * as Metrics from "./metrics.ts"
import { isTraced } from "./spans.ts"

/** A request to the service that has ended. */
export interface Attempt {
  /** Path of the document below its root; method and name of the operation for a request of another kind. */
  readonly path: string
  /** 1-based number within the document. */
  readonly number: number
  /** Null when the answer was a success. */
  readonly error: { readonly _tag: string } | null
  /** Earliest time of the next attempt, in milliseconds since the epoch; null after the last. */
  readonly until: number | null
  /** The gate that it went through; null for a parse in this process, which has no gate. */
  readonly gate: { readonly service: string; readonly snapshot: () => Snapshot } | null
}

const statusOf = ({ error }: Attempt): number | null =>
  error === null ? 200 : "status" in error && typeof error.status === "number" ? error.status : null

/** Counts an attempt, adds it to the current span as an event, and logs it at level debug: status and tag, never a message. */
export const attempted = (attempt: Attempt): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    const clock = Context.get(fiber.getFiberRef(DefaultServices.currentServices), Clock.Clock)
    const wait = attempt.until === null ? null : Math.max(0, attempt.until - clock.unsafeCurrentTimeMillis())
    const labels = fiber.getFiberRef(FiberRef.currentMetricLabels)
    count(attempt, wait, labels)
    if (attempt.gate !== null) gauge(attempt.gate.service, attempt.gate.snapshot(), labels)
    if (isTraced(fiber)) note(attempt, wait, fiber.currentSpan, clock)
    return LogLevel.lessThanEqual(fiber.getFiberRef(FiberRef.currentMinimumLogLevel), LogLevel.Debug)
      ? Effect.logDebug(line(attempt, wait))
      : Effect.void
  })

const openness = { closed: 0, halfOpen: 1, open: 2 } as const

const gauge = (service: string, snapshot: Snapshot, labels: Metrics.Labels): void => {
  const gauges = Metrics.gateOf(service)
  gauges.limit.unsafeUpdate(snapshot.limit, labels)
  gauges.inFlight.unsafeUpdate(snapshot.inFlight, labels)
  gauges.waiting.unsafeUpdate(snapshot.waiting, labels)
  gauges.rate.unsafeUpdate(snapshot.ratePerSecond ?? 0, labels)
  gauges.breaker.unsafeUpdate(openness[snapshot.breaker], labels)
}

const count = (attempt: Attempt, wait: number | null, labels: Metrics.Labels): void => {
  const status = statusOf(attempt)
  Metrics.requestsOf(status === null ? (attempt.error?._tag ?? "") : String(status)).unsafeUpdate(1, labels)
  if (attempt.number > 1) Metrics.retries.unsafeUpdate(1, labels)
  if (wait !== null) Metrics.waits.unsafeUpdate(wait / 1000, labels)
}

const note = (attempt: Attempt, wait: number | null, span: Tracer.AnySpan | undefined, clock: Clock.Clock): void => {
  if (span?._tag !== "Span") return
  const { error, number } = attempt
  const status = statusOf(attempt)
  span.event(events.attempt, clock.unsafeCurrentTimeNanos(), {
    [attributes.attempt]: number,
    ...(status !== null && { [attributes.status]: status }),
    ...(error !== null && { [attributes.error]: error._tag }),
    ...(wait !== null && { [attributes.wait]: wait })
  })
}

const line = (attempt: Attempt, wait: number | null): string => {
  const { error, number, path } = attempt
  const status = statusOf(attempt)
  const what = [...(status === null ? [] : [status]), ...(error === null ? [] : [error._tag])].join(" ")
  return `${path}: attempt ${number}: ${what}${wait === null ? "" : `, next in ${(wait / 1000).toFixed(1)} s`}`
}
