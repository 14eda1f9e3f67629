import type { Hit } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import { ArrayFormatter, type ParseError } from "effect/ParseResult"

/** A row that a search found, before its chunk is read from it. */
export interface Found<E = never> {
  /** The chunk's id, else what the store calls the row. */
  readonly id: unknown
  readonly score: number
  readonly similarity?: number | null | undefined
  readonly chunk: Effect.Effect<DocumentChunk, ParseError | E>
}

/**
 * The hits of a search, in the order of the rows. A row that holds no chunk is left out, with a warning that names the sink, the
 * row and the field: one damaged row would else break every search that meets it.
 */
export const hits = <E = never>(
  sink: string,
  rows: ReadonlyArray<Found<E>>
): Effect.Effect<ReadonlyArray<Hit>, Exclude<E, ParseError>> =>
  Effect.map(
    Effect.forEach(rows, ({ chunk, id, score, similarity }) =>
      chunk.pipe(
        Effect.map((read): ReadonlyArray<Hit> => [{ score, chunk: read, similarity }]),
        Effect.catchIf(isParseError, (error) => Effect.as(Effect.logWarning(warning(sink, id, error)), []))
      )
    ),
    (found) => found.flat()
  )

const isParseError = (error: unknown): error is ParseError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "ParseError"

const warning = (sink: string, id: unknown, error: ParseError): string => {
  const [issue] = ArrayFormatter.formatErrorSync(error)
  const field = issue === undefined || issue.path.length === 0 ? "the chunk" : issue.path.map(String).join(".")
  const problem = issue?.message.split("\n", 1)[0]?.slice(0, 200) ?? "it cannot be read"
  return `${sink}: chunk ${String(id)} is damaged and left out of the hits (${field}: ${problem}); write its document again`
}
