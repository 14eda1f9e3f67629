// Sends the spans and metrics of a run to an OpenTelemetry collector, as JSON over HTTP. Needs @effect/opentelemetry, and a collector:
// `docker run -p 4318:4318 otel/opentelemetry-collector`. The names are those of docsluice/Telemetry.
import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { AutoChunker, DeadLetter, Discovery, Embedded, Embedder, Parser, Pipeline, Tokenizer } from "docsluice"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { Console, Effect, Layer, Logger } from "effect"

const program = Effect.gen(function* () {
  const summary = yield* Pipeline.run({
    source: Discovery.folder({ root: "examples/documents" }),
    chunker: AutoChunker.make({ maxTokens: 256 }),
    embedder: Embedder.hash,
    sinks: [yield* Jsonl.make({ file: "traced.jsonl" })]
  })
  yield* Console.log(`${summary.stored} stored, spans and metrics sent`)
})

const collector = Otlp.layerJson({
  baseUrl: process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "http://localhost:4318",
  resource: { serviceName: "docsluice-example" },
  replaceLogger: Logger.defaultLogger
})

const live = Layer.mergeAll(
  Layer.provide(Parser.layer(), Embedded.layer()),
  Tokenizer.layer("o200k_base"),
  DeadLetter.layerMemory,
  Layer.provide(collector, FetchHttpClient.layer)
)

NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(live), Effect.provide(NodeContext.layer)))
