/** Output of a search: its hits, best first. */
import type { Hit } from "../ChunkSink.ts"
import { citation } from "../DocumentChunk.ts"
import * as Snippet from "./Snippet.ts"

/** The hits as one JSON value. */
export const json = (hits: ReadonlyArray<Hit>): string =>
  JSON.stringify(
    hits.map(({ chunk, score }) => ({
      score,
      id: chunk.id,
      documentId: chunk.documentId,
      source: chunk.source,
      pages: chunk.pages,
      headingPath: chunk.headingPath.map(({ depth, text }) => ({ depth, text })),
      text: chunk.text,
      metadata: chunk.metadata
    }))
  )

/** Rank, score, citation and headings of each hit, and the text near the words of the query. */
export const text = (hits: ReadonlyArray<Hit>, query: string, columns: number): ReadonlyArray<string> => {
  const width = Math.max(40, Math.min(columns, 100))
  const indent = " ".repeat(String(hits.length).length + 2)
  return hits.flatMap(({ chunk, score }, at) => {
    const headings = chunk.headingPath.map(({ text }) => Snippet.plain(text)).join(" › ")
    const snippet = Snippet.around(chunk.text, query, 3 * (width - indent.length) - 2)
    return [
      ...(at === 0 ? [] : [""]),
      `${String(at + 1).padStart(indent.length - 2)}. ${Snippet.plain(citation({ ...chunk, headingPath: [] }))}  (${Number(score.toPrecision(3))})`,
      ...[headings, ...Snippet.wrapped(snippet, width - indent.length)]
        .filter((line) => line !== "")
        .map((line) => `${indent}${line}`)
    ]
  })
}
