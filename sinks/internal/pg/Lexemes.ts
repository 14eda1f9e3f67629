import * as Terms from "docsluice/Terms"

/** Characters of a text whose terms are searched: PostgreSQL refuses a document with more than 1 MB of lexemes. */
const searched = 100_000

/** Greatest position of a lexeme, and most positions of one that PostgreSQL keeps. */
const lastPosition = 16_383
const mostPositions = 255

const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

/** The terms of a chunk as the text of a `tsvector`, each with its positions. */
export const vectorOf = (chunk: Parameters<typeof Terms.fields>[0]): string => {
  const { headings, source, text } = Terms.fields({ ...chunk, text: chunk.text.slice(0, searched) })
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

/** Words of a query: those that tell something, or all when none does. */
export const wordsOf = (query: string): ReadonlyArray<ReadonlyArray<string>> => {
  const all = Terms.sought(query)
  const telling = all.filter(({ idle }) => !idle)
  return (telling.length > 0 ? telling : all).map(({ terms }) => terms)
}
