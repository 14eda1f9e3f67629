import { assert, describe, it } from "@effect/vitest"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import { Schema } from "effect"
import { LineIndex } from "../../sinks/internal/jsonl/LineIndex.ts"

/** A line that is added, or one that is removed; few names, so that they meet. */
const Change = Schema.Struct({
  adds: Schema.Boolean,
  chunk: Schema.Int.pipe(Schema.between(0, 7)),
  document: Schema.Int.pipe(Schema.between(0, 2))
})

describe("LineIndex", () => {
  it.prop(
    "holds the last line of each id, and the ids of each document, after any additions and removals",
    [Schema.Array(Change).pipe(Schema.maxItems(40))],
    ([changes]) => {
      const index = new LineIndex()
      const model = new Map<ChunkId, { readonly documentId: DocumentId; readonly offset: number }>()
      changes.forEach(({ adds, chunk, document }, offset) => {
        const id = ChunkId.make(`chunk-${chunk}`)
        const documentId = DocumentId.make(`root/${document}`)
        if (adds) {
          index.add(id, documentId, offset, 1)
          model.set(id, { documentId, offset })
        } else {
          index.remove(id)
          model.delete(id)
        }
      })
      assert.deepEqual(
        index.inOrder().map(({ documentId, id, offset }) => ({ documentId, id, offset })),
        [...model]
          .map(([id, { documentId, offset }]) => ({ documentId, id, offset }))
          .toSorted((left, right) => left.offset - right.offset)
      )
      for (const documentId of [0, 1, 2].map((document) => DocumentId.make(`root/${document}`))) {
        const ids = [...model].filter(([, place]) => place.documentId === documentId).map(([id]) => id)
        assert.sameMembers([...index.idsOf(documentId)], ids)
        assert.strictEqual(index.hasDocument(documentId), ids.length > 0)
      }
    }
  )
})
