/** The value of `serve --model`: the language model of the embedded service. */
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
  kinds: ["openai"],
  variable: "DOCSLUICE_MODEL_API_KEY"
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** True for a model on this machine, which may be sent documents with `zeroDataRetention`. */
const isHere = ({ baseUrl }: OpenAiTarget.OpenAi): boolean =>
  baseUrl !== undefined && URL.canParse(baseUrl) && loopback.test(new URL(baseUrl).hostname)

/** The engine with the model; fails before any request when the address or the key cannot be used. */
export const engine = (
  spelling: string,
  options: { readonly contextTokens: number | undefined; readonly environment: Secret.Environment }
): Layer.Layer<Engine, UsageError, FileSystem.FileSystem> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const target = yield* OpenAiTarget.parse(flag, spelling)
      const apiKey = yield* OpenAiTarget.keyOf(flag, target, options.environment)
      const model = OpenAiLanguageModel.layer({ model: target.model, baseUrl: target.baseUrl, apiKey }).pipe(
        Layer.mapError((error) => OpenAiTarget.usage(flag, OpenAiTarget.problems[error.reason])),
        Layer.provide(Http.layer)
      )
      return Embedded.engineWithModel({
        identity: OpenAiTarget.spelled(target),
        contextTokens: options.contextTokens,
        zeroDataRetention: isHere(target)
      }).pipe(Layer.provide(model))
    })
  )
