/** Citations of an agent's answer. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as Verification from "../../Verification.ts"

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
 * The citation of a quote in the document of a passage that was shown, by the passage's id; undefined where it does not stand word for word
 * in what was shown of that document. Of several places it is that of the passage, if it has one.
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
    const there = places.find(({ chunkIds }) => chunkIds.includes(passage.id))
    const place = there ?? places[0]
    if (stands !== "exact" || place === undefined) return undefined
    const { boxes, chunkIds, documentId, label, pages, source } = place
    const chunkId = there === undefined ? chunkIds[0] : id
    return { document: source, documentId, chunkId, pages, boxes, citation: label, quote }
  })
}
