import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import type { Halt, RequestGate } from "../../RequestGate.ts"
import type { RetryPolicy } from "../../RetryPolicy.ts"
import { ServiceRules } from "../client/serviceRules.ts"
import * as Attempts from "../gate/attempts.ts"
import { embeddingRequests } from "../telemetry/metrics.ts"
import type { ExchangeError, ProviderError, Stopped } from "./failure.ts"
import { brokenContent, type Components, type Provider, thrown } from "./provider.ts"

export interface Settings {
  readonly provider: Provider
  readonly gate: RequestGate.Service
  readonly policy: RetryPolicy
  /** Counts the requests, retries included; default: as those of embedders. */
  readonly requests?: Metric.Metric.Counter<number> | undefined
}

/** The surroundings of a request while it waits. */
export interface Waiting {
  /** Wraps the wait for a retry, during which another request may be sent. */
  readonly apart: <E>(wait: Effect.Effect<void, E>) => Effect.Effect<void, E>
  /** Ends every wait. */
  readonly halt: Halt<Stopped>
}

const countOf = (vectors: unknown): number => (Array.isArray(vectors) ? vectors.length : 0)

/** One request: as many vectors as texts, or an error. */
const request = (
  { provider, requests = embeddingRequests }: Settings,
  texts: ReadonlyArray<string>
): Effect.Effect<Either.Either<ReadonlyArray<Components>, ProviderError>> =>
  Effect.zipRight(
    Metric.increment(requests),
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

/** A function that throws an error of its own says nothing about a service. */
const rulesOf = (settings: Settings): Attempts.Rules<ProviderError> => {
  const rules = new ServiceRules(settings)
  return {
    begin: (now) => rules.begin(now),
    judge: (error, now, random) =>
      error._tag === "Thrown" ? { state: "unsent", wait: null } : rules.judge(error, now, random)
  }
}

/** Sends texts through the gate until there is an answer, or the policy or the gate gives up. */
export const exchange = (
  settings: Settings,
  texts: ReadonlyArray<string>,
  { apart, halt }: Waiting
): Effect.Effect<ReadonlyArray<Components>, ExchangeError> =>
  Effect.suspend(() =>
    Attempts.repeated(settings.gate, {
      rules: rulesOf(settings),
      send: request(settings, texts),
      problemOf: (error) => (error._tag === "Thrown" ? error.error : error.message),
      bytes: texts.reduce((sum, text) => sum + text.length, 0),
      halt,
      apart
    })
  )
