/**
 * A `LanguageModel` over any server that speaks OpenAI's `POST /chat/completions`.
 *
 * Lenient: `object`, `usage`, `id` and `finish_reason` may be missing. One request per call, without retries. Text and tools; no images, no
 * streams of the server's own: `streamText` gives the whole answer as one part.
 */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { InvalidAddress } from "../../service/Client.ts"
import { addressOf, keyOf, openAi, type OpenAiServer } from "../client/modelServer.ts"
import * as proxies from "../client/proxies.ts"
import { redacting } from "../client/redacting.ts"
import { untraced } from "../telemetry/untraced.ts"
import * as chat from "./chat.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends OpenAiServer {
  /** The server's name for the model. */
  readonly model: string
  /** Randomness of the answers; default 0. */
  readonly temperature?: number | undefined
  /** Longest time of one request, answer included; default 5 minutes. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Longest pause while an answer arrives; default 2 minutes. */
  readonly idleTimeout?: Duration.DurationInput | undefined
}

const defaults = { temperature: 0, timeout: "5 minutes", idleTimeout: "2 minutes" } as const

/**
 * Builds the model; fails before anything is sent when the address or the key cannot be used. Its own errors contain neither key nor
 * prompts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<LanguageModel.Service, InvalidAddress, HttpClient.HttpClient> =
  Effect.fnUntraced(function* (options) {
    const http = untraced(yield* HttpClient.HttpClient)
    const address = yield* addressOf(openAi, options)
    const key = yield* keyOf(openAi, options, address)
    const settings: chat.Settings = {
      http,
      address,
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      redact: redacting([...(key === undefined ? [] : [key]), ...(yield* proxies.secrets)]),
      model: options.model,
      temperature: options.temperature ?? defaults.temperature,
      timeout: Duration.decode(options.timeout ?? defaults.timeout),
      idle: Duration.decode(options.idleTimeout ?? defaults.idleTimeout)
    }
    return yield* LanguageModel.make({
      generateText: (asked) => chat.complete(settings, asked),
      streamText: (asked) => Stream.fromIterableEffect(Effect.map(chat.complete(settings, asked), chat.asStream))
    })
  })

/**
 * A language model over HTTP, as a layer. Needs an HTTP client: `Layer.provide(UndiciHttpClient.layer())`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<LanguageModel.LanguageModel, InvalidAddress, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options>
): Layer.Layer<LanguageModel.LanguageModel, InvalidAddress | ConfigError, HttpClient.HttpClient> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
