import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as flat from "./flatMetadata.ts"

/**
 * Bytes of a chunk as `ChunkSink.Limits` counts them: UTF-8 of its texts and names, 4 for each vector component, and 16
 * for each number in a list.
 */
export const chunkBytes = (chunk: DocumentChunk): number => {
  let bytes =
    utf8(chunk.id) + utf8(chunk.documentId) + utf8(chunk.source) + utf8(chunk.text) + utf8(chunk.embedText) + 64
  for (const heading of chunk.headingPath) bytes += utf8(heading.text) + 16
  for (const list of [chunk.kinds, chunk.blockIds, chunk.notes]) {
    for (const text of list) bytes += utf8(text)
  }
  for (const key in chunk.metadata) {
    const value = chunk.metadata[key]
    bytes += utf8(key)
    if (typeof value === "string") bytes += utf8(value)
    else if (typeof value === "object") for (const text of value) bytes += utf8(text)
    else bytes += 16
  }
  return bytes + 16 * chunk.pages.length + 80 * chunk.boxes.length + 4 * (chunk.embedding?.length ?? 0)
}

const utf8 = (text: string): number => Buffer.byteLength(text, "utf8")

/** Cuts a batch, in order, into parts of at most `maxCount` items and `maxBytes` bytes; a single item may exceed `maxBytes`. */
export const cut = <A extends DocumentChunk | string>(
  items: ReadonlyArray<A>,
  maxCount: number,
  maxBytes: number
): ReadonlyArray<ReadonlyArray<A>> => {
  if (items.length === 0) return []
  const parts: Array<ReadonlyArray<A>> = []
  let from = 0
  let bytes = 0
  for (const [at, item] of items.entries()) {
    const size = maxBytes === Infinity || typeof item === "string" ? 0 : chunkBytes(item)
    if (at > from && (at - from >= maxCount || bytes + size > maxBytes)) {
      parts.push(items.slice(from, at))
      from = at
      bytes = 0
    }
    bytes += size
  }
  parts.push(from === 0 ? items : items.slice(from))
  return parts
}

/** Reason why no store can hold the chunk, in words that begin with the member; null when all can. */
export const unstorable = (chunk: DocumentChunk): string | null => {
  for (const component of chunk.embedding ?? []) if (!Number.isFinite(component)) return notFinite("embedding")
  if (!chunk.boxes.every((box) => box.bbox.every(Number.isFinite))) return notFinite("boxes")
  const problem = flat.problemOf(chunk.metadata)
  if (problem !== null) return flat.inWords(problem)
  for (const key in chunk.metadata) {
    const value = chunk.metadata[key]
    if (typeof value === "number" && !Number.isFinite(value)) return notFinite(`metadata.${key}`)
  }
  return null
}

const notFinite = (member: string): string => `${member} holds a number that is not finite`

/** Items with each id once: the last one, at its place. */
export const distinct = (chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<DocumentChunk> => {
  const byId = new Map<string, DocumentChunk>()
  for (const chunk of chunks) {
    byId.delete(chunk.id)
    byId.set(chunk.id, chunk)
  }
  return byId.size === chunks.length ? chunks : [...byId.values()]
}
