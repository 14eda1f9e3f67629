// Every document into two stores, a database and a file of JSON lines. A document comes out once both have it.
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { AutoChunker, Chunker, ChunkSink, Discovery, Embedded, Parser, Tokenizer } from "docsluice"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import { Console, Effect, Layer, Stream } from "effect"

const chunker = AutoChunker.make({ maxTokens: 256 })

/** Holds at most 10 documents, whichever store is the slower one. */
export const pipeline = <E, R>(found: Stream.Stream<Discovery.Found, E, R>, both: ChunkSink.ChunkSink.Service) =>
  found.pipe(
    Parser.parseAll({ concurrency: 2, chunker }),
    Chunker.chunkAll({ chunker }),
    ChunkSink.store(both, { concurrency: 4 })
  )

const program = Effect.gen(function* () {
  const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
  const database = yield* LibSql.make({ file: `${folder}/chunks.db` })
  const lines = yield* Jsonl.make({ file: `${folder}/chunks.jsonl` })
  const found = Discovery.discover({ root: "examples/documents", patterns: ["*.{html,rtf}"] })
  yield* Stream.runDrain(pipeline(found, ChunkSink.tee(database, lines)))
  for (const { list = Stream.empty, name } of [database, lines]) {
    yield* Console.log(`${name}: ${yield* Stream.runCount(list)} chunks`)
  }
})

const live = Layer.merge(Layer.provide(Parser.layer(), Embedded.layer()), Tokenizer.layer("o200k_base"))

if (process.argv[1] === import.meta.filename) {
  NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(live), Effect.provide(NodeContext.layer)))
}
