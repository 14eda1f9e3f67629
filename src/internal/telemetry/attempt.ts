import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import type { ServiceError } from "../../service/ServiceError.ts"
import { attributes, events } from "../../Telemetry.ts"
import * as Metrics from "./metrics.ts"
import { isTraced } from "./spans.ts"

/** A request to the parsing service that has ended. */
export interface Attempt {
  /** Path of the document below its root. */
  readonly path: string
  /** 1-based number within the document. */
  readonly number: number
  /** Null when the answer was the document. */
  readonly error: ServiceError | null
  /** Milliseconds until the next attempt; null after the last. */
  readonly wait: number | null
}

const statusOf = ({ error }: Attempt): number | null =>
  error === null ? 200 : "status" in error && typeof error.status === "number" ? error.status : null

/** Counts an attempt, adds it to the current span as an event, and logs it at level debug: status and tag, never a message. */
export const attempted = (attempt: Attempt): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    count(attempt, fiber.getFiberRef(FiberRef.currentMetricLabels))
    if (isTraced(fiber)) note(attempt, fiber)
    return LogLevel.lessThanEqual(fiber.getFiberRef(FiberRef.currentMinimumLogLevel), LogLevel.Debug)
      ? Effect.logDebug(line(attempt))
      : Effect.void
  })

const count = (attempt: Attempt, labels: Metrics.Labels): void => {
  const status = statusOf(attempt)
  Metrics.requestsOf(status === null ? (attempt.error?._tag ?? "") : String(status)).unsafeUpdate(1, labels)
  if (attempt.number > 1) Metrics.retries.unsafeUpdate(1, labels)
  if (attempt.wait !== null) Metrics.waits.unsafeUpdate(attempt.wait / 1000, labels)
}

const note = (attempt: Attempt, fiber: Fiber.RuntimeFiber<unknown, unknown>): void => {
  const span = fiber.currentSpan
  if (span?._tag !== "Span") return
  const { error, number, wait } = attempt
  const status = statusOf(attempt)
  const clock = Context.get(fiber.getFiberRef(DefaultServices.currentServices), Clock.Clock)
  span.event(events.attempt, clock.unsafeCurrentTimeNanos(), {
    [attributes.attempt]: number,
    ...(status !== null && { [attributes.status]: status }),
    ...(error !== null && { [attributes.error]: error._tag }),
    ...(wait !== null && { [attributes.wait]: wait })
  })
}

const line = (attempt: Attempt): string => {
  const { error, number, path, wait } = attempt
  const status = statusOf(attempt)
  const what = [...(status === null ? [] : [status]), ...(error === null ? [] : [error._tag])].join(" ")
  return `${path}: attempt ${number}: ${what}${wait === null ? "" : `, next in ${(wait / 1000).toFixed(1)} s`}`
}
