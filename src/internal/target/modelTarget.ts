/** The spelling of a language model, `openai:MODEL[@BASE]`: the model of the embedded service. */
import type { LanguageModel } from "@effect/ai/LanguageModel"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ModelOptions } from "../../service/Embedded.ts"
import { isLoopback } from "../base/loopback.ts"
import type { OptionError } from "../base/optionError.ts"
import * as OpenAiLanguageModel from "../model/openAiModel.ts"
import * as Provider from "./provider.ts"
import type * as Secret from "./secret.ts"
import * as ServedTarget from "./servedTarget.ts"

const option: ServedTarget.Option<"OpenAi"> = {
  name: "model",
  expected: "openai:MODEL[@BASE], for instance openai:gpt-5-mini or openai:qwen3@http://127.0.0.1:11434/v1",
  kinds: ["openai"],
  providers: [Provider.openAi],
  variable: "DOCSLUICE_MODEL_API_KEY"
}

/** What a spelling begins with. */
export const words: ReadonlyArray<string> = option.kinds.map((kind) => `${kind}:`)

/** True for a model on this machine, which may be sent documents with `zeroDataRetention`. */
const isHere = ({ baseUrl }: ServedTarget.Served): boolean =>
  baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)

export interface Options {
  readonly contextTokens: number | undefined
  readonly environment: Secret.Environment
}

/** A model that an option names. */
export interface Model extends ModelOptions {
  readonly layer: Layer.Layer<LanguageModel, OptionError, HttpClient.HttpClient>
}

/** Reads the model and its key; sends nothing. Its layer fails before any request when the address or the key cannot be used. */
export const read = (spelling: string, options: Options): Effect.Effect<Model, OptionError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const target = yield* ServedTarget.parse(option, spelling)
    const apiKey = yield* ServedTarget.keyOf(option, target, options.environment)
    const model = OpenAiLanguageModel.layer({ model: target.model, baseUrl: target.baseUrl, apiKey })
    return {
      identity: ServedTarget.spelled(target),
      contextTokens: options.contextTokens,
      zeroDataRetention: isHere(target),
      layer: Layer.mapError(model, (error) => ServedTarget.unusable(option, error))
    }
  })
