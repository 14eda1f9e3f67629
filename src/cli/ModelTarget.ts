/** The value of `--model`: the language model of the embedded service. */
import type { LanguageModel } from "@effect/ai/LanguageModel"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { OptionError } from "../internal/base/optionError.ts"
import * as Http from "../internal/target/http.ts"
import * as Targets from "../internal/target/modelTarget.ts"
import * as Embedded from "../service/Embedded.ts"
import type { Engine } from "../service/Engine.ts"

/** A model that the command line names. */
export interface Model extends Embedded.ModelOptions {
  /** One layer for every use of the model in a command. */
  readonly layer: Layer.Layer<LanguageModel, OptionError>
}

/** Reads the model and its key; sends nothing. Its layer fails before any request when the address or the key cannot be used. */
export const read = (
  spelling: string,
  options: Targets.Options
): Effect.Effect<Model, OptionError, FileSystem.FileSystem> =>
  Effect.map(Targets.read(spelling, options), ({ layer, ...model }) => ({
    ...model,
    layer: Layer.provide(layer, Http.layer)
  }))

/** The engine with the model. */
export const engine = (model: Model): Layer.Layer<Engine, OptionError> =>
  Layer.provide(Embedded.layerNativeWithModel(model), model.layer)
