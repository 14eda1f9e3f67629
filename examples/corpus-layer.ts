// One handle as an Effect layer: ingest a folder, ask it, add an upload, remove it.
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Corpus, SourceFile } from "docsluice"
import { Console, Effect } from "effect"

const program = Effect.gen(function* () {
  const docs = yield* Corpus.Corpus

  const { stored, unchanged } = yield* docs.ingest({ root: "examples/documents", patterns: ["*.{html,csv,docx}"] })
  yield* Console.log(`${stored} stored, ${unchanged} unchanged`)

  const hits = yield* docs.search("Which station is under repair?", { limit: 3 })
  for (const { citation, score } of hits) yield* Console.log(score.toFixed(3), citation.label)

  const bytes = new TextEncoder().encode("<h1>Spare parts</h1><p>Zinc anodes are kept in the boathouse.</p>")
  const { _tag } = yield* docs.add(SourceFile.fromBytes({ root: "uploads", path: "parts.html", bytes }))
  const { chunks } = yield* docs.remove("parts.html")
  yield* Console.log(`${_tag}, ${chunks} chunk removed`)
}).pipe(Effect.catchTag("SearchError", ({ message }) => Console.error(message)))

const corpus = Corpus.layer({ to: "libsql:layer.db", state: "layer-state" })
NodeRuntime.runMain(program.pipe(Effect.provide(corpus), Effect.provide(NodeContext.layer)))
