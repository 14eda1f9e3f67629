// Documents into PostgreSQL with pgvector, and a question to them; a second run parses nothing. The database's address comes from
// the environment: DATABASE_URL=postgres://user:password@localhost/rag
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import * as AutoChunker from "docsluice/AutoChunker"
import { ChunkSink } from "docsluice/ChunkSink"
import * as Discovery from "docsluice/Discovery"
import { citation } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as PgVector from "docsluice/sinks/PgVector"
import * as State from "docsluice/State"
import * as Tokenizer from "docsluice/Tokenizer"
import { Config, Console, Effect, Layer, Option } from "effect"

const question = process.argv[2] ?? "Why is North Quay under repair?"
/** Offline, and lexical: `Embedder.layerOpenAi` asks a model. */
const embedder = Embedder.hash

const program = Effect.gen(function* () {
  const sink = yield* ChunkSink
  const { fromCache, parsed, stored, unchanged } = yield* Pipeline.run({
    source: Discovery.folder({ root: "examples/documents" }),
    chunker: AutoChunker.make({ maxTokens: 256 }),
    embedder,
    sinks: [sink],
    state: { mode: "sync" }
  })
  yield* Console.log(`${stored} stored (${parsed} parsed, ${fromCache} from the cache), ${unchanged} unchanged`)
  const vector = Option.getOrUndefined(yield* embedder.embedQuery(question))
  const hits = sink.search === undefined ? [] : yield* sink.search({ text: question, vector, limit: 3 })
  for (const { chunk, score } of hits) {
    yield* Console.log(`${score.toFixed(4)} ${citation(chunk)}: ${chunk.text}`)
  }
})

const database = Layer.unwrapEffect(Effect.map(Config.redacted("DATABASE_URL"), (url) => PgVector.layer({ url })))

const live = Layer.mergeAll(
  Layer.provide(Parser.layer(), Embedded.layer()),
  database,
  Tokenizer.layer("o200k_base"),
  State.layer(".docsluice-pgvector")
).pipe(Layer.provide(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, live))
