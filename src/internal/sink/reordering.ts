/** Another order of the first hits of a ranking: by a reranker, and by how little a hit repeats those before it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { fields } from "../terms/terms.ts"
import type { Query } from "./contract.ts"
import type { Complete } from "./judging.ts"
import { SinkError } from "./sinkError.ts"

/** The hits by the scores of the query's reranker, best first; as they are without one. */
export const reranked = (
  sink: string,
  { rerank, text }: Query,
  hits: ReadonlyArray<Complete>
): Effect.Effect<ReadonlyArray<Complete>, SinkError> => {
  if (rerank === undefined || hits.length === 0) return Effect.succeed(hits)
  const rejected = (problem: string, cause?: unknown) =>
    new SinkError({
      sink,
      reason: "Rejected",
      problem: `the reranker ${problem}`,
      ...(cause !== undefined && { cause })
    })
  return Effect.suspend(() => {
    const given = rerank(text, hits)
    return Effect.isEffect(given) ? given : Effect.tryPromise(async () => given)
  }).pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.interrupt : rejected("failed", Cause.squash(cause))
    ),
    Effect.flatMap((scores) =>
      scores.length !== hits.length || !scores.every(Number.isFinite)
        ? rejected(`gave ${scores.length} scores for ${hits.length} hits, or one that is not finite`)
        : Effect.succeed(
            hits
              .map((hit, at) => ({ ...hit, score: scores[at] ?? 0 }))
              .toSorted((left, right) => right.score - left.score)
          )
    )
  )
}

/** Similarity of two of the hits by their places, 0 to 1. */
type Likeness = (left: number, right: number) => number

/** A hit as weights of what it is made of, brought to length 1. */
type Weights = ReadonlyMap<number | string, number>

const unit = (weights: ReadonlyArray<readonly [number | string, number]>): Weights => {
  const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1
  return new Map(weights.map(([key, weight]) => [key, weight / length]))
}

const ofVectors = (vectors: ReadonlyArray<ArrayLike<number>>): ReadonlyArray<Weights> =>
  vectors.map((vector) => unit(Array.from(vector, (component, at) => [at, component] as const)))

/** The terms of each text, weighed by how few of the texts hold them: words that all of them have say nothing. */
const ofWords = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<Weights> => {
  const held = chunks.map((chunk) => new Set(fields(chunk).text.flatMap(({ terms }) => terms)))
  const counts = new Map<string, number>()
  for (const terms of held) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const rarity = (term: string): number => Math.log(1 + chunks.length / (counts.get(term) ?? 1)) - Math.log(2)
  return held.map((terms) => unit([...terms].map((term) => [term, rarity(term)] as const)))
}

/** By the vectors where every chunk has one, else by the words; equal texts are as near as can be. */
const likenessOf = (chunks: ReadonlyArray<DocumentChunk>): Likeness => {
  const vectors = chunks.flatMap(({ embedding }) => (embedding === undefined ? [] : [embedding]))
  const weights = chunks.length > 0 && vectors.length === chunks.length ? ofVectors(vectors) : ofWords(chunks)
  return (left, right) => {
    if (chunks[left]?.text === chunks[right]?.text) return 1
    let sum = 0
    for (const [key, weight] of weights[left] ?? []) sum += weight * (weights[right]?.get(key) ?? 0)
    return Math.min(1, Math.max(0, sum))
  }
}

/** Scores from 0, the lowest, to 1, the highest. */
const scaled = (hits: ReadonlyArray<Complete>): ReadonlyArray<number> => {
  const scores = hits.map(({ score }) => score)
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)]
  return scores.map((score) => (highest === lowest ? 1 : (score - lowest) / (highest - lowest)))
}

/**
 * Maximal marginal relevance: each next hit is the one with the best of its own score, weighed by 1 - `diversity`, less its likeness to
 * the most similar hit before it, weighed by `diversity`. The scores stay with their hits.
 */
export const diversified = (hits: ReadonlyArray<Complete>, diversity: number): ReadonlyArray<Complete> => {
  if (diversity === 0 || hits.length < 3) return hits
  const likeness = likenessOf(hits.map(({ chunk }) => chunk))
  const own = scaled(hits)
  const repeated = hits.map(() => 0)
  const left = new Set(hits.keys())
  const order: Array<Complete> = []
  while (left.size > 0) {
    let [next, best] = [-1, Number.NEGATIVE_INFINITY]
    for (const at of left) {
      const worth = (1 - diversity) * (own[at] ?? 0) - diversity * (repeated[at] ?? 0)
      if (worth > best) [next, best] = [at, worth]
    }
    left.delete(next)
    for (const at of left) repeated[at] = Math.max(repeated[at] ?? 0, likeness(at, next))
    order.push(...hits.slice(next, next + 1))
  }
  return order
}
