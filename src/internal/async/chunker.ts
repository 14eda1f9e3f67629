import * as Effect from "effect/Effect"
import { type Chunked, type Chunker, ChunkingError } from "../../Chunker.ts"
import { ChunkId, DocumentChunk, type MetadataValue } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import { sha256 } from "../base/sha256.ts"

/** A stretch of the document's Markdown that is to be a chunk. */
export interface Piece {
  /** In UTF-16 code units of the Markdown, inclusive. */
  readonly start: number
  /** In UTF-16 code units of the Markdown, exclusive. */
  readonly end: number
  /** What is embedded; default the stretch itself. */
  readonly embedText?: string | undefined
  readonly metadata?: Readonly<Record<string, typeof MetadataValue.Type>> | undefined
}

/** A way to split documents, of a program without Effect. */
export interface AsyncChunker {
  readonly name: string
  /** Text of all settings that change chunks: another text, other chunk ids; default empty. */
  readonly configuration?: string | undefined
  /** Stretches in ascending order; `count` counts tokens. */
  readonly split: (
    document: ParsedDocument,
    count: (text: string) => number
  ) => Iterable<Piece> | Promise<Iterable<Piece>>
}

/** The chunker with ids, texts and tokens filled in. */
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
          chunks: pieces.map((piece, index) => chunk(document, digest, tokenizer, piece, index)),
          unplaced: [],
          ambiguousMarkers: []
        }
        return chunked
      })
  }
}

const chunk = (
  document: ParsedDocument,
  digest: string,
  tokenizer: Tokenizer.Service,
  piece: Piece,
  index: number
): DocumentChunk => {
  const { end, start } = piece
  const text = document.markdown.slice(start, end)
  const embedText = piece.embedText ?? text
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
    metadata: piece.metadata ?? {}
  })
}
