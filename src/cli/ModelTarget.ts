/** The value of `--model`: the language model of the embedded service. */
import type { LanguageModel } from "@effect/ai/LanguageModel"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as OpenAiLanguageModel from "../OpenAiLanguageModel.ts"
import * as Embedded from "../service/Embedded.ts"
import type { Engine } from "../service/Engine.ts"
import * as Http from "./Http.ts"
import * as OpenAiTarget from "./OpenAiTarget.ts"
import type * as Secret from "./Secret.ts"
import type { UsageError } from "./UsageError.ts"

const flag: OpenAiTarget.Flag = {
  name: "model",
  expected: "openai:MODEL[@BASE], for instance openai:gpt-5-mini or openai:qwen3@http://127.0.0.1:11434/v1",
  variable: "DOCSLUICE_MODEL_API_KEY"
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** True for a model on this machine, which may be sent documents with `zeroDataRetention`. */
const isHere = ({ baseUrl }: OpenAiTarget.OpenAi): boolean =>
  baseUrl !== undefined && URL.canParse(baseUrl) && loopback.test(new URL(baseUrl).hostname)

/** A model that the command line names. */
export interface Model extends Embedded.ModelOptions {
  /** One layer for every use of the model in a command. */
  readonly layer: Layer.Layer<LanguageModel, UsageError>
}

/** Reads the model and its key; sends nothing. Its layer fails before any request when the address or the key cannot be used. */
export const read = (
  spelling: string,
  options: { readonly contextTokens: number | undefined; readonly environment: Secret.Environment }
): Effect.Effect<Model, UsageError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const target = yield* OpenAiTarget.parse(flag, spelling)
    const apiKey = yield* OpenAiTarget.keyOf(flag, target, options.environment)
    const layer = OpenAiLanguageModel.layer({ model: target.model, baseUrl: target.baseUrl, apiKey }).pipe(
      Layer.mapError((error) => OpenAiTarget.usage(flag, OpenAiTarget.problems[error.reason])),
      Layer.provide(Http.layer)
    )
    return {
      identity: OpenAiTarget.spelled(target),
      contextTokens: options.contextTokens,
      zeroDataRetention: isHere(target),
      layer
    }
  })

/** The engine with the model. */
export const engine = (model: Model): Layer.Layer<Engine, UsageError> =>
  Layer.provide(Embedded.engineWithModel(model), model.layer)
