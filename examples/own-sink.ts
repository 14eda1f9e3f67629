// Stores documents in a sink of your own, the one of map-sink.ts.
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import * as AutoChunker from "docsluice/AutoChunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as Tokenizer from "docsluice/Tokenizer"
import { Console, Effect, Layer } from "effect"
import * as MapSink from "./map-sink.ts"

const program = Effect.gen(function* () {
  const store = new Map<string, DocumentChunk>()
  yield* Pipeline.run({
    source: Discovery.folder({ root: "examples/documents", patterns: ["*.{csv,html}"] }),
    chunker: AutoChunker.make(),
    sinks: [yield* MapSink.make(store)]
  })
  for (const chunk of store.values()) yield* Console.log(chunk.source, chunk.tokens, chunk.headingPath.length)
})

const live = Layer.mergeAll(
  Parser.layer().pipe(Layer.provide(Embedded.layer())),
  Tokenizer.layer("o200k_base"),
  DeadLetter.layerMemory
).pipe(Layer.provide(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, live))
