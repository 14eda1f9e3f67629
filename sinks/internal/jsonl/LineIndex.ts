import type { ChunkId } from "docsluice/DocumentChunk"
import type { DocumentId } from "docsluice/SourceFile"

/** Place of a chunk's line, in bytes; `length` includes its line feed. Offsets change when the file is rewritten. */
export interface Place {
  readonly documentId: DocumentId
  offset: number
  readonly length: number
}

/** Which lines of a file count: ids, documents and places of all chunks, never their texts. */
export interface LineIndex {
  readonly places: Map<ChunkId, Place>
  readonly documents: Map<DocumentId, Set<ChunkId>>
}

export const empty = (): LineIndex => ({ places: new Map(), documents: new Map() })

/** Adds a line, which supersedes the one with the same id. */
export const add = (index: LineIndex, id: ChunkId, place: Place): void => {
  remove(index, id)
  index.places.set(id, place)
  const ids = index.documents.get(place.documentId)
  if (ids === undefined) index.documents.set(place.documentId, new Set([id]))
  else ids.add(id)
}

export const remove = (index: LineIndex, id: ChunkId): void => {
  const place = index.places.get(id)
  if (place === undefined) return
  index.places.delete(id)
  const ids = index.documents.get(place.documentId)
  ids?.delete(id)
  if (ids?.size === 0) index.documents.delete(place.documentId)
}

/** All places, in the order of the file. */
export const inOrder = (index: LineIndex): ReadonlyArray<Place> =>
  [...index.places.values()].toSorted((left, right) => left.offset - right.offset)
