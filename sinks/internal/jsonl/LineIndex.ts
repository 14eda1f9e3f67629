import type { ChunkId } from "docsluice/DocumentChunk"
import type { DocumentId } from "docsluice/SourceFile"

/** Place of a chunk's line, in bytes; `length` includes its line feed. Offsets change when the file is rewritten. */
export interface Place {
  readonly id: ChunkId
  readonly documentId: DocumentId
  offset: number
  readonly length: number
}

/** A place and its neighbours of the same document. A set of ids for each document would take more than the places themselves. */
interface Linked extends Place {
  previous: Linked | null
  next: Linked | null
}

/** Ids, documents and places of the lines of a file that count, never their texts: some 200 bytes for each chunk. */
export class LineIndex {
  private readonly byId = new Map<ChunkId, Linked>()
  /** Last place of each document. */
  private readonly last = new Map<DocumentId, Linked>()

  has(id: ChunkId): boolean {
    return this.byId.has(id)
  }

  get(id: ChunkId): Place | undefined {
    return this.byId.get(id)
  }

  hasDocument(documentId: DocumentId): boolean {
    return this.last.has(documentId)
  }

  /** All places, in the order in which they were added. */
  places(): Iterable<Place> {
    return this.byId.values()
  }

  /** All places, in the order of the file. */
  inOrder(): ReadonlyArray<Place> {
    return [...this.byId.values()].toSorted((left, right) => left.offset - right.offset)
  }

  /** Ids of a document's chunks. */
  idsOf(documentId: DocumentId): ReadonlyArray<ChunkId> {
    const ids: Array<ChunkId> = []
    for (let place = this.last.get(documentId) ?? null; place !== null; place = place.previous) ids.push(place.id)
    return ids
  }

  /** Adds a line, which supersedes the one with the same id. */
  add(id: ChunkId, documentId: DocumentId, offset: number, length: number): void {
    this.remove(id)
    const previous = this.last.get(documentId) ?? null
    // One string for all chunks of a document.
    const place: Linked = { id, documentId: previous?.documentId ?? documentId, offset, length, previous, next: null }
    if (previous !== null) previous.next = place
    this.byId.set(id, place)
    this.last.set(place.documentId, place)
  }

  remove(id: ChunkId): void {
    const place = this.byId.get(id)
    if (place === undefined) return
    this.byId.delete(id)
    const { documentId, next, previous } = place
    if (previous !== null) previous.next = next
    if (next !== null) next.previous = previous
    else if (previous === null) this.last.delete(documentId)
    else this.last.set(documentId, previous)
  }
}
