/**
 * What the requests of one run have in common: their count, and the flag that stops the rest of them.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
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
  /**
   * Told of every failed answer while its slot is still held, so that nobody starts another request after it. Decides what
   * the answer means for the run and stops it where it must.
   */
  readonly failed: (error: ServiceError) => "document" | "run"
  /** Told of every document that was answered with its content. */
  readonly succeeded: () => void
}
