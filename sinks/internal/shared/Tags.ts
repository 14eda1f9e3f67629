import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as ChunkRecord from "./ChunkRecord.ts"

/** A metadata member as a tag: `%` and `=` of the key are percent-encoded, so that the first `=` ends it. */
export const tag = (key: string, value: string): string =>
  ChunkRecord.plain(`${key.replaceAll("%", "%25").replaceAll("=", "%3D")}=${value}`)

/** A tag for each member of the chunk's metadata, and for each item of one that is a list. */
export const ofChunk = (chunk: DocumentChunk): Array<string> => {
  const all: Array<string> = []
  for (const key in chunk.metadata) {
    const value = chunk.metadata[key]
    if (typeof value === "object") for (const item of value) all.push(tag(key, item))
    else all.push(tag(key, String(value)))
  }
  return all
}
