import * as Terms from "docsluice/Terms"
import * as SparseTerms from "../shared/SparseTerms.ts"
import type * as Words from "../shared/Words.ts"

/** Characters of a text whose terms are searched: PostgreSQL refuses a document with more than 1 MB of lexemes. */
const searched = 100_000

/** Greatest position of a lexeme, and most positions of one that PostgreSQL keeps. */
const lastPosition = 16_383
const mostPositions = 255

const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

type Chunk = Parameters<typeof Terms.fields>[0]

const searchedOf = (chunk: Chunk): Chunk => ({ ...chunk, text: chunk.text.slice(0, searched) })

/** The terms of a chunk as the text of a `tsvector`, each with its positions. */
const positionsOf = (chunk: Chunk, version: Terms.Version): string => {
  const { headings, source, text } = Terms.fields(searchedOf(chunk), version)
  const positions = new Map<string, Array<number>>()
  for (const [at, term] of [...headings, ...text, ...source].entries()) {
    const known = positions.get(term)
    const position = Math.min(at + 1, lastPosition)
    if (known === undefined) positions.set(term, [position])
    else if (known.length < mostPositions) known.push(position)
  }
  return [...positions].map(([term, places]) => `${quoted(term)}:${places.join(",")}`).join(" ")
}

/** Length of a `sparsevec` of terms, the longest that there is. */
export const dimensions = 1_000_000_000

/** Most components of a `sparsevec` that are not 0. */
const mostComponents = 16_000

const written = ({ indices, values }: SparseTerms.Sparse): string => {
  const all = indices.map((index, at) => ({ index, value: values[at] ?? 0 }))
  const kept =
    all.length <= mostComponents
      ? all
      : all.toSorted((left, right) => right.value - left.value).slice(0, mostComponents)
  return `{${kept.map(({ index, value }) => `${index + 1}:${value.toPrecision(6)}`).join(",")}}/${dimensions}`
}

/** Texts of the columns of terms. */
export interface Lexemes {
  /** A `tsvector`. */
  readonly terms: string
  /** A `sparsevec`, with which that of {@link weightsOf} has BM25 as its inner product. */
  readonly weights: string
}

/** Those of a row that holds no chunk. */
export const nothing: Lexemes = { terms: "", weights: `{}/${dimensions}` }

/** The terms of a chunk: with their weights, or with their positions for a table without a column of weights. */
export const lexemesOf = (chunk: Chunk, version: Terms.Version, weighed: boolean): Lexemes => {
  if (!weighed) return { terms: positionsOf(chunk, version), weights: "" }
  const counts = SparseTerms.countsOf(searchedOf(chunk), version)
  const sparse = SparseTerms.ofCounts(counts, dimensions) ?? { indices: [], values: [] }
  return { terms: [...counts.keys()].map(quoted).join(" "), weights: written(sparse) }
}

/** The words of a query as the text of a `sparsevec`. */
export const weightsOf = (words: ReadonlyArray<Words.Word>, rarityOf: (term: string) => number): string =>
  written(SparseTerms.ofWords(words, rarityOf, dimensions))

/** A `tsquery` that matches rows which hold any of the terms. */
export const anyOf = (terms: ReadonlyArray<string>): string => terms.map(quoted).join(" | ")

/** Share of the weights of a lexeme's positions in `ts_rank`, each divided by the square of its number, for a number of positions. */
const damped = (count: number): number => {
  let sum = 0
  for (let at = 1; at <= count; at++) sum += 0.1 / at ** 2
  return sum / (Math.PI ** 2 / 6)
}

/** Ranks between those of one position more: `width_bucket` of a rank in these is the number of positions. */
const ranks = Array.from({ length: mostPositions }, (_, at) => ((damped(at) + damped(at + 1)) / 2).toPrecision(12))

/**
 * The number of positions in a `tsvector` of the one lexeme that it holds among some. `ts_rank` is the only function of the server that
 * looks at positions without taking the whole vector apart, and it damps their number; this takes the damping off.
 */
export const countOf = (vector: string, query: string, lexemes: number): string =>
  `width_bucket(${lexemes} * ts_rank(${vector}, ${query})::float8, ARRAY[${ranks.join(",")}]::float8[])`
