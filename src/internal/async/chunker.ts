import * as Effect from "effect/Effect"
import { type Chunked, type Chunker, ChunkingError } from "../../Chunker.ts"
import { fromSpan, type Span } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { Tokenizer } from "../../Tokenizer.ts"

/** A stretch of the document's Markdown that is to be a chunk; its place among the others is its index. */
export type Piece = Omit<Span, "index">

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
        const chunked: Chunked = {
          chunks: pieces.map((piece, index) =>
            fromSpan(document, { ...piece, index }, { name: own.name, configuration, tokenizer })
          ),
          unplaced: [],
          ambiguousMarkers: []
        }
        return chunked
      })
  }
}
