import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import { DocumentId } from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Redacted } from "effect"
import type { EmbeddingServer } from "./server.ts"

export const key = "sk-0123456789abcdef"

export const chunk = (text: string, index = 0, document = "a.md"): DocumentChunk =>
  new DocumentChunk({
    id: ChunkId.make(`${document}-${index}`),
    documentId: DocumentId.make(`root/${document}`),
    source: document,
    index,
    text,
    embedText: text,
    tokens: Math.ceil(text.length / 4),
    start: 0,
    end: text.length,
    pages: [],
    boxes: [],
    headingPath: [],
    kinds: ["paragraph"],
    blockIds: [],
    notes: [],
    metadata: {}
  })

export const chunks = (...texts: ReadonlyArray<string>): ReadonlyArray<DocumentChunk> =>
  texts.map((text, index) => chunk(text, index))

export const vectors = (embedded: ReadonlyArray<DocumentChunk>): ReadonlyArray<ReadonlyArray<number>> =>
  embedded.map(({ embedding = [] }) => Array.from(embedding))

/** The embedder over real sockets, impatient, with a cache of its own unless one is given. */
export const live = (
  server: EmbeddingServer,
  options: Partial<Parameters<typeof Embedder.layerOpenAi>[0]> = {},
  cache: Layer.Layer<EmbeddingCache.EmbeddingCache> = EmbeddingCache.layerMemory()
): Layer.Layer<Embedder.Embedder> =>
  Embedder.layerOpenAi({
    model: "test-model",
    baseUrl: server.base,
    apiKey: Redacted.make(key),
    retry: { base: "1 millis" },
    delay: "1 millis",
    ...options
  }).pipe(Layer.provide([UndiciHttpClient.layer(), cache]), Layer.orDie)

export const withEmbedder = <A, E, R>(
  layer: Layer.Layer<Embedder.Embedder>,
  use: (embedder: Embedder.Embedder.Service) => Effect.Effect<A, E, R>
) => Effect.provide(Effect.flatMap(Embedder.Embedder, use), layer)
