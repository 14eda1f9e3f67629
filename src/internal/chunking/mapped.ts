/** Chunkers whose chunks a step of the program changes: new ids, positions and token counts. */
import * as Effect from "effect/Effect"
import { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import { ChunkingError } from "./chunkingError.ts"
import type { Chunker } from "./contract.ts"
import { configurationDigest, spanId } from "./identity.ts"

export interface Step<E> {
  /** Part of the configuration digest: change it with `f`, and a run with a state chunks stored documents again. */
  readonly name: string
  /** The chunks to store, in order, of those of the chunker; a child stays behind its parent. */
  readonly f: (
    chunks: ReadonlyArray<DocumentChunk>,
    document: ParsedDocument
  ) => Effect.Effect<ReadonlyArray<DocumentChunk>, E>
}

/** The embedText of a changed chunk; the former one with the new text in it where only the text was changed. */
const embedTextOf = (chunk: DocumentChunk, former: DocumentChunk | undefined): string => {
  const { embedText, text } = chunk
  if (former === undefined || embedText !== former.embedText || text === former.text) return embedText
  const at = embedText.indexOf(former.text)
  return at === -1 ? embedText : `${embedText.slice(0, at)}${text}${embedText.slice(at + former.text.length)}`
}

/** See `Chunker.mapChunks`. */
export const mapChunks = <E extends { readonly message: string }>(self: Chunker, { f, name }: Step<E>): Chunker => {
  const configuration = JSON.stringify(["mapped", self.name, self.configuration, name])
  const { keeping } = self
  return {
    ...self,
    configuration,
    keeping: keeping && ((kept) => mapChunks(keeping(kept), { f, name })),
    chunk: (document) =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer
        const digest = configurationDigest(configuration, tokenizer.name)
        const chunked = yield* self.chunk(document)
        const former = new Map(chunked.chunks.map((chunk) => [chunk.id, chunk]))
        const changed = yield* Effect.mapError(
          Effect.suspend(() => f(chunked.chunks, document)),
          (error) =>
            new ChunkingError({
              source: document.source,
              reason: "Failed",
              problem: `${name}: ${error.message}`,
              cause: error
            })
        )
        const ids = new Map<ChunkId, ChunkId>()
        const chunks = changed.map((chunk, index) => {
          const before = former.get(chunk.id)
          const embedText = embedTextOf(chunk, before)
          const parentId = chunk.parentId === undefined ? undefined : ids.get(chunk.parentId)
          const span = { start: chunk.start, end: chunk.end, text: chunk.text, embedText }
          const id = ChunkId.make(
            parentId === undefined ? spanId(document.documentId, digest, span) : spanId("", parentId, span)
          )
          ids.set(chunk.id, id)
          const { parentId: _, ...members } = chunk
          return new DocumentChunk(
            {
              ...members,
              id,
              ...(parentId !== undefined && { parentId }),
              documentId: document.documentId,
              source: document.source,
              index,
              embedText,
              tokens: embedText === before?.embedText ? before.tokens : tokenizer.count(embedText)
            },
            { disableValidation: true }
          )
        })
        return { ...chunked, chunks }
      })
  }
}
