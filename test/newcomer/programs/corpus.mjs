// The same as an Effect layer.
import assert from "node:assert/strict"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Corpus, SourceFile } from "docsluice"
import { Console, Effect } from "effect"

const program = Effect.gen(function* () {
  const docs = yield* Corpus.Corpus
  const { stored } = yield* docs.ingest("docs")
  assert.equal(stored, 9)
  const [hit] = yield* docs.search("how often is the gauge cleaned", { limit: 3 })
  assert.match(hit.citation.label, /\w+\.\w+, /)

  const bytes = new TextEncoder().encode("<h1>Spare parts</h1><p>Zinc anodes are kept in the boathouse.</p>")
  yield* docs.add(SourceFile.fromBytes({ root: "uploads", path: "parts.html", bytes }))
  const { chunks } = yield* docs.remove("parts.html")
  assert.equal(chunks, 1)
  yield* Console.log("ok")
})
const corpus = Corpus.layer({ to: "libsql:store.db", embedder: "hash", state: ".docsluice" })
NodeRuntime.runMain(program.pipe(Effect.provide(corpus), Effect.provide(NodeContext.layer)))
