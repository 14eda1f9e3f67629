/** Dialects of servers of embeddings: what each of them answers, and the embedder that asks it. */
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Layer, Redacted } from "effect"
import { key } from "./chunks.ts"
import * as server from "./server.ts"

/** A vector of an answer; `index` where the dialect has one. */
export interface Item {
  readonly index?: number | null
  readonly embedding: unknown
}

type Options = Partial<Embedder.Options & Pick<Embedder.OpenAiOptions, "timeout" | "apiKey">>

export interface Dialect {
  readonly name: string
  readonly ok: (items: ReadonlyArray<Item>) => server.Reaction
  readonly error: (
    status: number,
    message: string,
    headers?: Readonly<Record<string, string>>,
    more?: object
  ) => server.Reaction
  /** True where answers hold an `index`, and vectors may come in base64. */
  readonly indexed: boolean
  /** Impatient, with a cache of its own unless one is given. */
  readonly live: (
    running: server.EmbeddingServer,
    options?: Options,
    cache?: Layer.Layer<EmbeddingCache.EmbeddingCache>
  ) => Layer.Layer<Embedder.Embedder>
}

const common = { apiKey: Redacted.make(key), retry: { base: "1 millis" }, delay: "1 millis" } as const

const live =
  (
    layer: (
      running: server.EmbeddingServer,
      options: Options
    ) => ReturnType<typeof Embedder.layerOpenAi | typeof Embedder.layerCohere>
  ): Dialect["live"] =>
  (running, options = {}, cache = EmbeddingCache.layerMemory()) =>
    layer(running, options).pipe(Layer.provide([UndiciHttpClient.layer(), cache]), Layer.orDie)

export const openAi: Dialect = {
  name: "OpenAI",
  ok: server.ok,
  error: server.error,
  indexed: true,
  live: live(({ base }, options) => Embedder.layerOpenAi({ model: "test-model", baseUrl: base, ...common, ...options }))
}

export const voyage: Dialect = {
  name: "Voyage",
  ok: server.ok,
  error: (status, detail, headers = {}, more = {}) => ({ status, headers, body: { detail, ...more } }),
  indexed: true,
  live: live(({ base }, options) => Embedder.layerVoyage({ model: "voyage-3.5", baseUrl: base, ...common, ...options }))
}

export const cohere: Dialect = {
  name: "Cohere",
  ok: (items) => server.cohere(items.map(({ embedding }) => embedding)),
  error: (status, message, headers = {}, more = {}) => ({ status, headers, body: { id: "1", message, ...more } }),
  indexed: false,
  live: live(({ origin }, options) =>
    Embedder.layerCohere({ model: "embed-v4.0", baseUrl: origin, ...common, ...options })
  )
}
