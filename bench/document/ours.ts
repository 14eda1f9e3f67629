/** The whole road of this package: ledger, cache, embedding function, a sink of one's own. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as AutoChunker from "docsluice/AutoChunker"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Discovery from "docsluice/Discovery"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as State from "docsluice/State"
import * as Tokenizer from "docsluice/Tokenizer"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Option, Redacted } from "effect"
import { markdownOf } from "./pages.ts"
import { chunkTokens, type Contender, dimensions, embedding, type Task } from "./task.ts"

const embedder = Layer.unwrapEffect(
  Effect.map(EmbeddingCache.EmbeddingCache, (cache) =>
    Embedder.layerFunction("bench", (texts) => Promise.resolve(texts.map(embedding)), {
      cache,
      dimensions,
      normalize: false
    })
  )
)

/** Makes the documents in the process. */
const fromFiles = (task: Task) =>
  Parser.layerFunction("bench", (file) =>
    Effect.sync(() => {
      const bytes = readFileSync(join(task.folder, file.path))
      const contentHash = createHash("sha256").update(bytes).digest("hex")
      return { contentHash, markdown: markdownOf(bytes.toString()), metadata: { numPages: 1 } }
    })
  )

const asking = (task: Task) =>
  Parser.layer().pipe(
    Layer.provide(Client.layer({ baseUrl: task.base, apiKey: Redacted.make("bench") })),
    Layer.provide([RequestGate.layer({ concurrency: task.concurrency }), UndiciHttpClient.layer()])
  )

const layers = (task: Task) =>
  Layer.mergeAll(
    embedder,
    task.without.includes("parser") ? fromFiles(task) : asking(task),
    Tokenizer.layer("o200k_base")
  ).pipe(Layer.provideMerge(State.layer(task.state)), Layer.provide(NodeContext.layer))

/** Counts what it is given and keeps nothing. */
const nowhere = (name: string, count: (chunks: number) => void) =>
  ChunkSink.ChunkSink.of({
    id: `bench:${name}`,
    name: "bench",
    capabilities: { remove: true, replace: false, list: false, search: false, filter: [], stamp: true },
    limits: { maxCount: 1000, maxBytes: 1_000_000 },
    prepare: () =>
      Effect.succeed({
        ...ChunkSink.unstamped,
        storeId: Option.some(name),
        write: (chunks: ReadonlyArray<DocumentChunk>) => Effect.sync(() => count(chunks.length)),
        remove: () => Effect.void,
        finish: Effect.void
      })
  })

export const ours: Contender = () =>
  Promise.resolve((task) => {
    let written = 0
    return Effect.gen(function* () {
      const options = {
        source: Discovery.folder({ root: task.folder }),
        chunker: AutoChunker.make({ maxTokens: chunkTokens }),
        embedder: task.without.includes("embedding") ? undefined : yield* Embedder.Embedder,
        sinks: [nowhere(task.sink, (chunks) => (written += chunks))],
        concurrency: task.concurrency
      }
      const summary = yield* task.without.includes("ledger")
        ? Pipeline.run(options)
        : Pipeline.run({ ...options, state: { mode: "sync" } })
      if (summary.exit !== 0) throw new Error(JSON.stringify({ ...summary, failures: summary.failures.slice(0, 3) }))
      return { documents: summary.stored + summary.unchanged, written }
    }).pipe(Effect.scoped, Effect.provide(layers(task)), Effect.provide(NodeContext.layer), Effect.runPromise)
  })
