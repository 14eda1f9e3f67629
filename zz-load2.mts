import { readFileSync, writeFileSync, mkdirSync, cpSync } from "node:fs"
import { dirname } from "node:path"
import { NodeContext } from "@effect/platform-node"
import * as AutoChunker from "docsluice/AutoChunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer } from "effect"
const files = readFileSync("/work/wt/packages-set/files.txt", "utf8").trim().split("\n")
for (const f of files) { mkdirSync(dirname(`/tmp/rank/packages/${f}`), { recursive: true }); cpSync(`/work/main/node_modules/${f}`, `/tmp/rank/packages/${f}`) }
const questions = readFileSync("/work/wt/packages-set/questions.jsonl", "utf8").trim().split("\n").map((l) => JSON.parse(l))
const parsed = (folder: string, chunker: any) => Effect.gen(function* () {
  const store = MemorySink.emptyStore()
  const sink = yield* MemorySink.make(store)
  yield* Pipeline.run({ source: Discovery.discover({ root: folder }), chunker, sinks: [sink] })
  return [...store.chunks.values()]
})
const layers = Layer.mergeAll(Parser.layer().pipe(Layer.provide([Embedded.layer(), ParseCache.layer({ directory: "/tmp/rank/cache" })])), Tokenizer.layer("o200k_base"), DeadLetter.layerMemory)
const slim = (c: any) => ({ source: c.source, text: c.text, headings: c.headingPath, metadata: c.metadata, pages: c.pages, tokens: c.tokens })
await Effect.runPromise(Effect.gen(function* () {
  for (const size of [64, 128, 192, 256, 384, 512]) {
    const chunks = yield* parsed("/tmp/rank/packages", AutoChunker.make({ maxTokens: size }))
    writeFileSync(`/tmp/rank/packages-${size}.json`, JSON.stringify({ name: `packages-${size}`, chunks: chunks.map(slim), questions }))
    console.log(size, chunks.length, new Set(chunks.map((c) => c.source)).size)
  }
}).pipe(Effect.scoped, Effect.provide(layers), Effect.provide(NodeContext.layer)) as any)
