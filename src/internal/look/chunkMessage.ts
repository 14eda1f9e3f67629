/** A chunk as the page gets it. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type * as Messages from "./messages.ts"

export const chunkMessage = (chunk: DocumentChunk): Messages.Chunk => ({
  id: chunk.id,
  index: chunk.index,
  start: chunk.start,
  end: chunk.end,
  text: chunk.text,
  embedText: chunk.embedText,
  tokens: chunk.tokens,
  headingPath: chunk.headingPath,
  kinds: chunk.kinds,
  notes: chunk.notes,
  boxes: chunk.boxes,
  blockIds: chunk.blockIds,
  pages: chunk.pages
})
