/** The ranking of a query, read as deep as it is needed: that of the sink, or those of several queries fused. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Frequencies, Hit, Query, Range } from "./contract.ts"
import { poolSize } from "./minScore.ts"
import type { SinkError } from "./sinkError.ts"
import type { EmbeddingSpace } from "./space.ts"

/** Operations of the sink on its open handle. */
export interface Operations {
  readonly sink: string
  readonly space: EmbeddingSpace | null
  readonly search: (query: Query) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
  readonly range: ((range: Range) => Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError>) | undefined
  readonly frequencies:
    | ((groups: ReadonlyArray<ReadonlyArray<string>>) => Effect.Effect<Frequencies, SinkError>)
    | undefined
}

/** The words and the vector of a query, or of an alternative to it. */
export type Asked = Pick<Query, "text" | "vector">

/** A chunk that was found, with the hit of each query that found it, by the query's place among all. */
export interface Candidate {
  readonly score: number
  readonly found: ReadonlyArray<{ readonly query: number; readonly hit: Hit }>
}

/** The next candidates of a ranking. */
export interface Level {
  /** Best first, and no better than those before. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Hits of each query, from the first one on. */
  readonly hits: ReadonlyArray<ReadonlyArray<Hit>>
  /** True when there are no further candidates. */
  readonly last: boolean
}

/** Each level asks the sink for so many times as many hits as the one before. */
const growth = 4

/** Damping of a rank, as usual for rankings of one kind. */
const damping = 60

/** Joins the hits of several queries by reciprocal rank; those of one query keep their scores. */
const fused = (lists: ReadonlyArray<ReadonlyArray<Hit>>): ReadonlyArray<Candidate> => {
  const [only = []] = lists
  if (lists.length < 2) return only.map((hit) => ({ score: hit.score, found: [{ query: 0, hit }] }))
  const candidates = new Map<string, { score: number; found: Array<Candidate["found"][number]> }>()
  for (const [query, hits] of lists.entries()) {
    for (const [at, hit] of hits.entries()) {
      const candidate = candidates.get(hit.chunk.id) ?? { score: 0, found: [] }
      candidates.set(hit.chunk.id, candidate)
      candidate.score += 1 / (damping + at + 1)
      candidate.found.push({ query, hit })
    }
  }
  return [...candidates.values()].toSorted((left, right) => right.score - left.score)
}

const idOf = ({ found: [first] }: Candidate): string => first?.hit.chunk.id ?? ""

/** The queries that are ranked: the query itself first. */
export const queriesOf = ({ alternatives = [], text, vector }: Query): ReadonlyArray<Asked> => [
  { text, ...(vector && { vector }) },
  ...alternatives
]

/**
 * Gives one level after the other. A sink that fuses rankings may order more hits otherwise than fewer, so a level asks for the same
 * number whatever the query's limit is, and adds to the levels before it only what they lack: the ranking is the same for every page.
 */
export const make = (operations: Operations, query: Query): { readonly next: Effect.Effect<Level, SinkError> } => {
  const queries = queriesOf(query)
  const seen = new Set<string>()
  let depth = poolSize / growth
  let ceiling = Number.POSITIVE_INFINITY
  return {
    next: Effect.suspend(() => {
      depth *= growth
      const deeper = seen.size > 0
      return Effect.map(
        Effect.forEach(queries, (asked) => operations.search({ ...query, ...asked, limit: depth })),
        (hits) => {
          const all = fused(hits)
          const candidates = deeper
            ? all
                .filter((candidate) => !seen.has(idOf(candidate)))
                .map(({ found, score }) => ({ found, score: Math.min(ceiling, score) }))
            : all
          for (const candidate of candidates) seen.add(idOf(candidate))
          ceiling = candidates.at(-1)?.score ?? ceiling
          return { candidates, hits, last: candidates.length === 0 || hits.every((each) => each.length < depth) }
        }
      )
    })
  }
}
