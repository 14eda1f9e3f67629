/** One run of the library over HTTP into pgvector, with vectors from a server and all state on disk. Imports modules: children load it. */
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Ledger from "docsluice/Ledger"
import type { Summary } from "docsluice/Outcome"
import * as ParseCache from "docsluice/ParseCache"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as PgVector from "docsluice/sinks/PgVector"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as EmbeddingServer from "./embeddingServer.ts"
import { chunker, tokenizer } from "./run.ts"
import * as Site from "./site.ts"

export interface Given {
  /** Base address of the service. */
  readonly base: string
  /** Address of the embedding server. */
  readonly embedding: string
  /** Address of the database. */
  readonly url: string
  readonly concurrency: number
  /** Prefix before each text; another prefix makes another embedder. */
  readonly prefix: string
  /** Put around the embedder. */
  readonly embedder?: (own: Embedder.Embedder.Service) => Embedder.Embedder.Service
}

const layers = (site: Site.Site, { base, concurrency, embedding, prefix }: Given) =>
  Layer.mergeAll(
    Ledger.layer({ directory: Site.state(site) }),
    tokenizer,
    DeadLetter.layer(join(Site.state(site), "dead-letter.jsonl")),
    Layer.unwrapScoped(
      Effect.map(EmbeddingCache.make({ directory: join(Site.state(site), "embeddings") }), (cache) =>
        Embedder.layerFunction("hash over a socket", EmbeddingServer.ask(embedding), {
          dimensions: EmbeddingServer.dimensions,
          batchSize: 32,
          concurrency: 4,
          prefix: { document: prefix },
          cache
        })
      )
    ),
    Parser.layer().pipe(
      Layer.provide(
        Layer.merge(
          Client.layer({ baseUrl: base }).pipe(
            Layer.provide([RequestGate.layer({ concurrency }), UndiciHttpClient.layer()])
          ),
          ParseCache.layer({ directory: join(Site.state(site), "cache") })
        )
      )
    )
  )

/** Mode sync; a sink that is away for a moment is tried again. */
export const run = (site: Site.Site, given: Given): Effect.Effect<Summary, unknown> =>
  Effect.gen(function* () {
    const { concurrency, embedder = (own) => own, url } = given
    return yield* Pipeline.run({
      source: Discovery.folder({ root: site.docs }),
      chunker,
      embedder: embedder(yield* Embedder.Embedder),
      sinks: [yield* PgVector.make({ url })],
      sinkRetry: { base: "20 millis" },
      concurrency,
      state: { mode: "sync" }
    })
  }).pipe(Effect.scoped, Effect.provide(layers(site, given)), Effect.provide(NodeContext.layer))
