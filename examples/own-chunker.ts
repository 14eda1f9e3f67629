// A chunker of one's own: one chunk a paragraph, with ids that name their content.
import { NodeRuntime } from "@effect/platform-node"
import type { Chunker } from "docsluice/Chunker"
import * as Discovery from "docsluice/Discovery"
import * as DocumentChunk from "docsluice/DocumentChunk"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
import * as Tokenizer from "docsluice/Tokenizer"
import { Console, Effect, Layer } from "effect"

const paragraphs = { name: "paragraphs", configuration: "{}" } as const

/** To be given to `Pipeline.run` as `chunker`. Without `needs` it gets Markdown. */
const byParagraph: Chunker = {
  ...paragraphs,
  chunk: (document) =>
    Effect.map(Tokenizer.Tokenizer, (tokenizer) => ({
      chunks: [...document.markdown.matchAll(/\S(?:[^\n]|\n(?!\s*\n))*/g)].map(({ 0: text, index: start }, index) =>
        DocumentChunk.fromSpan(document, { index, start, end: start + text.length }, { ...paragraphs, tokenizer })
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
