import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** The parts of a chunk that a store keeps next to its vector, from which the chunk is read back exactly. */
export interface ChunkRecord {
  /** `text`, or `embedText`, as the store's other readers see it: U+0000 and halves of surrogate pairs are U+FFFD. */
  readonly text: string
  /**
   * One JSON object of every other member but `embedding`: `embedText` is left out where it equals the chunk's text, and
   * `text` where the store has the very same. Never holds such a code unit itself: JSON escapes them.
   */
  readonly record: string
}

const special = /\0|\p{Surrogate}/gu

/** Text that every store can hold: U+0000 and halves of surrogate pairs become U+FFFD. */
export const plain = (text: string): string => text.replace(special, "\uFFFD")

export const encode = (chunk: DocumentChunk, body: "text" | "embedText" = "text"): ChunkRecord => {
  const text = plain(chunk[body])
  const record = JSON.stringify({
    id: chunk.id,
    documentId: chunk.documentId,
    source: chunk.source,
    index: chunk.index,
    text: text === chunk.text ? undefined : chunk.text,
    embedText: chunk.embedText === chunk.text ? undefined : chunk.embedText,
    tokens: chunk.tokens,
    start: chunk.start,
    end: chunk.end,
    pages: chunk.pages,
    boxes: chunk.boxes,
    headingPath: chunk.headingPath,
    kinds: chunk.kinds,
    blockIds: chunk.blockIds,
    parentId: chunk.parentId,
    notes: chunk.notes,
    metadata: chunk.metadata
  })
  return { text, record }
}

const { embedding: _, embedText, text, ...members } = DocumentChunk.fields

const Stored = Schema.parseJson(
  Schema.Struct({ ...members, text: Schema.optional(text), embedText: Schema.optional(embedText) })
)

const decodeStored = Schema.decodeUnknown(Stored)

const decodeText = Schema.decodeUnknown(Schema.Struct({ text: Schema.String }))

/** The chunk of a record made by `encode`, without its vector. */
export const decode = (row: {
  readonly text: unknown
  readonly record: unknown
}): Effect.Effect<DocumentChunk, ParseError> =>
  Effect.zipWith(
    decodeStored(row.record),
    decodeText({ text: row.text }),
    ({ text, embedText, ...members }, stored) =>
      new DocumentChunk({ ...members, text: text ?? stored.text, embedText: embedText ?? text ?? stored.text }, true)
  )
