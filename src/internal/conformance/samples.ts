/** Chunks to store, each with another text. */
import type { EmbeddingSpace, Query } from "../../ChunkSink.ts"
import { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import { DocumentId } from "../../SourceFile.ts"

/** Makes and records the chunks of one case. */
export interface Samples {
  /** All chunks made so far, the last one of each id. */
  readonly made: ReadonlyMap<string, DocumentChunk>
  /** Makes one chunk; in a space, its vector is a unit vector along one axis. */
  readonly chunk: (document: string, index: number, more?: Partial<DocumentChunk>) => DocumentChunk
  /** Chunks 0 to `count` of a document; two generations share no id. */
  readonly document: (document: string, count: number, generation?: string) => ReadonlyArray<DocumentChunk>
}

export const documentId = (document: string): DocumentId => DocumentId.make(`conformance/${document}`)

export const make = (space: EmbeddingSpace | null): Samples => {
  const made = new Map<string, DocumentChunk>()
  const chunk: Samples["chunk"] = (document, index, more = {}) => {
    const text = more.text ?? `text ${index} of ${document}`
    const members = {
      id: ChunkId.make(`${plain(document)}-${index}`),
      documentId: documentId(document),
      source: document,
      index,
      embedText: text,
      tokens: 1 + index,
      start: 10 * index,
      end: 10 * index + text.length,
      pages: [],
      boxes: [],
      headingPath: [],
      kinds: ["paragraph"],
      blockIds: [],
      notes: [],
      metadata: {},
      ...(space && { embedding: unit(space, index + document.length) }),
      ...more,
      text
    }
    // Cases make thousands of chunks; validation would take most of the time.
    const one = new DocumentChunk(members, { disableValidation: true })
    made.set(one.id, one)
    return one
  }
  return {
    made,
    chunk,
    document: (document, count, generation = "") =>
      Array.from({ length: count }, (_, index) =>
        generation === ""
          ? chunk(document, index)
          : chunk(document, index, {
              id: ChunkId.make(`${plain(document)}-${generation}-${index}`),
              text: `text ${index} of ${document}, generation ${generation}`
            })
      )
  }
}

/** The query that a chunk fits best. */
export const queryOf = ({ embedding, text }: DocumentChunk, limit: number): Query => ({
  text,
  ...(embedding && { vector: Array.from(embedding) }),
  limit
})

const plain = (document: string): string => document.replaceAll(/[^a-z0-9]/gu, "")

const unit = (space: EmbeddingSpace, seed: number): ReadonlyArray<number> =>
  Array.from({ length: space.dimensions }, (_, at) => (at === seed % space.dimensions ? 1 : 0))

/** A unit vector rotated from the first axis towards the second by `angle` radians; in 32-bit floats. */
export const turned = (space: EmbeddingSpace, angle: number): ReadonlyArray<number> =>
  Array.from({ length: space.dimensions }, (_, at) =>
    at === 0 ? Math.fround(Math.cos(angle)) : at === 1 ? Math.fround(Math.sin(angle)) : 0
  )
