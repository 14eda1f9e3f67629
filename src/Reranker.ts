/**
 * Scores texts for a query by a model that reads both, on Cohere, Jina, Voyage, or a server of one's own.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Hit } from "./ChunkSink.ts"
import { EmbeddingCache } from "./EmbeddingCache.ts"
import * as baseAddress from "./internal/client/baseAddress.ts"
import * as proxies from "./internal/client/proxies.ts"
import { redacting } from "./internal/client/redacting.ts"
import * as dialects from "./internal/reranking/dialects.ts"
import type { RerankError } from "./internal/reranking/rerankError.ts"
import * as server from "./internal/reranking/server.ts"
import * as service from "./internal/reranking/service.ts"
import { untraced } from "./internal/telemetry/untraced.ts"
import * as RequestGate from "./RequestGate.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import { InvalidAddress } from "./service/Client.ts"

export { type Kind } from "./internal/reranking/dialects.ts"
export { RerankError } from "./internal/reranking/rerankError.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Reranker extends Context.Tag("docsluice/Reranker")<Reranker, Reranker.Service>() {}

export declare namespace Reranker {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Source of the scores, in a few words for a reader. */
    readonly description: string
    /**
     * One score for each text or hit, in their order; greater is better, on the model's own scale. Of a hit, what its vector is made of is
     * scored, the headings above it included. Either all get a score, or it fails; no texts, no request. Each text is paid for once.
     */
    readonly rerank: (
      query: string,
      texts: ReadonlyArray<string | Pick<Hit, "chunk">>
    ) => Effect.Effect<ReadonlyArray<number>, RerankError>
    /** The gate that its requests pass. */
    readonly gate: RequestGate.RequestGate.Service
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly kind: dialects.Kind
  /** The server's name for the model; needed for Cohere, Jina and Voyage, without effect for Text Embeddings Inference. */
  readonly model?: string | undefined
  /**
   * Address of the server, with the path of its requests or without; needed for `tei`, `llamacpp` and `vllm`. Credentials in it are ignored.
   * Default: the provider's own.
   */
  readonly baseUrl?: string | undefined
  /** Sent as `Authorization: Bearer`; needed at a provider's own address only. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Most texts of one request; lowered when the server accepts fewer; default 1000, for `tei` 32. */
  readonly batchSize?: number | undefined
  /** Most requests in flight, or `adaptive`, which finds the number; default 4. */
  readonly concurrency?: RequestGate.Options["concurrency"]
  /** Requests in a time that the server's plan allows, when known; default: learned from its refusals. */
  readonly rate?: RequestGate.Rate | undefined
  /** Longest time in which no request succeeds, waits that the server asked for included; default 1 minute. */
  readonly outageLimit?: Duration.DurationInput | undefined
  /** Longest time of one request, answer included; default 30 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Longest pause while an answer arrives; default 15 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
  /** As for the parse client; by default 3 attempts within 30 seconds, since somebody waits for the answer. */
  readonly retry?: RetryPolicy.Options | undefined
}

const defaults = {
  concurrency: 4,
  outageLimit: "1 minute",
  timeout: "30 seconds",
  idleTimeout: "15 seconds",
  retry: { attempts: 3, maxElapsed: "30 seconds" }
} as const satisfies Omit<Options, "kind">

/** The address that requests are sent below, without the path of the dialect. */
const addressOf = ({ baseUrl, kind }: Options): Either.Either<baseAddress.BaseAddress, InvalidAddress> => {
  const { base, path } = dialects.dialects[kind]
  const [version = "", ...rest] = path.split(/(?=\/rerank$)/u)
  return Either.mapLeft(
    baseAddress.parseWith(baseUrl ?? base ?? "", (given) => {
      const whole = given.endsWith("/rerank") ? given.slice(0, -"/rerank".length) : given
      return rest.length > 0 && whole.endsWith(version) ? whole.slice(0, whole.length - version.length) : whole
    }),
    (reason) => new InvalidAddress({ reason })
  )
}

const keyOf = ({ apiKey, kind }: Options, { url }: baseAddress.BaseAddress): Either.Either<string, InvalidAddress> => {
  const key = apiKey === undefined ? "" : Redacted.value(apiKey).trim()
  if (key === "") {
    return url === dialects.dialects[kind].base
      ? Either.left(new InvalidAddress({ reason: "KeyMissing" }))
      : Either.right("")
  }
  return /^[\x21-\x7e]+$/u.test(key) ? Either.right(key) : Either.left(new InvalidAddress({ reason: "KeyMalformed" }))
}

/**
 * A reranker over a server. Texts are sent in batches, in halves where the server refuses one, and without their end where it calls them
 * too long; answers are checked (one score for each text, indexes, finite numbers); failures are tried again by status, never earlier than
 * the server asked. Scores are cached by server, model, query and text. Shares the gate of its key and address with everybody in the
 * process who uses the same two.
 *
 * Fails before anything is sent when the address or the key cannot be used. Metrics: `docsluice_reranker_requests` and `…_cache_hits`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (
  options: Options
) => Effect.Effect<Reranker.Service, InvalidAddress, HttpClient.HttpClient | EmbeddingCache | Scope.Scope> =
  Effect.fnUntraced(function* (options) {
    const { concurrency = defaults.concurrency, kind, outageLimit = defaults.outageLimit, rate } = options
    const dialect = dialects.dialects[kind]
    const http = untraced(yield* HttpClient.HttpClient)
    const cache = yield* EmbeddingCache
    const address = yield* addressOf(options)
    const key = yield* keyOf(options, address)
    const model = options.model === "" ? undefined : options.model
    const target = { address: address.url, key: key === "" ? undefined : Redacted.make(key) }
    const gate = yield* RequestGate.shared(target, { concurrency, outageLimit, rate })
    const settings: server.Settings = {
      http,
      address,
      authorization: key === "" ? undefined : `Bearer ${key}`,
      redact: redacting([...(key === "" ? [] : [key]), ...(yield* proxies.secrets)]),
      dialect,
      model,
      timeout: Duration.decode(options.timeout ?? defaults.timeout),
      idle: Duration.decode(options.idleTimeout ?? defaults.idleTimeout)
    }
    const own = address.url === dialect.base
    const name = `${kind}:${model ?? ""}${own ? "" : `@${address.url}`}`
    const rerank = service.make({
      name,
      digest: name,
      provider: (query) => server.provider(settings, query),
      gate,
      policy: RetryPolicy.make({ ...defaults.retry, ...options.retry }),
      cache,
      batchSize: Math.max(1, Math.floor(options.batchSize ?? dialect.batchSize))
    })
    return Reranker.of({
      description: `scores of ${model ?? "the model"} by ${dialect.name}`,
      rerank: (query, texts) =>
        rerank(
          query,
          texts.map((one) => (typeof one === "string" ? one : one.chunk.embedText))
        ),
      gate
    })
  })

/**
 * {@link make} as a layer. Needs an HTTP client, `UndiciHttpClient.layer()`, and a place for the scores, `EmbeddingCache.layerMemory()` or
 * the one where vectors are kept.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<Reranker, InvalidAddress, HttpClient.HttpClient | EmbeddingCache> =>
  Layer.scoped(Reranker, make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options>
): Layer.Layer<Reranker, InvalidAddress | ConfigError, HttpClient.HttpClient | EmbeddingCache> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
