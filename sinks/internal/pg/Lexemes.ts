import * as Terms from "docsluice/Terms"

/** Characters of a text whose terms are searched: PostgreSQL refuses a document with more than 1 MB of lexemes. */
const searched = 100_000

/** Greatest position of a lexeme, and most positions of one that PostgreSQL keeps. */
const lastPosition = 16_383
const mostPositions = 255

const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

/** The terms of a chunk as the text of a `tsvector`, each with its positions. */
export const vectorOf = (chunk: Parameters<typeof Terms.fields>[0], version: Terms.Version): string => {
  const { headings, source, text } = Terms.fields({ ...chunk, text: chunk.text.slice(0, searched) }, version)
  const positions = new Map<string, Array<number>>()
  for (const [at, term] of [...headings, ...text, ...source].entries()) {
    const known = positions.get(term)
    const position = Math.min(at + 1, lastPosition)
    if (known === undefined) positions.set(term, [position])
    else if (known.length < mostPositions) known.push(position)
  }
  return [...positions].map(([term, places]) => `${quoted(term)}:${places.join(",")}`).join(" ")
}

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
