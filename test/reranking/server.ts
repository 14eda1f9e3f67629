/** A stand-in for servers that rerank, on a real socket: each dialect by its own path, body and answer. */
import type { Hit } from "docsluice/ChunkSink"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import * as Reranker from "docsluice/Reranker"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer, Redacted } from "effect"
import * as Server from "../embedding/server.ts"

export const key = "rk-0123456789abcdef"

export const paths = {
  cohere: "/v2/rerank",
  jina: "/v1/rerank",
  voyage: "/v1/rerank",
  tei: "/rerank",
  llamacpp: "/v1/rerank",
  vllm: "/v1/rerank"
} as const satisfies Record<Reranker.Kind, string>

/** The texts of a request. */
export const textsOf = ({ body }: Server.Asked): ReadonlyArray<string> => {
  const texts = body["documents"] ?? body["texts"]
  return Array.isArray(texts) ? texts.map(String) : []
}

/** Score of a text: how often it holds the word. */
export const scoreOf = (text: string, word = "gauge"): number => text.split(word).length - 1 + text.length / 1000

export interface Item {
  readonly index: number
  readonly relevance_score?: unknown
}

/** Items of a whole answer, best first, as servers give them. */
export const itemsOf = (asked: Server.Asked): ReadonlyArray<Item & { readonly relevance_score: number }> =>
  textsOf(asked)
    .map((text, index) => ({ index, relevance_score: scoreOf(text) }))
    .toSorted((left, right) => right.relevance_score - left.relevance_score)

export const results = (items: ReadonlyArray<unknown>): Server.Reaction => ({ status: 200, body: { results: items } })

/** The whole answer of a kind of server. */
export const complete =
  (kind: Reranker.Kind) =>
  (asked: Server.Asked): Server.Reaction => {
    const items = itemsOf(asked)
    if (kind === "voyage") return { status: 200, body: { object: "list", data: items, usage: { total_tokens: 1 } } }
    if (kind === "tei") {
      return { status: 200, body: items.map(({ index, relevance_score }) => ({ index, score: relevance_score })) }
    }
    return { status: 200, body: { id: "1", results: items, meta: {} } }
  }

const unknown = ({ path }: Server.Asked): Server.Reaction => Server.error(404, `no such path: ${path}`)

export const start = (react: (asked: Server.Asked) => Server.Reaction, kind: Reranker.Kind = "jina") =>
  Effect.map(
    Server.start((asked) => (asked.path === paths[kind] ? react(asked) : unknown(asked))),
    (running) => ({ ...running, base: running.base.replace("/v1", "") })
  )

/** The reranker over real sockets, impatient, with a cache of its own unless one is given. */
export const live = (
  base: string,
  options: Partial<Reranker.Options> = {},
  cache: Layer.Layer<EmbeddingCache.EmbeddingCache> = EmbeddingCache.layerMemory()
) =>
  Reranker.layer({
    kind: "jina",
    model: "test-model",
    baseUrl: base,
    apiKey: Redacted.make(key),
    retry: { base: "1 millis" },
    ...options
  }).pipe(Layer.provide([UndiciHttpClient.layer(), cache]))

export const rerank = (
  query: string,
  texts: ReadonlyArray<string | Pick<Hit, "chunk">>
): Effect.Effect<ReadonlyArray<number>, Reranker.RerankError, Reranker.Reranker> =>
  Effect.flatMap(Reranker.Reranker, (reranker) => reranker.rerank(query, texts))
