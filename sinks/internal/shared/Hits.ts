/** Hits and chunks of the rows that a store gives. */
import { type CheckedQuery, type EmbeddingSpace, type Hit, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import { ArrayFormatter, type ParseError } from "effect/ParseResult"
import { fuse, type Ranking, weightOf } from "./Fusion.ts"

/** A stored row, before its chunk is read from it. */
export interface Row {
  /** The chunk's id, else the store's name of the row. */
  readonly id: unknown
  readonly similarity?: number | null | undefined
  readonly chunk: Effect.Effect<DocumentChunk, ParseError>
}

/** Two rankings of a search, by keys of rows. */
export interface Rankings<Key> {
  readonly words: Ranking<Key>
  readonly vectors: Ranking<Key>
  readonly space: EmbeddingSpace | null
  readonly query: CheckedQuery
}

/** Joins the rankings and reads the rows of the best keys; a key without a row is left out. */
export const fused = <Key>(
  sink: string,
  { query, space, vectors, words }: Rankings<Key>,
  rowsOf: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyMap<Key, Row>, SinkError>
): Effect.Effect<ReadonlyArray<Hit>, SinkError> => {
  const best = fuse(
    [
      { ranking: words, weight: 1, without: 0 },
      { ranking: vectors, weight: weightOf(space, query), without: null }
    ],
    query.limit
  )
  if (best.length === 0) return Effect.succeed([])
  return Effect.flatMap(rowsOf(best.map(({ key }) => key)), (rows) =>
    hits(
      sink,
      best.flatMap(({ key, score }) => {
        const row = rows.get(key)
        return row === undefined ? [] : [{ ...row, score }]
      })
    )
  )
}

/**
 * The hits of a search, in the order of the rows. A row that holds no chunk is left out, with a warning that names the sink, the
 * row and the field: one damaged row would else break every search that meets it.
 */
export const hits = (
  sink: string,
  rows: ReadonlyArray<Row & { readonly score: number }>
): Effect.Effect<ReadonlyArray<Hit>> =>
  Effect.map(
    Effect.forEach(rows, ({ chunk, id, score, similarity }) =>
      chunk.pipe(
        Effect.map((read): ReadonlyArray<Hit> => [{ score, chunk: read, similarity }]),
        Effect.catchAll((error) => Effect.as(Effect.logWarning(warning(sink, id, error)), []))
      )
    ),
    (found) => found.flat()
  )

const warning = (sink: string, id: unknown, error: ParseError): string => {
  const [issue] = ArrayFormatter.formatErrorSync(error)
  const field = issue === undefined || issue.path.length === 0 ? "the chunk" : issue.path.map(String).join(".")
  const problem = issue?.message.split("\n", 1)[0]?.slice(0, 200) ?? "it cannot be read"
  return `${sink}: chunk ${String(id)} is damaged and left out of the hits (${field}: ${problem}); write its document again`
}

/** The error of a row (`what`) that does not hold what is read from it. */
export const unreadable =
  (sink: string, what: string) =>
  (cause: unknown): SinkError =>
    new SinkError({ sink, reason: "Mismatch", problem: `${what} is not a chunk of this version`, cause })

/** The chunks of rows; fails for a row (`what`) that holds none. */
export const chunks = (
  sink: string,
  what: string,
  rows: ReadonlyArray<Effect.Effect<DocumentChunk, ParseError>>
): Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError> => Effect.mapError(Effect.all(rows), unreadable(sink, what))

export const byIndex = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<DocumentChunk> =>
  chunks.toSorted((left, right) => left.index - right.index)
