/**
 * An `EmbeddingModel` over any server that speaks OpenAI's `POST /embeddings`.
 *
 * Lenient: `object`, `usage`, `model` and `index` may be missing; vectors may come as lists or packed in base64, in any order
 * that `index` gives. One request per call, without retries or batches: `Embedder` adds those.
 */
import * as EmbeddingModel from "@effect/ai/EmbeddingModel"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Target } from "../../RequestGate.ts"
import type { InvalidAddress } from "../../service/Client.ts"
import { addressOf, keyOf, type OpenAiServer } from "../client/openAiServer.ts"
import * as proxies from "../client/proxies.ts"
import { redacting } from "../client/redacting.ts"
import { untraced } from "../telemetry/untraced.ts"
import * as openAi from "./openAi.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends OpenAiServer {
  /** The server's name for the model. */
  readonly model: string
  /** Length of the vectors to request, for models that support several; default: not sent. */
  readonly dimensions?: number | undefined
  /** Encoding of the vectors to request; after a server rejects base64, lists are requested. Default `base64`. */
  readonly encoding?: "base64" | "float" | undefined
  /** Longest time of one request, answer included; default 60 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Longest pause while an answer arrives; default 30 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
}

const defaults = {
  encoding: "base64",
  timeout: "60 seconds",
  idleTimeout: "30 seconds"
} as const satisfies Omit<Options, "model">

/**
 * The server and the key that these options name: `RequestGate.shared` gives the gate of the two.
 *
 * @since 0.1.0
 * @category accessors
 */
export const target = (options: Options): Either.Either<Target, InvalidAddress> =>
  Either.flatMap(addressOf(options), (address) =>
    Either.map(keyOf(options, address), (key) => ({
      address: address.url,
      key: key === undefined ? undefined : Redacted.make(key)
    }))
  )

/**
 * Builds the model; fails before anything is sent when the address or the key cannot be used. Its own errors contain neither key
 * nor texts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<EmbeddingModel.Service, InvalidAddress, HttpClient.HttpClient> =
  Effect.fnUntraced(function* (options) {
    const http = untraced(yield* HttpClient.HttpClient)
    const address = yield* addressOf(options)
    const key = yield* keyOf(options, address)
    const settings: openAi.Settings = {
      http,
      address,
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      redact: redacting([...(key === undefined ? [] : [key]), ...(yield* proxies.secrets)]),
      model: options.model,
      dimensions: options.dimensions,
      base64: (options.encoding ?? defaults.encoding) === "base64",
      timeout: Duration.decode(options.timeout ?? defaults.timeout),
      idle: Duration.decode(options.idleTimeout ?? defaults.idleTimeout)
    }
    return EmbeddingModel.EmbeddingModel.of({
      embed: (text) => Effect.map(openAi.embedMany(settings, [text]), ([vector = []]) => vector),
      embedMany: (texts) => openAi.embedMany(settings, texts)
    })
  })

/**
 * {@link make} as a layer. Needs an HTTP client: `Layer.provide(UndiciHttpClient.layer())`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<EmbeddingModel.EmbeddingModel, InvalidAddress, HttpClient.HttpClient> =>
  Layer.effect(EmbeddingModel.EmbeddingModel, make(options))
