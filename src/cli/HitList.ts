/** Output of a search: its hits, best first. */
import type { Hit } from "../ChunkSink.ts"
import { citation, type DocumentChunk } from "../DocumentChunk.ts"
import * as Columns from "./Columns.ts"
import * as Line from "./Line.ts"
import * as Snippet from "./Snippet.ts"

const passage = ({ headingPath, id, index, pages, text }: DocumentChunk) => ({
  id,
  index,
  pages,
  headingPath: headingPath.map((heading) => ({ depth: heading.depth, text: heading.text })),
  text
})

/** The hits as one JSON value. */
export const json = (hits: ReadonlyArray<Hit>): string =>
  JSON.stringify(
    hits.map(({ after, before, chunk, highlights = [], matched, parent, relevance, score, similarity }) => ({
      score,
      relevance,
      similarity,
      matched,
      id: chunk.id,
      documentId: chunk.documentId,
      source: chunk.source,
      pages: chunk.pages,
      headingPath: passage(chunk).headingPath,
      text: chunk.text,
      highlights,
      metadata: chunk.metadata,
      before: before?.map(passage),
      after: after?.map(passage),
      parent: parent?.map(passage)
    }))
  )

/**
 * Rank, citation, score, evidence and headings of each hit, the text near the words of the query, these in bold, and what was
 * asked for of its document.
 */
export const text = (hits: ReadonlyArray<Hit>, query: string, columns: number): ReadonlyArray<Line.Line> => {
  const width = Math.min(columns, 100)
  const indent = " ".repeat(String(hits.length).length + 2)
  const inner = width - indent.length
  const indented = (line: Line.Line): Line.Line => Line.indented(line, indent.length)
  const whole = (label: string, chunks: ReadonlyArray<DocumentChunk> = []) =>
    chunks.length === 0
      ? []
      : Columns.wrap(`${label}: ${Snippet.plain(chunks.map((chunk) => chunk.text).join(" "))}`, inner)
  return hits.flatMap((hit, at) => {
    const { chunk } = hit
    const place = Snippet.plain(citation({ ...chunk, headingPath: [] }))
    const title = `${String(at + 1).padStart(indent.length - 2)}. ${place}  (${evidence(hit)})`
    const headings = chunk.headingPath.map((heading) => Snippet.plain(heading.text)).join(" › ")
    const words = (hit.highlights ?? []).map(({ end, start }) => chunk.text.slice(start, end))
    const shown = Columns.wrap(Snippet.around(chunk.text, words.join(" ") || query, 3 * inner - 2), inner)
    return [
      ...(at === 0 ? [] : [""]),
      ...(Columns.width(title) <= width ? [title] : Columns.wrap(title, width, indent.length)),
      ...Columns.wrap(headings, inner)
        .filter((line) => line !== "")
        .map(indented),
      ...whole("before", hit.before).map(indented),
      ...shown.filter((line) => line !== "").map((line) => indented(Snippet.emphasized(line, words))),
      ...whole("after", hit.after).map(indented),
      ...whole("section", hit.parent).map(indented)
    ]
  })
}

const evidence = ({ matched, score, similarity }: Hit): string =>
  [
    String(Number(score.toPrecision(3))),
    ...(typeof matched === "number" ? [`matched ${Math.round(100 * matched)} %`] : []),
    ...(typeof similarity === "number" ? [`similarity ${similarity.toFixed(2)}`] : [])
  ].join(", ")
