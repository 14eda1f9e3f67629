import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as ChunkRecord from "./ChunkRecord.ts"

/** Metadata values that flat stores accept: no objects, no null, no empty list. */
export type Value = string | number | boolean | Array<string> | Array<number>

/** A chunk for a store that keeps a text and flat metadata. */
export interface FlatChunk {
  readonly text: string
  readonly metadata: Record<string, Value>
}

/** Member that holds the rest of the chunk as JSON. */
export const recordKey = "docsluice"

/** Keys of the sink, and one that clients of stores lose when they copy an object. */
const own: ReadonlySet<string> = new Set([
  recordKey,
  "document_id",
  "source",
  "chunk_index",
  "pages",
  "headings",
  "__proto__"
])

/**
 * The key under which a member of a chunk's metadata is stored: its own, or prefixed with `docsluice:` when its own is one of the
 * sink's keys or `__proto__`, is empty, begins with `#`, `$`, `chroma` or `docsluice:`, or cannot be stored as it is.
 */
export const key = (member: string): string => {
  const plain = ChunkRecord.plain(member)
  return plain === member && !own.has(member) && /^(?!#|\$|chroma|docsluice:)./su.test(member)
    ? member
    : `docsluice:${plain}`
}

/**
 * The chunk's text, or its `embedText`, and as metadata: `docsluice` (the record, from which the chunk is read back exactly),
 * `document_id`, `source`, `chunk_index`, `pages` and `headings` if there are any, and each member of its metadata that is not an
 * empty list.
 */
export const flatten = (chunk: DocumentChunk, body: "text" | "embedText" = "text"): FlatChunk => {
  const { text, record } = ChunkRecord.encode(chunk, body)
  const metadata: Record<string, Value> = {
    [recordKey]: record,
    document_id: ChunkRecord.plain(chunk.documentId),
    source: ChunkRecord.plain(chunk.source),
    chunk_index: chunk.index
  }
  if (chunk.pages.length > 0) metadata["pages"] = [...chunk.pages]
  if (chunk.headingPath.length > 0) metadata["headings"] = chunk.headingPath.map(({ text }) => ChunkRecord.plain(text))
  const members = Object.entries(chunk.metadata).flatMap(([member, value]): ReadonlyArray<readonly [string, Value]> =>
    typeof value !== "object"
      ? [[key(member), typeof value === "string" ? ChunkRecord.plain(value) : value]]
      : value.length > 0
        ? [[key(member), value.map(ChunkRecord.plain)]]
        : []
  )
  return { text, metadata: { ...metadata, ...Object.fromEntries(members) } }
}
