import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Chunked, type Chunker, ChunkingError } from "../../Chunker.ts"
import { ChunkId, DocumentChunk, type MetadataValue } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import { sha256 } from "../base/sha256.ts"
import * as metadata from "../chunking/metadata.ts"

/** A span of the document's Markdown that becomes a chunk. */
export interface Piece {
  /** In UTF-16 code units of the Markdown, inclusive. */
  readonly start: number
  /** In UTF-16 code units of the Markdown, exclusive. */
  readonly end: number
  /** Text to embed; default the span itself. */
  readonly embedText?: string | undefined
  /** Metadata of the chunk; default none. A member that is undefined counts as absent. */
  readonly metadata?: Readonly<Record<string, typeof MetadataValue.Type>> | undefined
}

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
        const digest = sha256(JSON.stringify([own.name, configuration, tokenizer.name]))
        const chunked: Chunked = {
          chunks: yield* Effect.forEach(pieces, (piece, index) =>
            Either.map(checked(document, piece, index), (whole) => chunk(document, digest, tokenizer, whole, index))
          ),
          unplaced: [],
          ambiguousMarkers: []
        }
        return chunked
      })
  }
}

interface Whole {
  readonly start: number
  readonly end: number
  readonly embedText: string
  readonly metadata: DocumentChunk["metadata"]
}

/** Checks a piece at run time, since the user's program may be untyped: the error names the field that is wrong. */
const checked = (document: ParsedDocument, piece: Piece | null, index: number): Either.Either<Whole, ChunkingError> => {
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
    start,
    end,
    embedText: embedText ?? markdown.slice(start, end),
    metadata: given
  }))
}

const chunk = (
  document: ParsedDocument,
  digest: string,
  tokenizer: Tokenizer.Service,
  { embedText, end, metadata, start }: Whole,
  index: number
): DocumentChunk => {
  const text = document.markdown.slice(start, end)
  return DocumentChunk.make({
    id: ChunkId.make(sha256(JSON.stringify([document.documentId, digest, start, end, text, embedText]))),
    documentId: document.documentId,
    source: document.source,
    index,
    text,
    embedText,
    tokens: tokenizer.count(embedText),
    start,
    end,
    pages: [],
    boxes: [],
    headingPath: [],
    kinds: [],
    blockIds: [],
    notes: [],
    metadata
  })
}
