/** Passages of a store: found, read, shown to a model, and cited. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type ChunkSink, defaultMinScore, type SinkError } from "../../ChunkSink.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { DocumentId } from "../../SourceFile.ts"
import * as Verification from "../../Verification.ts"

/** Documents that an agent may read. */
export interface Documents {
  /** Best passages first. */
  readonly search: (query: string, limit: number) => Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError>
  /** The passages of a document by its path, in order; those before `from` are left out. */
  readonly read: (source: string, from: number, limit: number) => Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError>
}

/** Ids of the documents of a path, one for each root that has it. */
const named = ({ list = Stream.empty }: ChunkSink.Service, source: string) =>
  Stream.runFold(list, new Set<DocumentId>(), (ids, { documentId }) =>
    documentId.endsWith(`/${source}`) ? ids.add(documentId) : ids
  )

/**
 * The documents of a sink that can search. Reading a document looks at the ids of all chunks, and at the chunks that are read.
 * `vectorOf` embeds a query in the store's space; without it the search is by words.
 */
export const ofSink = (
  sink: ChunkSink.Service,
  vectorOf?: (query: string) => Effect.Effect<ReadonlyArray<number>, SinkError>
): Documents => {
  const { range = () => Effect.succeed([]), search = () => Effect.succeed([]) } = sink
  return {
    search: (text, limit) =>
      Effect.gen(function* () {
        const vector = vectorOf === undefined ? undefined : yield* vectorOf(text)
        const hits = yield* search({ text, limit, minScore: defaultMinScore, ...(vector !== undefined && { vector }) })
        return hits.map(({ chunk }) => chunk)
      }),
    read: (source, from, limit) =>
      Effect.gen(function* () {
        const ids = yield* named(sink, source)
        const parts = yield* Effect.forEach(ids, (documentId) => range({ documentId, from, to: from + limit - 1 }))
        const found = parts.flat().filter((chunk) => chunk.source === source)
        return found.toSorted((left, right) => left.index - right.index).slice(0, limit)
      })
  }
}

/** The place of a quote in a document. */
export interface Citation {
  /** Path of the document. */
  readonly document: string
  readonly documentId: string
  readonly chunkId: string
  /** 1-based physical pages of the passage. */
  readonly pages: ReadonlyArray<number>
  readonly boxes: DocumentChunk["boxes"]
  /** Document and place as text, such as `report.xlsx, sheet Costs, A2:F41`. */
  readonly citation: string
  /** Words of the passage. */
  readonly quote: string
}

/**
 * The citation of a quote in a passage that was shown, by its id; undefined where it does not stand there word for word. It may go on in
 * another passage that was shown.
 */
export const cite = (
  shown: ReadonlyMap<string, DocumentChunk>,
  id: string,
  quote: string
): Effect.Effect<Citation | undefined> => {
  const passage = shown.get(id)
  if (passage === undefined) return Effect.succeed(undefined)
  const own = [...shown.values()].flatMap((chunk) => (chunk.documentId === passage.documentId ? [{ chunk }] : []))
  const corpus = { search: () => Effect.succeed(own) }
  return Effect.map(Verification.verify(quote, corpus, { places: own.length }), ({ places, stands }) => {
    const place = places.find(({ chunkIds }) => chunkIds.includes(passage.id))
    if (stands !== "exact" || place === undefined) return undefined
    const { boxes, documentId, label, pages, source } = place
    return { document: source, documentId, chunkId: id, pages, boxes, citation: label, quote }
  })
}
