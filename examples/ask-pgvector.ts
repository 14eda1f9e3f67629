// Stores documents in PostgreSQL with pgvector and searches them; a second run parses nothing. The database's address comes from
// the environment: DATABASE_URL=postgres://user:password@localhost/rag
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import * as AutoChunker from "docsluice/AutoChunker"
import * as Chunker from "docsluice/Chunker"
import { ChunkSink } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Embedder from "docsluice/Embedder"
import * as Ledger from "docsluice/Ledger"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as PgVector from "docsluice/sinks/PgVector"
import * as Tokenizer from "docsluice/Tokenizer"
import { Config, Console, Effect, Layer } from "effect"

const question = process.argv[2] ?? "Why is North Quay under repair?"
const documents: Discovery.Options = { root: "examples/documents" }
const state = ".docsluice-pgvector"
/** Offline and lexical; `Embedder.layerOpenAi` uses a model instead. */
const embedder = Embedder.hash

const program = Effect.gen(function* () {
  const sink = yield* ChunkSink
  const { fromCache, parsed, stored, unchanged } = yield* Pipeline.run({
    source: Discovery.discover(documents),
    chunker: AutoChunker.make({ maxTokens: 256 }),
    embedder,
    sinks: [sink],
    ledger: { ledger: yield* Ledger.Ledger, scope: Discovery.scope(documents), mode: "sync" }
  })
  yield* Console.log(`${stored} stored (${parsed} parsed, ${fromCache} from the cache), ${unchanged} unchanged`)
  const vector = (yield* embedder.embedQuery(question)) ?? undefined
  const hits = sink.search === undefined ? [] : yield* sink.search({ text: question, vector, limit: 3 })
  for (const { chunk, score } of hits) {
    yield* Console.log(`${score.toFixed(4)} ${chunk.source}, page ${chunk.pages.join("-") || "none"}: ${chunk.text}`)
  }
})

const database = Layer.unwrapEffect(Effect.map(Config.redacted("DATABASE_URL"), (url) => PgVector.layer({ url })))

const parser = Layer.unwrapEffect(Effect.map(Chunker.parseOptions("auto"), (options) => Parser.layerCached(options)))

const live = Layer.mergeAll(
  parser.pipe(Layer.provide([Embedded.layer(), ParseCache.layer({ directory: `${state}/cache` })])),
  database,
  Ledger.layer({ directory: state }),
  Tokenizer.layer("o200k_base"),
  DeadLetter.layer(`${state}/dead-letter.jsonl`)
).pipe(Layer.provide(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, live))
