/**
 * What the requests of one run have in common: their count, and the flag that stops the rest of them.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as answerRules from "./internal/client/answerRules.ts"
import type { ServiceError } from "./service/ServiceError.ts"

/**
 * The run was stopped by another document's error before this one was sent; nothing was asked of the service for it.
 *
 * @since 0.1.0
 * @category errors
 */
export class RunStopped extends Schema.TaggedError<RunStopped>("docsluice/RunStopped")("RunStopped", {
  /** Tag of the error that stopped the run. */
  tag: Schema.String,
  /** Its message. */
  error: Schema.String
}) {
  override get message(): string {
    return `not attempted, the run was stopped: ${this.error}`
  }
}

/**
 * Counters of a run; mutable, written by the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Counters {
  /** Requests sent, every attempt counted. */
  requests: number
  /** Requests beyond the first of a document. */
  retries: number
  /** Requests that were sent whole and got no answer: they may have been charged. */
  ambiguous: number
  /** Bytes of documents uploaded, every attempt counted. */
  uploaded: number
  /** Documents that the service answered with their content. */
  succeeded: number
}

/**
 * The state of the run that a request belongs to; without one nothing is counted and nothing stops.
 *
 * @since 0.1.0
 * @category services
 */
export class CurrentRun extends Context.Reference<CurrentRun>()("docsluice/CurrentRun", {
  defaultValue: (): RunState | null => null
}) {}

/**
 * @since 0.1.0
 * @category models
 */
export interface RunState {
  readonly counters: Counters
  /** Why no further request may be sent; null while the run goes on. */
  readonly stopped: () => RunStopped | null
  /** Fails once the run is stopped, never succeeds: what waits for a retry need not wait longer. */
  readonly whenStopped: Effect.Effect<never, RunStopped>
  /**
   * Told of every failed answer that is not tried again, while its slot is still held, so that nobody starts another request
   * after it. Decides what the answer means for the run and stops it where it must.
   */
  readonly failed: (error: ServiceError) => "document" | "run"
  /** Told of every document that was answered with its content. */
  readonly succeeded: () => void
  /** Told of a document's SHA-256 as soon as all of its bytes were read, whatever comes of it. */
  readonly hashed?: ((contentHash: string) => void) | undefined
}

/** So many documents in a row with the same refusal, and none answered: it is not the documents. */
const sameRefusals = 5

/** What two refusals have in common when they are the same; null for an answer that may well meet many documents. */
const refusal = (error: ServiceError): string | null => {
  switch (error._tag) {
    case "BadRequest":
    case "InvalidUrl":
    case "PromptInjectionDetected":
    case "UnprocessableEntity":
      return JSON.stringify([error._tag, error.code, error.error])
    default:
      return null
  }
}

/**
 * A run that has not begun: no request sent, nothing stopped.
 *
 * It stops at an answer that would meet every document alike: 401, 402, 403 `Forbidden`, a redirect and the other statuses
 * about the service itself, 404 before the first success, a host name that is unknown, a TLS failure, an invalid address;
 * and when the first five documents get the same 400, 403 or 422.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<RunState> = Effect.gen(function* () {
  const halt = yield* Deferred.make<never, RunStopped>()
  const counters: Counters = { requests: 0, retries: 0, ambiguous: 0, uploaded: 0, succeeded: 0 }
  let stopped: RunStopped | null = null
  let last: string | null = null
  let same = 0

  const repeated = (error: ServiceError): boolean => {
    const current = refusal(error)
    same = current !== null && current === last ? same + 1 : 1
    last = current
    return counters.succeeded === 0 && current !== null && same >= sameRefusals
  }
  const concernsRun = (error: ServiceError): boolean =>
    error._tag === "NotFound"
      ? counters.succeeded === 0
      : answerRules.rules[answerRules.ruleOf(error, false)].severity === "run" || repeated(error)

  return {
    counters,
    stopped: () => stopped,
    whenStopped: Deferred.await(halt),
    failed: (error) => {
      if (!concernsRun(error)) return "document"
      if (stopped === null) {
        stopped = new RunStopped({ tag: error._tag, error: error.message })
        Deferred.unsafeDone(halt, stopped)
      }
      return "run"
    },
    succeeded: () => {
      counters.succeeded += 1
    }
  }
})
