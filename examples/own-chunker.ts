// A chunker of one's own: one chunk a paragraph, with ids that name their content.
import { createHash } from "node:crypto"
import type { Chunker } from "docsluice/Chunker"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import { Tokenizer } from "docsluice/Tokenizer"
import { Effect } from "effect"

/** To be given to `Pipeline.run` as `chunker`. */
export const byParagraph: Chunker = {
  name: "paragraphs",
  configuration: "{}",
  chunk: (document) =>
    Effect.map(Tokenizer, (tokenizer) => ({
      chunks: [...document.markdown.matchAll(/\S(?:[^\n]|\n(?!\s*\n))*/g)].map(({ 0: text, index: start }, index) =>
        DocumentChunk.make({
          id: ChunkId.make(createHash("sha256").update(`${document.documentId}\n${start}\n${text}`).digest("hex")),
          documentId: document.documentId,
          source: document.source,
          index,
          text,
          embedText: text,
          tokens: tokenizer.count(text),
          start,
          end: start + text.length,
          pages: [],
          boxes: [],
          headingPath: [],
          kinds: ["paragraph"],
          blockIds: [],
          notes: [],
          metadata: {}
        })
      ),
      unplaced: [],
      ambiguousMarkers: []
    }))
}
