/** State shared by the requests of one run: their counters, and the flag that stops further ones. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { RunError } from "../../Outcome.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import { Listeners } from "../base/listeners.ts"
import * as Message from "../base/message.ts"
import * as answerRules from "./answerRules.ts"

/**
 * The run was stopped before this document was sent: not an error of the document, which the next run sends.
 *
 * @since 0.1.0
 * @category errors
 */
export class RunStopped extends Schema.TaggedError<RunStopped>("docsluice/RunStopped")("RunStopped", {
  /** The error that stopped the run. */
  cause: RunError,
  /** Path of the document whose failure stopped a run that goes on after none (`onFailure: "fail"`). */
  source: Schema.optional(Schema.String)
}) {
  /** The words about the cause, with the options that it names as data, where it names any. */
  get words(): Message.Worded {
    const { cause, source } = this
    const parts = "parts" in cause ? cause.parts : undefined
    const before = source === undefined ? "" : `${source}: `
    return { message: `${before}${cause.message}`, ...(parts && { parts: before === "" ? parts : [before, ...parts] }) }
  }

  override get message(): string {
    return `${notAttempted}${this.words.message}`
  }

  /** The message with the options that it names as data; undefined where it names none. */
  get parts(): Message.Parts | undefined {
    return Message.partsAfter(notAttempted, this.words.parts)
  }
}

const notAttempted = "not attempted, the run was stopped: "

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
  /** Descriptions of figures. */
  readonly figures: Figures
}

/**
 * Figures of a run that a describer was asked for; mutable.
 *
 * @since 0.1.0
 * @category models
 */
export interface Figures {
  /** Described now, and paid for. */
  described: number
  /** Descriptions from the cache. */
  fromCache: number
  /** Without a description: the describer failed, or the figure cannot be drawn. */
  failed: number
  /** Tokens of the model, as far as it says. */
  tokens: number
  credits: number
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
 * Cause of the refusals (400, 403, 422, and answers of a proxy or a firewall) in a run: `open` until it is known; `documents`
 * after the first success, or after five different refusals; `run` when the first five different contents met the same refusal,
 * so that it is not about a document.
 *
 * @since 0.1.0
 * @category models
 */
export type Refusals = "open" | "documents" | "run"

/**
 * @since 0.1.0
 * @category models
 */
export interface RunState {
  readonly counters: Counters
  /** Error that stopped the run, after which no request may be sent; null while the run goes on. */
  readonly stopped: () => RunStopped | null
  /** Fails once the run is stopped, never succeeds; ends waits for a retry. */
  readonly whenStopped: Effect.Effect<never, RunStopped>
  /** Calls `listener` when the run is stopped; returns a function that removes it. A stopped run calls none. */
  readonly onStop: (listener: () => void) => () => void
  /**
   * Called with every failed answer that is not tried again, while its slot is still held, so that no other request starts before
   * the decision. Decides if the answer concerns the document or the run, and stops the run in the second case. `contentHash` is
   * the document's SHA-256: copies of one content count once; without it the document counts as a different content.
   */
  readonly failed: (error: ServiceError, contentHash?: string | null) => "document" | "run"
  /** Cause of the refusals so far; without this member they always count as the documents'. */
  readonly refusals?: (() => Refusals) | undefined
  /**
   * Called with a refusal that another process met; `refusal` is equal for two identical ones. Decides and stops the run as `failed` does.
   */
  readonly refused?: ((refusal: string, contentHash: string | null, error: RunStopped) => void) | undefined
  /** Called for every document that was answered with its content. */
  readonly succeeded: () => void
  /** Called with a document's SHA-256 as soon as all of its bytes were read, whatever the result. */
  readonly hashed?: ((contentHash: string) => void) | undefined
  /** Called before every wait between two attempts of a document. */
  readonly waited?: ((milliseconds: number) => void) | undefined
}

/** Counts of a run that has described nothing. */
export const noFigures = (): Figures => ({ described: 0, fromCache: 0, failed: 0, tokens: 0, credits: 0 })

/** The stop of a run, without a check of the error that this package has made. */
const stoppedBy = (cause: RunError): RunStopped => new RunStopped({ cause }, { disableValidation: true })

/**
 * Number of different contents with the same refusal, none answered, after which it counts as the run's; also the number of
 * different refusals after which they count as the documents'.
 */
const enough = 5

/**
 * A run that has not begun: no request sent, nothing stopped.
 *
 * The run stops at an answer that every document would get: 401, 402, 403 `Forbidden`, a redirect and the other statuses about
 * the service itself, 404 before the first success, a host name that is unknown, a TLS failure, an invalid address; and when five
 * different contents got the same refusal before the first success; and when the service was given up (`ServiceUnreachable`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<RunState> = Effect.gen(function* () {
  const halt = yield* Deferred.make<never, RunStopped>()
  const counters: Counters = { requests: 0, retries: 0, ambiguous: 0, uploaded: 0, succeeded: 0, figures: noFigures() }
  const listeners = new Listeners()
  let stopped: RunStopped | null = null
  let refusals: Refusals = "open"
  /** Contents that met each refusal, while the cause is open. */
  const met = new Map<string, Set<unknown>>()

  const conclude = (meaning: Refusals): void => {
    if (refusals !== "open") return
    refusals = meaning
    met.clear()
  }
  const refused = (refusal: string, contentHash: string | null): void => {
    if (refusals !== "open") return
    const contents = met.get(refusal) ?? new Set()
    met.set(refusal, contents.add(contentHash ?? Symbol("unknown")))
    if (contents.size >= enough) conclude("run")
    else if (met.size >= enough) conclude("documents")
  }
  const meaningOf = (error: ServiceError, contentHash: string | null): "document" | "run" => {
    const refusal = answerRules.refusalOf(error)
    if (refusal !== null) {
      refused(refusal, contentHash)
      return refusals === "run" ? "run" : "document"
    }
    return error._tag === "NotFound" && counters.succeeded > 0 ? "document" : answerRules.severityOf(error)
  }

  const stop = (reason: RunStopped): void => {
    if (stopped !== null) return
    stopped = reason
    Deferred.unsafeDone(halt, stopped)
    listeners.notify()
  }

  return {
    counters,
    stopped: () => stopped,
    whenStopped: Deferred.await(halt),
    onStop: listeners.add,
    failed: (error, contentHash = null) => {
      const meaning = meaningOf(error, contentHash)
      if (meaning === "run") stop(stoppedBy(error))
      return meaning
    },
    refused: (refusal, contentHash, error) => {
      refused(refusal, contentHash)
      if (refusals === "run") stop(error)
    },
    refusals: () => refusals,
    succeeded: () => {
      counters.succeeded += 1
      conclude("documents")
    }
  }
})
