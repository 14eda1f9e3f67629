/**
 * Adds vectors to chunks: from a model, from a function of your own, by hashing, or not at all.
 *
 * @since 0.1.0
 */
import * as EmbeddingModel from "@effect/ai/EmbeddingModel"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { DocumentChunks, EmbeddingSpace } from "./ChunkSink.ts"
import { DocumentChunk } from "./DocumentChunk.ts"
import * as EmbeddingCache from "./EmbeddingCache.ts"
import { canonicalJson } from "./internal/base/canonicalJson.ts"
import { sha256 } from "./internal/base/sha256.ts"
import * as modelServer from "./internal/client/modelServer.ts"
import * as cohere from "./internal/embedding/cohere.ts"
import * as CohereEmbeddings from "./internal/embedding/cohereModel.ts"
import * as connection from "./internal/embedding/connection.ts"
import type { EmbeddingError } from "./internal/embedding/embeddingError.ts"
import * as foreign from "./internal/embedding/foreign.ts"
import type { AiSdkModel, LangChainEmbeddings, NamedEmbeddings } from "./internal/embedding/foreign.ts"
import * as hashing from "./internal/embedding/hash.ts"
import * as OpenAiEmbeddings from "./internal/embedding/openAiModel.ts"
import * as provider from "./internal/embedding/provider.ts"
import * as service from "./internal/embedding/service.ts"
import * as transformers from "./internal/embedding/transformers.ts"
import * as VoyageEmbeddings from "./internal/embedding/voyageModel.ts"
import * as RequestGate from "./RequestGate.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import type { InvalidAddress } from "./service/Client.ts"
import * as Stage from "./Stage.ts"
import type { Tokenizer } from "./Tokenizer.ts"

export { EmbeddingError } from "./internal/embedding/embeddingError.ts"
export { type Options as CohereOptions } from "./internal/embedding/cohereModel.ts"
export { type AiSdkModel, type LangChainEmbeddings, type NamedEmbeddings } from "./internal/embedding/foreign.ts"
export { type Options as OpenAiOptions } from "./internal/embedding/openAiModel.ts"
export { type Options as VoyageOptions } from "./internal/embedding/voyageModel.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Embedder extends Context.Tag("docsluice/Embedder")<Embedder, Embedder.Service>() {}

export declare namespace Embedder {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Source of the vectors, in a few words for a reader. */
    readonly description: string
    /**
     * Changes with everything that changes a vector, and then makes stored documents stale. Does not depend on a key or an
     * address.
     */
    readonly digest: string
    /**
     * Space passed to `ChunkSink.prepare`; null without vectors. When the dimensions were not given and nothing is embedded yet,
     * one short text is embedded, or its cached vector is read, to learn them.
     */
    readonly space: Effect.Effect<EmbeddingSpace | null, EmbeddingError>
    /**
     * The same chunks in the same order, each with its vector, as a `PackedVector`. Either all chunks get one, or the error names
     * those that did not; no chunks, no request. Texts of concurrent calls share requests.
     */
    readonly embed: (
      chunks: ReadonlyArray<DocumentChunk>,
      options?: EmbedOptions
    ) => Effect.Effect<ReadonlyArray<DocumentChunk>, EmbeddingError>
    /** The gate that its requests pass; none for an embedder that sends no requests. */
    readonly gate?: RequestGate.RequestGate.Service | undefined
    /** The vector of a query; none without vectors. */
    readonly embedQuery: (text: string) => Effect.Effect<Option.Option<ReadonlyArray<number>>, EmbeddingError>
  }
}

/**
 * Options of one call. `halt` ends its waits for a slot or a retry with an error of the reason `Stopped`; `expecting` tells that other
 * calls will bring texts to share its requests.
 *
 * @since 0.1.0
 * @category models
 */
export type EmbedOptions = service.EmbedOptions

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Name of the model: stamped into stores and part of the cache's keys, so different models need different names. */
  readonly model: string
  /** Length of every vector; default: taken from the first vector, then enforced. */
  readonly dimensions?: number | undefined
  /** Brings every vector to length 1; default true. */
  readonly normalize?: boolean | undefined
  /** Metric by which stores compare vectors; default `cosine`. */
  readonly metric?: EmbeddingSpace["metric"] | undefined
  /** Most texts of one request; lowered when the server accepts fewer; default 128. */
  readonly batchSize?: number | undefined
  /** Most tokens of one request, by the chunks' own counts; default 100,000. */
  readonly batchTokens?: number | undefined
  /** Longest time that a text waits for others to share its request when none are expected; default 10 millis. */
  readonly delay?: Duration.DurationInput | undefined
  /** Longest time that it waits while a run prepares documents that may bring others; default 300 millis. */
  readonly fill?: Duration.DurationInput | undefined
  /**
   * Most requests in flight, or `adaptive`, which finds the number; one until the first answer, and fewer while the server asks for it.
   * Default 4.
   */
  readonly concurrency?: RequestGate.Options["concurrency"]
  /** Requests in a time that the server's plan allows, when known; default: learned from its refusals. */
  readonly rate?: RequestGate.Rate | undefined
  /**
   * Longest time in which no request succeeds, waits that the server asked for included; then every text fails with `Unavailable` and
   * severity `run`. Default 10 minutes.
   */
  readonly outageLimit?: Duration.DurationInput | undefined
  /** Longest text that the model accepts, and the tokenizer that counts it; default: the server decides. */
  readonly limit?: { readonly maxTokens: number; readonly tokenizer: Tokenizer.Service } | undefined
  /**
   * Treatment of a text above the limit, ours or the server's: `cut` embeds its beginning and adds the note `embedding-cut` to
   * the chunk, `refuse` fails with `TooLong`. Default `cut`.
   */
  readonly overlong?: "cut" | "refuse" | undefined
  /** Prefix that the model expects before a text, for instance `passage: ` and `query: `; default none. */
  readonly prefix?: { readonly document?: string | undefined; readonly query?: string | undefined } | undefined
  /**
   * As for the parse client; the same failures use up attempts. A wait above `maxRetryAfter` holds back every request and counts towards
   * `outageLimit`.
   */
  readonly retry?: RetryPolicy.Options | undefined
}

const defaults = {
  normalize: true,
  metric: "cosine",
  batchSize: 128,
  batchTokens: 100_000,
  delay: "10 millis",
  fill: "300 millis",
  concurrency: 4,
  overlong: "cut"
} as const satisfies Omit<Options, "model">

const digestOf = (options: Options): string =>
  sha256(
    canonicalJson({
      model: options.model,
      dimensions: options.dimensions ?? null,
      normalize: options.normalize ?? defaults.normalize,
      limit: options.limit === undefined ? null : [options.limit.maxTokens, options.limit.tokenizer.name],
      overlong: options.overlong ?? defaults.overlong,
      prefix: options.prefix?.document ?? ""
    })
  )

const whole = (count: number): number => Math.max(1, Math.floor(count))

const gateOf = (options: Options): RequestGate.Options => ({
  concurrency: options.concurrency ?? defaults.concurrency,
  rate: options.rate,
  outageLimit: options.outageLimit
})

const build = (
  options: Options,
  description: string,
  { cache, gate, provider, queries }: Pick<service.Settings, "cache" | "gate" | "provider" | "queries">
): Effect.Effect<Embedder.Service, never, Scope.Scope> =>
  Effect.map(
    service.make({
      provider,
      queries,
      gate,
      cache,
      model: options.model,
      dimensions: options.dimensions ?? null,
      normalize: options.normalize ?? defaults.normalize,
      metric: options.metric ?? defaults.metric,
      batchSize: whole(options.batchSize ?? defaults.batchSize),
      batchTokens: whole(options.batchTokens ?? defaults.batchTokens),
      delay: Duration.decode(options.delay ?? defaults.delay),
      fill: Duration.decode(options.fill ?? defaults.fill),
      limit: options.limit ?? null,
      overlong: options.overlong ?? defaults.overlong,
      prefix: { document: options.prefix?.document ?? "", query: options.prefix?.query ?? "" },
      policy: RetryPolicy.make(options.retry)
    }),
    (made) => Embedder.of({ ...made, gate, description, digest: digestOf(options) })
  )

/**
 * An embedder over any `EmbeddingModel`. Adds what that interface leaves open: batches by count and tokens, shared by concurrent
 * documents; answers checked (count, length, finite numbers); retries by status, never earlier than the server asked; equal texts
 * embedded once; vectors cached before they are returned. Requests go through a gate of its own, which bounds them, spaces them out
 * when the server refuses many, and gives up after `outageLimit`.
 *
 * A text that the server refuses does not fail the others of its request. A failure of the cache causes a warning, never the loss
 * of a vector. Holds the waiting texts in memory. Metrics: requests in `docsluice_embedder_requests`, texts in `…_texts` and
 * `…_cache_hits`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Options
): Effect.Effect<
  Embedder.Service,
  never,
  EmbeddingModel.EmbeddingModel | EmbeddingCache.EmbeddingCache | Scope.Scope
> =>
  Effect.flatMap(
    Effect.all([EmbeddingModel.EmbeddingModel, EmbeddingCache.EmbeddingCache, RequestGate.make(gateOf(options))]),
    ([model, cache, gate]) =>
      build(options, `vectors of ${options.model}`, {
        provider: provider.ofModel((texts) => model.embedMany(texts)),
        queries: null,
        cache,
        gate
      })
  )

/**
 * As {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<Embedder, never, EmbeddingModel.EmbeddingModel | EmbeddingCache.EmbeddingCache> =>
  Layer.scoped(Embedder, make(options))

/** An embedder over a model on a server. Shares the gate of its key and address with everybody in the process who uses the same two. */
const served = (
  options: Options,
  target: Either.Either<RequestGate.Target, InvalidAddress>,
  model: Effect.Effect<connection.Model, InvalidAddress, HttpClient.HttpClient>
): Layer.Layer<Embedder, InvalidAddress, HttpClient.HttpClient | EmbeddingCache.EmbeddingCache> =>
  Layer.scoped(
    Embedder,
    Effect.gen(function* () {
      const { documents, queries } = yield* model
      return yield* build(options, `vectors of ${options.model}`, {
        provider: provider.ofModel(documents),
        queries: queries === null ? null : provider.ofModel(queries),
        cache: yield* EmbeddingCache.EmbeddingCache,
        gate: yield* RequestGate.shared(yield* target, gateOf(options))
      })
    })
  )

/**
 * An embedder over a server that speaks OpenAI's protocol; `dimensions` is sent to it. Shares the gate of its key and address with
 * everybody in the process who uses the same two.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerOpenAi = (
  options: Options & OpenAiEmbeddings.Options
): Layer.Layer<Embedder, InvalidAddress, HttpClient.HttpClient | EmbeddingCache.EmbeddingCache> =>
  served(options, connection.target(modelServer.openAi, options), OpenAiEmbeddings.make(options))

/**
 * {@link layerOpenAi} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerOpenAiConfig = (
  options: Config.Config.Wrap<Options & Omit<OpenAiEmbeddings.Options, "model" | "dimensions">>
): Layer.Layer<Embedder, InvalidAddress | ConfigError, HttpClient.HttpClient | EmbeddingCache.EmbeddingCache> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerOpenAi))

/**
 * An embedder over Cohere, or a server that speaks its `POST /v2/embed`: chunks are embedded as `search_document`, queries as
 * `search_query`, at most 96 texts a request. Its vectors are named `cohere:MODEL`, which tells them from those of the same model without
 * these kinds. Shares its gate as {@link layerOpenAi} does.
 *
 * With `overlong` `cut` the server leaves out the end of a text above its limit (`truncate: "END"`), which its answer does not tell, so that
 * the chunk gets no note; with a `limit` it is cut here and gets one. With `refuse` the server refuses it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCohere = (
  options: Options & CohereEmbeddings.Options
): Layer.Layer<Embedder, InvalidAddress, HttpClient.HttpClient | EmbeddingCache.EmbeddingCache> =>
  served(
    {
      ...options,
      model: `cohere:${options.model}`,
      batchSize: Math.min(options.batchSize ?? cohere.mostTexts, cohere.mostTexts)
    },
    connection.target(modelServer.cohere, options),
    CohereEmbeddings.make({ ...options, overlong: options.overlong ?? defaults.overlong })
  )

/**
 * {@link layerCohere} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCohereConfig = (
  options: Config.Config.Wrap<Options & Omit<CohereEmbeddings.Options, "model" | "dimensions">>
): Layer.Layer<Embedder, InvalidAddress | ConfigError, HttpClient.HttpClient | EmbeddingCache.EmbeddingCache> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerCohere))

/**
 * An embedder over Voyage, or a server that speaks its dialect: chunks are embedded as `document`, queries as `query`, at most 1,000 texts
 * and by default 60,000 tokens a request, since Voyage counts more tokens than others and takes 120,000 at most for some models. Its vectors
 * are named `voyage:MODEL`; the gate, and texts above the limit (`truncation`), as {@link layerCohere}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerVoyage = (
  options: Options & VoyageEmbeddings.Options
): Layer.Layer<Embedder, InvalidAddress, HttpClient.HttpClient | EmbeddingCache.EmbeddingCache> =>
  served(
    {
      ...options,
      model: `voyage:${options.model}`,
      batchSize: Math.min(options.batchSize ?? defaults.batchSize, VoyageEmbeddings.mostTexts),
      batchTokens: options.batchTokens ?? 60_000
    },
    connection.target(modelServer.voyage, options),
    VoyageEmbeddings.make({ ...options, overlong: options.overlong ?? defaults.overlong })
  )

/**
 * {@link layerVoyage} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerVoyageConfig = (
  options: Config.Config.Wrap<Options & Omit<VoyageEmbeddings.Options, "model" | "dimensions">>
): Layer.Layer<Embedder, InvalidAddress | ConfigError, HttpClient.HttpClient | EmbeddingCache.EmbeddingCache> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerVoyage))

/**
 * Returns one vector per text, in their order. It may reject: an error with a numeric `status` is retried as an answer with that
 * status (`Retry-After` is read from `headers`), a broken connection too, and nothing else.
 *
 * @since 0.1.0
 * @category models
 */
export type EmbedTexts = (
  texts: ReadonlyArray<string>,
  signal: AbortSignal
) => PromiseLike<ReadonlyArray<ArrayLike<number>>>

/**
 * An embedder from a function of your own; the rest as {@link make}. Vectors are cached in memory unless a cache is given.
 *
 * @example
 * ```ts
 * import * as Embedder from "docsluice/Embedder"
 *
 * const lengths = Embedder.layerFunction("lengths", async (texts) => texts.map((text) => [text.length, 1]))
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFunction = (
  model: string,
  embed: EmbedTexts,
  options: Omit<Options, "model"> & { readonly cache?: EmbeddingCache.EmbeddingCache.Service | undefined } = {}
): Layer.Layer<Embedder> =>
  Layer.scoped(
    Embedder,
    Effect.gen(function* () {
      const cache = options.cache ?? (yield* EmbeddingCache.makeMemory())
      const gate = yield* RequestGate.make(gateOf({ ...options, model }))
      return yield* build({ ...options, model }, `vectors of ${model}`, {
        provider: provider.ofFunction(embed),
        queries: null,
        cache,
        gate
      })
    })
  )

/**
 * Options of {@link layerFrom}. Vectors are cached in memory unless a cache is given.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromOptions extends Omit<Options, "model"> {
  /** Name of the vectors; default: that of the model. */
  readonly model?: string | undefined
  readonly cache?: EmbeddingCache.EmbeddingCache.Service | undefined
}

/**
 * An embedder from an embedding model of the AI SDK or embeddings of LangChain.js, of any provider; the rest as {@link make}. A model of the
 * AI SDK is asked for as many texts at a time as it takes, and its errors are judged by status, headers and `isRetryable`. LangChain's
 * embeddings have retries of their own, which come before these: `maxRetries: 0` leaves them out.
 *
 * @example
 * ```ts
 * import type { EmbeddingsInterface } from "@langchain/core/embeddings"
 * import * as Embedder from "docsluice/Embedder"
 *
 * export const embedder = (embeddings: EmbeddingsInterface) => Embedder.layerFrom(embeddings, { model: "my-model" })
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFrom: {
  (model: AiSdkModel | NamedEmbeddings, options?: FromOptions): Layer.Layer<Embedder>
  (model: AiSdkModel | LangChainEmbeddings, options: FromOptions & { readonly model: string }): Layer.Layer<Embedder>
} = (given: AiSdkModel | LangChainEmbeddings, options: FromOptions = {}): Layer.Layer<Embedder> =>
  Layer.scoped(
    Embedder,
    Effect.gen(function* () {
      const { documents, most, parallel, queries } = yield* foreign.open(given)
      const model = options.model ?? foreign.nameOf(given)
      if (model === undefined) return yield* Effect.dieMessage("a model without a name: give one as the option `model`")
      const settings: Options = {
        ...options,
        model,
        batchSize: Math.min(options.batchSize ?? defaults.batchSize, most ?? Infinity),
        concurrency: options.concurrency ?? (parallel ? defaults.concurrency : 1)
      }
      return yield* build(settings, `vectors of ${settings.model}`, {
        provider: provider.ofFunction(documents),
        queries: queries === null ? null : provider.ofFunction(queries),
        cache: options.cache ?? (yield* EmbeddingCache.makeMemory()),
        gate: yield* RequestGate.make(gateOf(settings))
      })
    })
  )

/**
 * Options of {@link layerTransformers}.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransformersOptions extends Options {
  /** The model's way from the vectors of tokens to that of a text; default `mean`. */
  readonly pooling?: "mean" | "cls" | "last_token" | undefined
  /** Precision of the weights to load: `fp32`, `q8`, …; default: the package's. */
  readonly dtype?: string | undefined
}

/**
 * An embedder over a model that runs in this process by the optional package `@huggingface/transformers`, for instance
 * `Xenova/all-MiniLM-L6-v2`. The first call loads the model, which the package downloads and keeps in its own cache. One request at a
 * time and 32 texts a request unless the options say otherwise. Fails when the package is not installed, with the command that installs
 * it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerTransformers = (
  options: TransformersOptions
): Layer.Layer<Embedder, EmbeddingError, EmbeddingCache.EmbeddingCache> =>
  Layer.scoped(
    Embedder,
    Effect.gen(function* () {
      const { dtype, model, pooling = "mean" } = options
      const embed = yield* transformers.make({ model, pooling, dtype })
      const cache = yield* EmbeddingCache.EmbeddingCache
      // Another pooling or precision gives other vectors.
      const named = [model, ...(pooling === "mean" ? [] : [pooling]), ...(dtype === undefined ? [] : [dtype])].join(":")
      const settings = { concurrency: 1, batchSize: 32, ...options, model: named } satisfies Options
      const gate = yield* RequestGate.make(gateOf(settings))
      return yield* build(settings, `vectors of ${named}`, {
        provider: provider.ofFunction(embed),
        queries: null,
        cache,
        gate
      })
    })
  )

const hashModel = `hash-v${hashing.version}`

/**
 * Vectors of 1,024 dimensions and length 1 without a model, a key or a network: words and their parts of 3 to 5 characters, each
 * hashed to a place and a sign.
 *
 * Lexical: texts are near when they share words or parts of words, not when they mean the same. Deterministic on every machine;
 * never fails.
 *
 * @since 0.1.0
 * @category constructors
 */
export const hash: Embedder.Service = {
  description:
    "lexical vectors by hashing words and parts of words: texts are near when they share words, not when they mean the same",
  digest: hashModel,
  space: Effect.succeed({
    model: hashModel,
    dimensions: hashing.dimensions,
    normalized: true,
    metric: "cosine"
  }),
  embed: (chunks) =>
    Effect.sync(() =>
      chunks.map(
        (chunk) =>
          new DocumentChunk(
            { ...chunk, embedding: hashing.embed(chunk.embedText) },
            // Validating every member costs more than the vector.
            { disableValidation: true }
          )
      )
    ),
  embedQuery: (text) => Effect.sync(() => Option.some(Array.from(hashing.embed(text))))
}

/**
 * {@link hash} as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHash: Layer.Layer<Embedder> = Layer.succeed(Embedder, hash)

/**
 * Returns chunks unchanged, without vectors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Embedder.Service = {
  description: "no vectors",
  digest: "none",
  space: Effect.succeed(null),
  embed: Effect.succeed,
  embedQuery: () => Effect.succeedNone
}

/**
 * {@link none} as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerNone: Layer.Layer<Embedder> = Layer.succeed(Embedder, none)

/**
 * Adds vectors to the chunks of one document.
 *
 * @since 0.1.0
 * @category combinators
 */
export const embed = (
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<ReadonlyArray<DocumentChunk>, EmbeddingError, Embedder> =>
  Effect.flatMap(Embedder, (embedder) => embedder.embed(chunks))

/**
 * Adds vectors to every document of a stream, at most `concurrency` documents at a time, in order unless `ordered` is false; what has no
 * chunks passes. The first failure ends the stream, or comes out as a `Stage.Rejected` where `failures` is `keep`. Holds as many
 * documents as `Stage.Options` says.
 *
 * @since 0.1.0
 * @category combinators
 */
export const embedAll: {
  <const O extends Stage.Options>(
    options: O
  ): Stage.Stage<
    DocumentChunks,
    DocumentChunks,
    Stage.Ending<O, EmbeddingError>,
    Embedder,
    Stage.Kept<O, EmbeddingError>
  >
  <A, E, R, const O extends Stage.Options>(
    documents: Stream.Stream<A, E, R> & Stage.Fitting<A, DocumentChunks>,
    options: O
  ): Stream.Stream<
    DocumentChunks | Stage.Kept<O, EmbeddingError> | Exclude<A, DocumentChunks>,
    E | Stage.Ending<O, EmbeddingError>,
    R | Embedder
  >
} = dual(2, <A, E, R>(documents: Stream.Stream<A, E, R> & Stage.Fitting<A, DocumentChunks>, options: Stage.Options) =>
  Stage.make(
    Stage.isChunked,
    (document) => Effect.map(embed(document.chunks), (chunks) => ({ ...document, chunks })),
    options
  )(documents)
)
