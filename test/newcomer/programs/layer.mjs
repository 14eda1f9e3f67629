// The same as an Effect program, with a search that cites its source.
import assert from "node:assert/strict"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { AutoChunker, Discovery, Embedded, Embedder, Parser, Pipeline, State, Tokenizer } from "docsluice"
import * as LibSql from "docsluice/sinks/LibSql"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function* () {
  const store = yield* LibSql.make({ file: "store.db" })
  const summary = yield* Pipeline.run({
    source: Discovery.folder({ root: "docs" }),
    chunker: AutoChunker.make(),
    embedder: Embedder.hash,
    sinks: [store],
    state: { mode: "sync" }
  })
  assert.equal(summary.stored, 9)
  const [hit] = yield* store.search({ text: "how often is the gauge cleaned", limit: 1 })
  assert.match(hit.chunk.source, /\w/)
  yield* Console.log("ok")
})
const parser = Layer.provide(Parser.layer(), Embedded.layer())
const live = Layer.mergeAll(parser, Tokenizer.layer("o200k_base"), State.layer(".docsluice"))
NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(live), Effect.provide(NodeContext.layer)))
