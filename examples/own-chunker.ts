// A chunker of your own: one chunk per paragraph, with ids that depend on its content.
import { createHash } from "node:crypto"
import { NodeRuntime } from "@effect/platform-node"
import type { Chunker } from "docsluice/Chunker"
import * as Discovery from "docsluice/Discovery"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
import * as Tokenizer from "docsluice/Tokenizer"
import { Console, Effect, Layer } from "effect"

/** Passed to `Pipeline.run` as `chunker`. */
const byParagraph: Chunker = {
  name: "paragraphs",
  configuration: "{}",
  chunk: (document) =>
    Effect.map(Tokenizer.Tokenizer, (tokenizer) => ({
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

const program = Effect.gen(function* () {
  const document = yield* Parser.parse(yield* Discovery.file("examples/documents/visit-report.docx"))
  const { chunks } = yield* byParagraph.chunk(document)
  for (const chunk of chunks) yield* Console.log(chunk.index, chunk.tokens, chunk.text.slice(0, 60))
})

const live = Layer.merge(Parser.layer().pipe(Layer.provide(Embedded.layer())), Tokenizer.layer("o200k_base"))

NodeRuntime.runMain(Effect.provide(program, live))
