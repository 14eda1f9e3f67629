// Streams every document below examples/documents into chunks.jsonl: discover, parse (in this process: no key, no network), split,
// store. A second run does only what is left to do.
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { AutoChunker, Discovery, Embedded, Parser, Pipeline, State, Tokenizer } from "docsluice"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const summary = yield* Pipeline.run({
    source: Discovery.folder({ root: "examples/documents" }),
    chunker: AutoChunker.make({ maxTokens: 256 }),
    sinks: [yield* Jsonl.make({ file: "chunks.jsonl" })],
    state: { mode: "sync" }
  })
  yield* Console.log(`${summary.stored} stored, ${summary.failed} failed, ${summary.chunks.added} chunks`)
})

const live = Layer.mergeAll(
  Layer.provide(Parser.layer(), Embedded.layer()),
  Tokenizer.layer("o200k_base"),
  State.layer(".docsluice")
)

NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(live), Effect.provide(NodeContext.layer)))
