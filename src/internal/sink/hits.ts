/** The part of a search that no engine does: shares of matched words, highlights, refusal, order by a reranker, neighbours, parents. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as Terms from "../../Terms.ts"
import { type Frequencies, type Highlight, type Hit, type Query, type Range, SinkError } from "./contract.ts"
import type { EmbeddingSpace } from "./space.ts"

/** Operations of the sink on its open handle. */
export interface Operations {
  readonly sink: string
  readonly space: EmbeddingSpace | null
  readonly search: (query: Query) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
  readonly range: ((range: Range) => Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError>) | undefined
  readonly frequencies: ((terms: ReadonlyArray<string>) => Effect.Effect<Frequencies, SinkError>) | undefined
}

/** Words of one run of letters: one word, or in scripts without blanks several words and their parts. */
interface Run {
  readonly words: ReadonlyArray<Weighed>
  readonly parts: ReadonlyArray<Weighed>
}

/** A hit with everything that does not need its document. */
type Complete = Hit & { readonly relevance: number }

interface Weighed {
  readonly terms: ReadonlyArray<string>
  readonly weight: number
}

/** Weight of a function word where the sink knows no frequencies, relative to 1 for another word. */
const idleWeight = 0.1

/** The rarer a term, the more it weighs: the logarithm of `bm25`. */
const rarity = (total: number, count: number): number => Math.log(1 + (total - count + 0.5) / (count + 0.5))

const weighed = (
  sought: ReadonlyArray<Terms.Sought>,
  frequencies: Frequencies | null
): ReadonlyArray<Weighed & { readonly sought: Terms.Sought }> => {
  let at = 0
  return sought.map((one) => {
    const counts = frequencies?.counts.slice(at, at + one.terms.length) ?? []
    at += one.terms.length
    const idle = one.idle ? idleWeight : 1
    const weight =
      frequencies === null ? 1 : rarity(frequencies.total, Math.min(frequencies.total, Math.max(0, ...counts)))
    return { terms: one.terms, weight: weight * idle, sought: one }
  })
}

const runsOf = (sought: ReadonlyArray<Terms.Sought>, frequencies: Frequencies | null): ReadonlyArray<Run> => {
  const runs = new Map<number, { readonly words: Array<Weighed>; readonly parts: Array<Weighed> }>()
  for (const { sought: one, terms, weight } of weighed(sought, frequencies)) {
    if (one.kind === "chain") continue
    const run = runs.get(one.run) ?? { words: [], parts: [] }
    runs.set(one.run, run)
    if (one.kind === "word") run.words.push({ terms, weight })
    else run.parts.push({ terms, weight })
  }
  return [...runs.values()].filter(({ words }) => words.length > 0)
}

const sum = (all: ReadonlyArray<Weighed>): number => all.reduce((total, { weight }) => total + weight, 0)

const share = (all: ReadonlyArray<Weighed>, held: ReadonlySet<string>): number => {
  const total = sum(all)
  return total === 0 ? 0 : sum(all.filter(({ terms }) => terms.some((term) => held.has(term)))) / total
}

/** Share of the runs that the terms hold, by the weight of their words; null without any. */
const matchedOf = (runs: ReadonlyArray<Run>, held: ReadonlySet<string>): number | null => {
  let [all, matched] = [0, 0]
  for (const { parts, words } of runs) {
    const weight = sum(words)
    all += weight
    matched += weight * Math.max(share(words, held), share(parts, held))
  }
  return all === 0 ? null : Math.min(1, matched / all)
}

const heldBy = (chunk: DocumentChunk): ReadonlySet<string> => {
  const { headings, source, text } = Terms.fields(chunk)
  return new Set([...text, ...headings, ...source])
}

/** Places of the words, those that touch or overlap as one. Function words alone are no match. */
const highlightsOf = (chunk: DocumentChunk, sought: ReadonlyArray<Terms.Sought>): ReadonlyArray<Highlight> => {
  const telling = sought.filter(({ idle }) => !idle)
  const wanted = new Set((telling.length > 0 ? telling : sought).flatMap(({ terms }) => terms))
  const declared = chunk.metadata["language"]
  const found = Terms.places(chunk.text, typeof declared === "string" ? declared : undefined)
    .filter(({ terms }) => terms.some((term) => wanted.has(term)))
    .toSorted((left, right) => left.start - right.start)
  const joined: Array<Highlight> = []
  for (const { end, start } of found) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    else joined.push({ start, end })
  }
  return joined
}

/** True when the vectors are made from words: their similarity repeats, less exactly, what the share of words says. */
const lexical = (space: EmbeddingSpace | null): boolean => space?.model.startsWith("hash-") === true

/** The better of the share of words and the similarity; of vectors made from words, the similarity counts only without words. */
const relevanceOf = (matched: number | null, similarity: number | null, space: EmbeddingSpace | null): number =>
  matched === null ? (similarity ?? 1) : lexical(space) ? matched : Math.max(matched, similarity ?? 0)

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

const complete = (
  query: Query,
  ranked: ReadonlyArray<Hit>,
  frequencies: Frequencies | null,
  sought: ReadonlyArray<Terms.Sought>,
  space: EmbeddingSpace | null
): ReadonlyArray<Complete> => {
  const runs = runsOf(sought, frequencies)
  return ranked.map(({ chunk, score, similarity: cosine }) => {
    const similarity =
      query.vector === undefined || typeof cosine !== "number" || Number.isNaN(cosine) ? null : clamped(cosine)
    const matched = runs.length === 0 ? null : matchedOf(runs, heldBy(chunk))
    return {
      score,
      similarity,
      matched,
      relevance: relevanceOf(matched, similarity, space),
      highlights: highlightsOf(chunk, sought),
      chunk
    }
  })
}

/** Hits that a reranker or a refusal sees for a limit. */
const candidates = (limit: number): number => Math.max(20, 4 * limit)

const reranked = (
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

/** Most chunks of a section on each side of a hit. */
const section = 32

const samePath = (left: DocumentChunk, right: DocumentChunk): boolean =>
  left.headingPath.length === right.headingPath.length &&
  left.headingPath.every(({ depth, text }, at) => {
    const other = right.headingPath[at]
    return other !== undefined && other.depth === depth && other.text === text
  })

/** The items from the first on that satisfy the test. */
const leading = <A>(all: ReadonlyArray<A>, test: (one: A) => boolean): ReadonlyArray<A> => {
  const end = all.findIndex((one) => !test(one))
  return end < 0 ? all : all.slice(0, end)
}

const withContext = (
  range: NonNullable<Operations["range"]>,
  { neighbours = 0, parent = false }: Query,
  hit: Hit
): Effect.Effect<Hit, SinkError> => {
  const { chunk } = hit
  const wide = Math.max(2 * neighbours, parent ? section : 0)
  return Effect.map(
    range({ documentId: chunk.documentId, from: Math.max(0, chunk.index - wide), to: chunk.index + wide }),
    (around) => {
      // Chunks to read and their children alternate; a neighbour is of the hit's own kind.
      const peers = around.filter((one) => (one.parentId === undefined) === (chunk.parentId === undefined))
      const before = peers.filter(({ index }) => index < chunk.index)
      const after = peers.filter(({ index }) => index > chunk.index)
      const inSection = (one: DocumentChunk) => samePath(one, chunk)
      const own = [...leading(before.toReversed(), inSection)].reverse()
      return {
        ...hit,
        ...(neighbours > 0 && { before: before.slice(-neighbours), after: after.slice(0, neighbours) }),
        ...(parent && {
          parent:
            chunk.parentId === undefined
              ? [...own, chunk, ...leading(after, inSection)]
              : around.filter(({ id }) => id === chunk.parentId)
        })
      }
    }
  )
}

/** The hits of a query, complete. */
export const search = (operations: Operations, query: Query): Effect.Effect<ReadonlyArray<Hit>, SinkError> =>
  Effect.gen(function* () {
    const { frequencies, range, sink, space } = operations
    const { limit, minScore = 0, neighbours = 0, parent = false } = query
    const more = minScore > 0 || query.rerank !== undefined
    const ranked = yield* operations.search(more && limit > 0 ? { ...query, limit: candidates(limit) } : query)
    if (ranked.length === 0) return []
    const sought = Terms.sought(query.text)
    const terms = sought.flatMap((one) => one.terms)
    const counted = frequencies === undefined || terms.length === 0 ? null : yield* frequencies(terms)
    const hits = complete(query, ranked, counted, sought, space)
    const best = (yield* reranked(sink, query, hits)).filter(({ relevance }) => relevance >= minScore).slice(0, limit)
    return range === undefined || (neighbours < 1 && !parent)
      ? best
      : yield* Effect.forEach(best, (hit) => withContext(range, query, hit))
  })
