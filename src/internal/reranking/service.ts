/** From a query and texts to scores: what is cached, batches, attempts, and the meaning of failures. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import { PackedVector } from "../../DocumentChunk.ts"
import type { EmbeddingCache, EmbeddingCacheError } from "../../EmbeddingCache.ts"
import type { RequestGate } from "../../RequestGate.ts"
import type { RetryPolicy } from "../../RetryPolicy.ts"
import { sha256 } from "../base/sha256.ts"
import { exchange, type Waiting } from "../embedding/exchange.ts"
import type { Failure } from "../embedding/failure.ts"
import type { Provider } from "../embedding/provider.ts"
import { sendAll } from "../embedding/splitting.ts"
import { rerankCacheHits, rerankRequests } from "../telemetry/metrics.ts"
import { RerankError } from "./rerankError.ts"

export interface Settings {
  /** The reranker as its spelling has it. */
  readonly name: string
  /** Changes with everything that changes a score. */
  readonly digest: string
  /** Asks for the scores of texts for a query. */
  readonly provider: (query: string) => Provider
  readonly gate: RequestGate.Service
  readonly policy: RetryPolicy
  readonly cache: EmbeddingCache.Service
  readonly batchSize: number
}

export type Rerank = (query: string, texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<number>, RerankError>

/** Requests of one call that wait for their turn at the gate. */
const batches = 8

/** A text of which less than a third would be left is given up. */
const shortenings = 4

const waiting: Waiting = { apart: (wait) => wait, halt: { stopped: () => null, onStop: () => () => undefined } }

type Reason = RerankError["reason"]

const reasons: Readonly<Record<Failure["reason"], Reason>> = {
  Empty: "Empty",
  TooLong: "TooLong",
  Rejected: "Rejected",
  Refused: "Refused",
  Throttled: "Throttled",
  Unavailable: "Unavailable",
  BadAnswer: "BadAnswer",
  Stopped: "Unavailable",
  Failed: "BadAnswer"
}

const remedies: Readonly<Record<Reason, string>> = {
  Empty: "give a text",
  TooLong: "shorten the query, or rerank chunks of fewer tokens",
  Rejected: "search without the reranker, or take another model",
  Refused: "check the reranker's key, model and address",
  Throttled: "search again later, or without the reranker",
  Unavailable: "search again later, or without the reranker",
  BadAnswer: "check that the server is of the kind that was named"
}

const errorOf = (reranker: string, { problem, retryable, status, ...failure }: Failure): RerankError => {
  const reason = reasons[failure.reason]
  return new RerankError({
    reason,
    reranker,
    problem: `${problem}; ${remedies[reason]}`,
    retryable,
    ...(status !== undefined && { status })
  })
}

const parts = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** A cache that fails causes a debug line, never the loss of a score. */
const quietly = <A>(effect: Effect.Effect<A, EmbeddingCacheError>, otherwise: A): Effect.Effect<A> =>
  Effect.catchAll(effect, (error) => Effect.as(Effect.logDebug(error.message), otherwise))

export const make = (settings: Settings): Rerank => {
  const { cache, digest, gate, name, policy, provider } = settings
  let { batchSize } = settings
  const keyOf = (query: string, text: string): string => sha256(JSON.stringify(["rerank", 1, digest, query, text]))

  const send = (query: string, texts: ReadonlyArray<string>) =>
    sendAll(
      {
        send: (batch) =>
          exchange({ provider: provider(query), gate, policy, requests: rerankRequests }, batch, waiting),
        shortenings,
        learned: (count) => {
          batchSize = Math.min(batchSize, count)
        }
      },
      texts
    ).pipe(
      Effect.flatMap((answers) =>
        Effect.forEach(answers, (answer) =>
          Either.isLeft(answer)
            ? errorOf(name, answer.left)
            : // In 32 bits, as the cache gives it again.
              Effect.succeed(Math.fround(answer.right.components[0] ?? 0))
        )
      ),
      Effect.tap((scores) =>
        quietly(
          cache.put(
            texts.map((text, at) => ({ key: keyOf(query, text), vector: new PackedVector([scores[at] ?? 0]) }))
          ),
          undefined
        )
      )
    )

  return (query, texts) =>
    Effect.gen(function* () {
      const blank = [query, ...texts].findIndex((text) => text.trim() === "")
      if (texts.length === 0) return []
      if (blank >= 0) {
        const problem = blank === 0 ? "the query is empty" : `text ${blank - 1} is empty`
        return yield* errorOf(name, { reason: "Empty", problem, retryable: false, severity: "document" })
      }
      const distinct = [...new Set(texts)]
      const kept = yield* quietly(
        cache.get(distinct.map((text) => keyOf(query, text))),
        distinct.map(() => null)
      )
      const scores = new Map<string, number>()
      for (const [at, text] of distinct.entries()) {
        const score = kept[at]?.[0]
        if (score !== undefined) scores.set(text, score)
      }
      yield* Metric.incrementBy(rerankCacheHits, scores.size)
      const asked = distinct.filter((text) => !scores.has(text))
      yield* Effect.forEach(
        parts(asked, batchSize),
        (batch) =>
          Effect.map(send(query, batch), (given) => {
            for (const [at, text] of batch.entries()) scores.set(text, given[at] ?? 0)
          }),
        { concurrency: batches, discard: true }
      )
      return texts.map((text) => scores.get(text) ?? 0)
    })
}
