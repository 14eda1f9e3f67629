import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import * as RetryPolicy from "../../RetryPolicy.ts"
import { sleepUntil } from "../base/sleepUntil.ts"
import { embeddingRequests } from "../telemetry/metrics.ts"
import type { ProviderError } from "./failure.ts"
import { brokenContent, type Components, type Provider, thrown } from "./provider.ts"

const countOf = (vectors: unknown): number => (Array.isArray(vectors) ? vectors.length : 0)

/** One request: as many vectors as texts, or an error. */
const attempt = (
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

/** Sends requests until there is an answer or the policy gives up. Never sends again before the wait that the answer asked for. */
export const exchange = Effect.fnUntraced(function* (
  provider: Provider,
  policy: RetryPolicy.RetryPolicy,
  texts: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Components>, ProviderError> {
  const started = yield* Clock.currentTimeMillis
  let spent = RetryPolicy.nothingSpent
  for (;;) {
    const answer = yield* attempt(provider, texts)
    if (Either.isRight(answer)) return answer.right
    const error = answer.left
    if (error._tag === "Thrown") return yield* Effect.fail(error)
    const now = yield* Clock.currentTimeMillis
    const decision = RetryPolicy.decide(policy, spent, {
      error,
      elapsed: now - started,
      json: false,
      reusedConnection: false,
      random: yield* Random.next
    })
    if (decision._tag === "GiveUp") return yield* Effect.fail(error)
    yield* sleepUntil(now + decision.millis)
    spent = decision.spent
  }
})
