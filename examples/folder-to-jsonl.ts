// Streams every document below examples/documents into chunks.jsonl: discover, parse (in this process: no key, no network),
// split, store.
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import * as AutoChunker from "docsluice/AutoChunker"
import { ChunkSink } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as Tokenizer from "docsluice/Tokenizer"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const summary = yield* Pipeline.run({
    source: Discovery.discover({ root: "examples/documents" }),
    chunker: AutoChunker.make({ maxTokens: 256 }),
    sinks: [yield* ChunkSink],
    concurrency: 8
  })
  yield* Console.log(`${summary.stored} stored, ${summary.failed} failed, ${summary.chunks.added} chunks`)
})

const live = Layer.mergeAll(
  Parser.layer().pipe(Layer.provide(Embedded.layer())),
  Tokenizer.layer("o200k_base"),
  Jsonl.layer({ file: "chunks.jsonl" }),
  DeadLetter.layerMemory
).pipe(Layer.provide(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, live))
