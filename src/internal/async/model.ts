import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import type { OptionError } from "../base/optionError.ts"
import * as OpenAiLanguageModel from "../model/openAiModel.ts"
import { stripped } from "../target/address.ts"
import * as ServiceTarget from "../target/serviceTarget.ts"

/** A language model in a program without Effect. */
export type AsyncModel = string | ServedModel | OwnModel

interface Context {
  /** Tokens that a request and its answer may hold together; default 8192. */
  readonly contextTokens?: number | undefined
}

/** A model served over OpenAI's protocol. */
export interface ServedModel extends Omit<OpenAiLanguageModel.Options, "apiKey">, Context {
  /** Required for OpenAI itself only. */
  readonly apiKey?: string | undefined
}

/** A model as a layer. */
export interface OwnModel extends Context {
  /** Name and address without credentials: part of the engine's version, so that no cache mixes two models. */
  readonly identity: string
  readonly layer: Layer.Layer<LanguageModel.LanguageModel, unknown>
}

/** Converts a model to that of the embedded service. */
export const model = (
  given: AsyncModel,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): string | ServiceTarget.Model<unknown> => {
  if (typeof given === "string" || "layer" in given) return given
  const { apiKey, contextTokens, ...options } = given
  const { baseUrl } = options
  const address = baseUrl === undefined ? "" : `@${stripped(baseUrl).address}`
  return {
    identity: `openai:${options.model}${address}`,
    contextTokens,
    layer: OpenAiLanguageModel.layer({
      ...options,
      apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey)
    }).pipe(Layer.provide(UndiciHttpClient.layer({ dispatcher })))
  }
}

/** The model with all that it needs. */
export const opened = (
  given: AsyncModel,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Effect.Effect<ServiceTarget.Model<unknown>, OptionError> => {
  const read = model(given, dispatcher)
  return typeof read === "string"
    ? Effect.provide(ServiceTarget.spelled(read, dispatcher), NodeContext.layer)
    : Effect.succeed(read)
}
