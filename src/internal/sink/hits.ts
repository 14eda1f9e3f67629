/** The part of a search that no engine does: which hits fit, their order, and the page of them that is asked for. */
import * as Effect from "effect/Effect"
import type { DocumentId } from "../../SourceFile.ts"
import type { Hit, Query } from "./contract.ts"
import { type Complete, type Judge, judgeFor } from "./judging.ts"
import { poolSize } from "./minScore.ts"
import * as Ranking from "./ranking.ts"
import { diversified, reranked } from "./reordering.ts"
import type { SinkError } from "./sinkError.ts"
import { withContext } from "./surroundings.ts"

export type { Operations } from "./ranking.ts"

/** A list ends where fewer than one in so many of the hits above it fit: what comes after them hardly does. */
const sparse = 4

/** Hits after which no further document is looked for. */
const deepest = 640

/** Judges a chunk by the query that it fits best. */
const judgeOfAll =
  (judges: ReadonlyArray<Judge>) =>
  ({ found, score }: Ranking.Candidate): ReadonlyArray<Complete> => {
    const [first, ...others] = found.flatMap(({ hit, query }) => judges[query]?.(hit) ?? [])
    if (first === undefined) return []
    return [{ ...others.reduce((best, one) => (one.relevance > best.relevance ? one : best), first), score }]
  }

/** Hits in their final order, at most so many of one document. */
class Listed {
  readonly hits: Array<Complete> = []
  private readonly counts = new Map<DocumentId, number>()
  private readonly perDocument: number

  constructor(perDocument: number) {
    this.perDocument = perDocument
  }

  add(hit: Complete): void {
    const { documentId } = hit.chunk
    const count = (this.counts.get(documentId) ?? 0) + 1
    if (count > this.perDocument) return
    this.counts.set(documentId, count)
    this.hits.push(hit)
  }
}

/**
 * The first hits of a query in their final order, as many as are wanted. The order depends on nothing but the other members of the query,
 * so that pages of one list follow one another.
 */
const listed = Effect.fnUntraced(function* (
  operations: Ranking.Operations,
  query: Query,
  wanted: number
): Effect.fn.Return<ReadonlyArray<Complete>, SinkError> {
  const { diversity = 0, minScore = 0, perDocument = Infinity, rerank, window = poolSize } = query
  const ranking = Ranking.make(operations, query)
  let level = yield* ranking.next
  const candidates = [...level.candidates]
  if (candidates.length === 0) return []
  const { hits } = level
  const judges = yield* Effect.forEach(Ranking.queriesOf(query), (asked, at) =>
    judgeFor(operations, asked, hits[at] ?? [])
  )
  const judge = judgeOfAll(judges)
  const deepen = Effect.map(ranking.next, (next) => {
    level = next
    candidates.push(...next.candidates)
  })
  const fitting = (some: ReadonlyArray<Ranking.Candidate>) =>
    some.flatMap(judge).filter(({ relevance }) => relevance >= minScore)
  const list = new Listed(perDocument)
  let [read, fit, highest] = [0, 0, Infinity]
  if (rerank !== undefined || diversity > 0) {
    while (!level.last && candidates.length < window) yield* deepen
    const first = fitting(candidates.slice(0, window))
    const ordered = diversified(yield* reranked(operations.sink, query, first), diversity)
    for (const hit of ordered) list.add(hit)
    read = Math.min(window, candidates.length)
    fit = first.length
    highest = Math.min(...ordered.map(({ score }) => score))
  }
  while (list.hits.length < wanted) {
    if (read === candidates.length) {
      if (level.last || fit * sparse < read || (perDocument < Infinity && read >= deepest)) break
      yield* deepen
      continue
    }
    // One at a time: judging takes most of the time of a search.
    for (const hit of fitting(candidates.slice(read, read + 1))) {
      fit += 1
      list.add({ ...hit, score: Math.min(highest, hit.score) })
    }
    read += 1
  }
  return list.hits
})

/** The hits of a query, complete. */
export const search = Effect.fnUntraced(function* (
  operations: Ranking.Operations,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const { limit, neighbours = 0, offset = 0, parent = false } = query
  if (limit < 1) return []
  const best = (yield* listed(operations, query, offset + limit)).slice(offset, offset + limit)
  const { range } = operations
  return range === undefined || (neighbours < 1 && !parent)
    ? best
    : yield* Effect.forEach(best, (hit) => withContext(range, query, hit))
})
