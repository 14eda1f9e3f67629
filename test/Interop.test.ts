import { assert, describe, it } from "@effect/vitest"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Interop from "docsluice/Interop"
import { DocumentId } from "docsluice/SourceFile"

const chunk = new DocumentChunk({
  id: ChunkId.make("c1"),
  documentId: DocumentId.make("root/a.pdf"),
  source: "a.pdf",
  index: 0,
  text: "text",
  embedText: "A\n\ntext",
  tokens: 3,
  start: 5,
  end: 9,
  pages: [2, 3],
  boxes: [],
  headingPath: [{ depth: 1, text: "A" }],
  kinds: ["paragraph"],
  blockIds: [],
  parentId: ChunkId.make("p1"),
  notes: [],
  metadata: { title: "T" },
  embedding: [0.5, 1]
})

const citation = {
  title: "T",
  documentId: "root/a.pdf",
  source: "a.pdf",
  pages: [2, 3],
  start: 5,
  end: 9,
  headings: ["A"]
}

describe("Interop", () => {
  it("a LangChain document has its first page in loc", () => {
    assert.deepStrictEqual(Interop.toLangChainDocument(chunk), {
      id: "c1",
      pageContent: "text",
      metadata: { ...citation, loc: { pageNumber: 2 } }
    })
  })

  it("a LlamaIndex node has offsets, page label, source and parent", () => {
    const node = Interop.toLlamaNode(chunk, { content: "embedText" })
    assert.strictEqual(node.text, "A\n\ntext")
    assert.strictEqual(node.startCharIdx, 5)
    assert.strictEqual(node.metadata.page_label, "2")
    assert.strictEqual(node.relationships.SOURCE.nodeId, "root/a.pdf")
    assert.strictEqual(node.relationships.PARENT?.nodeId, "p1")
  })

  it("Mastra's vectors, ids and metadata have the same order, and chunks without an embedding are left out", () => {
    const { embedding: _embedding, ...bare } = chunk
    assert.deepStrictEqual(Interop.toMastraVectors([chunk, new DocumentChunk({ ...bare, id: ChunkId.make("c2") })]), {
      ids: ["c1"],
      vectors: [[0.5, 1]],
      metadata: [{ text: "text", ...citation }]
    })
  })
})
