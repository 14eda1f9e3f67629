import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import type { Halt, Observation, RequestGate } from "../../RequestGate.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import { sleepUntil } from "../base/sleepUntil.ts"
import { OwnFailures } from "../client/ownFailures.ts"
import { stateOf } from "../client/serviceState.ts"
import { embeddingRequests } from "../telemetry/metrics.ts"
import { type ExchangeError, type ProviderError, type Stopped, stopped } from "./failure.ts"
import { brokenContent, type Components, type Provider, thrown } from "./provider.ts"

export interface Settings {
  readonly provider: Provider
  readonly gate: RequestGate.Service
  readonly policy: RetryPolicy.RetryPolicy
}

/** The surroundings of a request while it waits. */
export interface Waiting {
  /** Wraps the wait for a retry, during which another request may be sent. */
  readonly apart: (wait: Effect.Effect<void>) => Effect.Effect<void>
  /** Ends every wait. */
  readonly halt: Halt<Stopped>
}

const whenStopped = ({ onStop, stopped }: Halt<Stopped>): Effect.Effect<void> =>
  Effect.async((resume) => {
    const unlisten = onStop(() => {
      if (stopped() !== null) resume(Effect.void)
    })
    return Effect.sync(unlisten)
  })

/** Result of one attempt. */
type Step =
  | { readonly _tag: "Answered"; readonly vectors: ReadonlyArray<Components> }
  | { readonly _tag: "GiveUp"; readonly error: ProviderError; readonly own: boolean }
  | (Progress & {
      readonly _tag: "Wait"
      readonly error: ProviderError
      /** True for a failure of these texts rather than of the service. */
      readonly own: boolean
      /** The earliest time for the next request, in milliseconds since the epoch. */
      readonly until: number
      /** Milliseconds for which the gate closes; undefined when the wait is this request's own. */
      readonly closeFor: number | undefined
    })

/** State of a request between two attempts. */
interface Progress {
  readonly spent: RetryPolicy.Spent
  /** Time of the first attempt by {@link served}; undefined before it. */
  readonly started: number | undefined
}

const countOf = (vectors: unknown): number => (Array.isArray(vectors) ? vectors.length : 0)

/** One request: as many vectors as texts, or an error. */
const request = (
  provider: Provider,
  texts: ReadonlyArray<string>
): Effect.Effect<Either.Either<ReadonlyArray<Components>, ProviderError>> =>
  Effect.zipRight(
    Metric.increment(embeddingRequests),
    provider(texts).pipe(
      // A function in plain JavaScript may return anything.
      Effect.catchAllDefect((defect) => Effect.fail(thrown(String(defect)))),
      Effect.flatMap((vectors) =>
        Array.isArray(vectors) && vectors.length === texts.length
          ? Effect.succeed(vectors)
          : Effect.fail(brokenContent(`the answer holds ${countOf(vectors)} vectors for ${texts.length} texts`))
      ),
      Effect.either
    )
  )

/** A clock that stands still while the service is not asked; in milliseconds. */
const served = (gate: RequestGate.Service, now: number): number => now - gate.downtime(now)

/** Sends once and decides the next step, while the slot is still held. */
const attempt = Effect.fnUntraced(function* (
  { gate, policy, provider }: Settings,
  texts: ReadonlyArray<string>,
  progress: Progress,
  failures: OwnFailures
): Effect.fn.Return<Step> {
  const started = progress.started ?? served(gate, yield* Clock.currentTimeMillis)
  const answer = yield* request(provider, texts)
  if (Either.isRight(answer)) return { _tag: "Answered", vectors: answer.right }
  const error = answer.left
  // A function that throws an error of its own says nothing about a service.
  if (error._tag === "Thrown") return { _tag: "GiveUp", error, own: true }
  const now = yield* Clock.currentTimeMillis
  const own = failures.add(error, now)
  const { breaker, ratePerSecond } = gate.snapshot()
  const decision = RetryPolicy.decide(policy, progress.spent, {
    error,
    elapsed: served(gate, now) - started,
    free: !own && breaker !== "closed",
    paced: ratePerSecond !== null,
    json: false,
    reusedConnection: false,
    random: yield* Random.next
  })
  if (decision._tag === "GiveUp") return { _tag: "GiveUp", error, own }
  const { closes, millis, spent } = decision
  return { _tag: "Wait", error, own, until: now + millis, closeFor: closes ? millis : undefined, spent, started }
})

const observe = (exit: Exit.Exit<Step>): Observation => {
  if (exit._tag === "Failure") return "unsent"
  const step = exit.value
  if (step._tag === "Answered") return "answered"
  const { error, own } = step
  if (own || error._tag === "Thrown") return "unsent"
  return {
    state: stateOf(error),
    closeFor: step._tag === "Wait" ? step.closeFor : undefined,
    problem: error.message
  }
}

/**
 * Sends requests through the gate until there is an answer, the policy gives up, or the gate does (`ServiceUnreachable`). Holds a
 * slot only while a request runs; never sends again before the wait that the answer asked for.
 */
export const exchange = Effect.fnUntraced(function* (
  settings: Settings,
  texts: ReadonlyArray<string>,
  { apart, halt }: Waiting
): Effect.fn.Return<ReadonlyArray<Components>, ExchangeError> {
  const bytes = texts.reduce((sum, text) => sum + text.length, 0)
  const failures = new OwnFailures(settings.gate)
  let progress: Progress = { spent: RetryPolicy.nothingSpent, started: undefined }
  for (;;) {
    if (halt.stopped() !== null) return yield* Effect.fail(stopped)
    const again = progress.started !== undefined
    const step: Step = yield* settings.gate.use(attempt(settings, texts, progress, failures), observe, {
      again,
      bytes,
      halt
    })
    if (step._tag === "Answered") return step.vectors
    if (step._tag === "GiveUp") return yield* Effect.fail(step.error)
    // A closed gate makes every request wait, this one too.
    if (step.closeFor === undefined) yield* apart(Effect.raceFirst(sleepUntil(step.until), whenStopped(halt)))
    progress = step
  }
})
