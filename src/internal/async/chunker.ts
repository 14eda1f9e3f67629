import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Chunked, type Chunker, ChunkingError } from "../../Chunker.ts"
import { fromSpan, type Span } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import * as metadata from "../chunking/metadata.ts"
import type * as ChunkerTarget from "../target/chunkerTarget.ts"

/** A stretch of the document's Markdown that is to be a chunk. A member of its metadata that is undefined counts as absent. */
export type Piece = Omit<Span, "index">

/** A splitter of a program without Effect. */
export interface AsyncChunker {
  readonly name: string
  /** Text of all settings that change chunks; a part of every chunk id. Default empty. */
  readonly configuration?: string | undefined
  /** Spans in ascending order; `count` counts tokens. */
  readonly split: (
    document: ParsedDocument,
    count: (text: string) => number
  ) => Iterable<Piece> | Promise<Iterable<Piece>>
}

/** A chunker of this package, or a splitter. */
export type Value = Chunker | AsyncChunker

/** A strategy by its name, with its budget, or a chunker. */
export type Given = ChunkerTarget.Name | ChunkerTarget.Settings | Value

/** A splitter as a chunker, and everything else as it is. */
export const given = (value: Given | undefined): Exclude<Given, AsyncChunker> | undefined =>
  typeof value === "object" && "split" in value ? chunker(value) : value

/** Converts a splitter to a `Chunker`: fills in ids, texts and token counts. */
export const chunker = (own: AsyncChunker): Chunker => {
  const configuration = own.configuration ?? ""
  return {
    name: own.name,
    configuration,
    chunk: (document) =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer
        const pieces = yield* Effect.tryPromise({
          try: async () => Array.from(await own.split(document, (text) => tokenizer.count(text))),
          catch: (cause) => new ChunkingError({ source: document.source, reason: "Failed", cause })
        })
        const chunked: Chunked = {
          chunks: yield* Effect.forEach(pieces, (piece, index) =>
            Either.map(checked(document, piece, index), (span) =>
              fromSpan(document, span, { name: own.name, configuration, tokenizer })
            )
          ),
          unplaced: [],
          ambiguousMarkers: []
        }
        return chunked
      })
  }
}

/** Types do not hold in the user's program: a piece that is no stretch of the document is refused by its field. */
const checked = (document: ParsedDocument, piece: Piece | null, index: number): Either.Either<Span, ChunkingError> => {
  const refused = (field: string, problem: string) =>
    Either.left(metadata.invalid(document.source, field, `${field} is ${problem}`, index))
  if (piece === null || typeof piece !== "object") {
    return Either.left(metadata.invalid(document.source, "piece", `the piece is ${String(piece)}`, index))
  }
  const { markdown } = document
  const { embedText, end, start } = piece
  for (const [field, offset] of [["start", start] as const, ["end", end] as const]) {
    if (!Number.isInteger(offset) || offset < 0 || offset > markdown.length) {
      return refused(field, `${String(offset)} instead of an offset from 0 to ${markdown.length}`)
    }
  }
  if (end < start) return refused("end", `${end}, which is before start, ${start}`)
  if (embedText !== undefined && typeof embedText !== "string") {
    return refused("embedText", `a ${typeof embedText} instead of a string`)
  }
  return Either.map(metadata.given(document.source, piece.metadata, index), (given) => ({
    index,
    start,
    end,
    embedText,
    metadata: given
  }))
}
