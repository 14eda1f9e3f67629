// loads sets and dumps {name, chunks:[{source,text,headings,title,language,pages,tokens}], questions}
import { writeFileSync } from "node:fs"
import { NodeContext } from "@effect/platform-node"
import * as AutoChunker from "docsluice/AutoChunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as PageChunker from "docsluice/PageChunker"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer } from "effect"
import * as Sets from "./bench/find/sets.ts"
const sets = Sets.read("/work/shared/retrieval", 1190)
const parsed = (folder: string, chunker: any) => Effect.gen(function* () {
  const store = MemorySink.emptyStore()
  const sink = yield* MemorySink.make(store)
  yield* Pipeline.run({ source: Discovery.discover({ root: folder }), chunker, sinks: [sink] })
  return [...store.chunks.values()]
})
const layers = Layer.mergeAll(Parser.layer().pipe(Layer.provide([Embedded.layer(), ParseCache.layer({ directory: "/tmp/rank/cache" })])), Tokenizer.layer("o200k_base"), DeadLetter.layerMemory)
const slim = (c: any) => ({ source: c.source, text: c.text, headings: c.headingPath, metadata: c.metadata, pages: c.pages, tokens: c.tokens })
const go = Effect.gen(function* () {
  for (const set of sets) {
    if ("chunks" in set.documents) { writeFileSync(`/tmp/rank/${set.name.replaceAll(" ", "-")}.json`, JSON.stringify({ name: set.name, chunks: set.documents.chunks.map(slim), questions: set.questions })); continue }
    const pages = yield* parsed(set.documents.folder, PageChunker.make({ maxTokens: 1_000_000 }))
    const questions = set.documents.questions(pages)
    for (const size of [128, 256, 512]) {
      const chunks = yield* parsed(set.documents.folder, AutoChunker.make({ maxTokens: size }))
      writeFileSync(`/tmp/rank/${set.name}-${size}.json`, JSON.stringify({ name: `${set.name}-${size}`, chunks: chunks.map(slim), questions }))
      console.log(set.name, size, chunks.length, questions.length)
    }
  }
})
await Effect.runPromise(go.pipe(Effect.scoped, Effect.provide(layers), Effect.provide(NodeContext.layer)) as any)
