/** Evidence that a hit is about a query: shares of matched words, nearness of vectors, and the relevance of both; highlights. */
import * as Effect from "effect/Effect"
import { type Fields, fields, type Place, type Sought, sought as wordsOf } from "../terms/terms.ts"
import type { Frequencies, Highlight, Hit } from "./contract.ts"
import { poolSize } from "./minScore.ts"
import type { Asked, Operations } from "./ranking.ts"
import type { SinkError } from "./sinkError.ts"
import type { EmbeddingSpace } from "./space.ts"

/** Words of one run of letters: one word, or in scripts without blanks several words and their parts. */
interface Run {
  readonly words: ReadonlyArray<Weighed>
  readonly parts: ReadonlyArray<Weighed>
  /** True for a word of Korean, which its first two characters tell from others; particles come after them. */
  readonly leads: boolean
}

/** A hit with everything that does not need its document. */
export type Complete = Hit & { readonly relevance: number }

interface Weighed {
  readonly terms: ReadonlyArray<string>
  readonly weight: number
}

/** Weight of a function word, relative to 1 for another word that is as rare. */
const idleWeight = 0.1

/** Rarity of a word where the sink knows no frequencies. */
const usualRarity = 0.7

/** The rarer a term, the more it weighs: the logarithm of `bm25`, relative to 1 for a term that no chunk holds. */
const rarity = (total: number, count: number): number =>
  Math.log(1 + (total - count + 0.5) / (count + 0.5)) / Math.log(1 + (total + 0.5) / 0.5)

const hangul = /^\p{Script=Hangul}/u

/** The number of the first of the words before a chain that it joins; its own where these are not told. */
const firstOf = (sought: ReadonlyArray<Sought>, chain: number): number => {
  const whole = sought[chain]?.terms[0]?.replaceAll("·", "") ?? ""
  let text = ""
  for (let at = chain - 1; at >= 0 && text.length < whole.length; at--) {
    const {
      kind,
      terms: [word = ""]
    } = sought[at] ?? { kind: "part", terms: [] }
    if (kind === "word") text = word + text
    if (text === whole) return at
  }
  return chain
}

/** Terms of the chains of each word: a chunk that holds a chain holds its words, however it separates them (`1,234.5` for `1234.5`). */
const chainsOf = (sought: ReadonlyArray<Sought>): ReadonlyArray<ReadonlyArray<string>> => {
  const chains: Array<ReadonlyArray<string>> = sought.map(() => [])
  for (const [chain, { kind, terms }] of sought.entries()) {
    if (kind === "chain") chains.fill(terms, firstOf(sought, chain), chain)
  }
  return chains
}

const runsOf = (sought: ReadonlyArray<Sought>, frequencies: Frequencies | null): ReadonlyArray<Run> => {
  const runs = new Map<number, { words: Array<Weighed>; parts: Array<Weighed>; leads: boolean }>()
  const chains = chainsOf(sought)
  for (const [at, { idle, kind, run: number, terms }] of sought.entries()) {
    if (kind === "chain") continue
    const run = runs.get(number) ?? { words: [], parts: [], leads: hangul.test(terms[0] ?? "") }
    runs.set(number, run)
    const count = frequencies?.counts[at] ?? 0
    const rare = frequencies === null ? usualRarity : rarity(frequencies.total, Math.min(frequencies.total, count))
    const own = { terms: [...terms, ...(chains[at] ?? [])], weight: rare * (idle ? idleWeight : 1) }
    if (kind === "word") run.words.push(own)
    else run.parts.push(own)
  }
  return [...runs.values()].filter(({ words }) => words.length > 0)
}

const sum = (all: ReadonlyArray<Weighed>): number => all.reduce((total, { weight }) => total + weight, 0)

const isHeld = ({ terms }: Weighed, held: ReadonlySet<string>): boolean => terms.some((term) => held.has(term))

const share = (all: ReadonlyArray<Weighed>, held: ReadonlySet<string>): number => {
  const total = sum(all)
  return total === 0 ? 0 : sum(all.filter((one) => isHeld(one, held))) / total
}

const shareOf = ({ leads, parts, words }: Run, held: ReadonlySet<string>): number => {
  const [first] = parts
  return leads && first !== undefined && isHeld(first, held) ? 1 : Math.max(share(words, held), share(parts, held))
}

/** Evidence of the words that a chunk holds. */
interface Matched {
  /** Share of the query's words, by weight. */
  readonly share: number
  /** Sum of their weights: two for two words that hardly any other chunk holds. */
  readonly weight: number
}

/** Null for a query without words. */
const matchedOf = (runs: ReadonlyArray<Run>, held: ReadonlySet<string>): Matched | null => {
  let [all, matched] = [0, 0]
  for (const run of runs) {
    const weight = sum(run.words)
    all += weight
    matched += weight * shareOf(run, held)
  }
  return all === 0 ? null : { share: Math.min(1, matched / all), weight: matched }
}

/** Terms of the query that a chunk holds. */
const heldBy = ({ headings, source, text }: Fields, asked: ReadonlySet<string>): ReadonlySet<string> => {
  const held = new Set<string>()
  for (const places of [text, headings, source]) {
    for (const { terms } of places) for (const term of terms) if (asked.has(term)) held.add(term)
  }
  return held
}

/** Words that are highlighted: function words only where a query has nothing else. */
const telling = (sought: ReadonlyArray<Sought>): ReadonlyArray<Sought> => {
  const all = sought.filter(({ idle }) => !idle)
  return all.length > 0 ? all : sought
}

/** Places of the words, those that touch or overlap as one. */
const highlightsOf = (text: ReadonlyArray<Place>, wanted: ReadonlySet<string>): ReadonlyArray<Highlight> => {
  const found = text
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

const clamped = (value: number): number => Math.min(1, Math.max(0, value))

/** True when the vectors are made from words: their similarity alone says little. */
const lexical = (space: EmbeddingSpace | null): boolean => space?.model.startsWith("hash-") === true

const ascending = (pool: ReadonlyArray<Hit>): ReadonlyArray<number> =>
  pool
    .flatMap(({ similarity }) =>
      typeof similarity === "number" && !Number.isNaN(similarity) ? [clamped(similarity)] : []
    )
    .toSorted((left, right) => left - right)

/** Hits whose median similarity is that of an unrelated chunk for vectors of words, the similarity where there are fewer, and the number that is few. */
const unrelated = { hits: 20, otherwise: 0.1, few: 8 } as const

/**
 * Similarity of a chunk that has nothing to do with the query, by the hits of the pool. For the vectors of a model: the median of a full
 * pool; the fewer hits there are, the closer to the lowest, since more of a small store may be about the query.
 */
const baseline = (pool: ReadonlyArray<Hit>, space: EmbeddingSpace | null): number => {
  const words = lexical(space)
  const all = ascending(words ? pool.slice(0, unrelated.hits) : pool)
  const few = words ? unrelated.few : 2
  const at = words ? all.length >> 1 : Math.floor((all.length * (all.length - 1)) / (2 * poolSize))
  return all.length < few ? unrelated.otherwise : (all[at] ?? unrelated.otherwise)
}

/**
 * Coefficients of a logistic regression over the share of words, the weight of words and the similarity above that of unrelated
 * chunks, fitted on one half of the questions of `bench/retrieval.ts`; 0.5 is where at most 5 in 100 right hits lie below. The more
 * chunks, the more of them hold some words by chance.
 */
const fitted = { share: 5.6, weight: 18, similarity: 11, size: -0.49, bias: -6.58 } as const

/** The similarity above that of unrelated chunks that is assumed where there are no vectors, or those of a model. */
const blind = 0.03

/**
 * How near a vector of a model has to be: the part of the way from an unrelated chunk's similarity to 1 at which relevance is 0.5, and
 * how steeply relevance grows there. A part of the way, since models differ in where their similarities lie.
 */
const nearness = { middle: 0.15, slope: 25 } as const

/** Chunks below which a store is no easier to judge: the smallest one measured had 140. */
const smallestSize = 100

/** Chunks of a store whose sink does not count them. */
const usualSize = 2000

const logistic = (evidence: number): number => 1 / (1 + Math.exp(-evidence))

/** Relevance by a similarity alone. */
const nearnessOf = (similarity: number, usual: number): number =>
  usual >= 1 ? 0 : logistic(nearness.slope * ((similarity - usual) / (1 - usual) - nearness.middle))

/** What hits are judged by, besides themselves. */
interface Standard {
  readonly space: EmbeddingSpace | null
  readonly frequencies: Frequencies | null
  /** Similarity of an unrelated chunk. */
  readonly usual: number
}

const relevanceOf = (
  matched: Matched | null,
  similarity: number | null,
  { frequencies, space, usual }: Standard
): number => {
  if (matched === null) return similarity === null ? 1 : nearnessOf(similarity, usual)
  const { share: part, weight } = matched
  const byWords = lexical(space)
  const likely = logistic(
    fitted.share * part +
      (fitted.weight * weight) / (1 + weight) +
      fitted.similarity * (similarity === null || !byWords ? blind : similarity - usual) +
      fitted.size * Math.log(Math.max(smallestSize, frequencies?.total ?? usualSize)) +
      fitted.bias
  )
  // All words of a query are evidence enough, however frequent they are; so is the nearness of a model's vector.
  return Math.max(likely, part ** 2, similarity === null || byWords ? 0 : nearnessOf(similarity, usual))
}

export type Judge = (hit: Hit) => Complete

const noWords: Fields = { text: [], headings: [], source: [] }

const termsOf = (all: ReadonlyArray<Sought>): ReadonlySet<string> => new Set(all.flatMap(({ terms }) => terms))

/** Judges hits by themselves, the query and the standard, so that a hit is as relevant for every limit. */
const judgeOf = (query: Asked, sought: ReadonlyArray<Sought>, standard: Standard): Judge => {
  const runs = runsOf(sought, standard.frequencies)
  const asked = termsOf(sought)
  const wanted = termsOf(telling(sought))
  return ({ chunk, score, similarity: cosine }) => {
    // A query without words has none to look for.
    const words = asked.size === 0 ? noWords : fields(chunk)
    const similarity =
      query.vector === undefined || typeof cosine !== "number" || Number.isNaN(cosine) ? null : clamped(cosine)
    const matched = runs.length === 0 ? null : matchedOf(runs, heldBy(words, asked))
    const relevance = relevanceOf(matched, similarity, standard)
    const highlights = highlightsOf(words.text, wanted)
    return { score, similarity, matched: matched?.share ?? null, relevance, highlights, chunk }
  }
}

/** The judge of the hits of a query; `pool`: its first hits, by which the others are measured. */
export const judgeFor = (
  { frequencies, space }: Pick<Operations, "frequencies" | "space">,
  asked: Asked,
  pool: ReadonlyArray<Hit>
): Effect.Effect<Judge, SinkError> => {
  const sought = wordsOf(asked.text)
  const counted =
    frequencies === undefined || sought.length === 0
      ? Effect.succeed(null)
      : frequencies(sought.map(({ terms }) => terms))
  return Effect.map(counted, (known) =>
    judgeOf(asked, sought, { space, frequencies: known, usual: baseline(pool, space) })
  )
}
