/** The parse service of a program: embedded, with or without a language model, or elsewhere. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OptionError } from "../../OptionError.ts"
import * as RequestGate from "../../RequestGate.ts"
import * as Client from "../../service/Client.ts"
import * as Embedded from "../../service/Embedded.ts"
import type { Engine } from "../../service/Engine.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import { option, problem, text } from "../base/message.ts"
import * as ModelTarget from "./modelTarget.ts"
import * as Secret from "./secret.ts"

/** A language model that needs nothing, with its identity. */
export interface Model<E> extends Embedded.ModelOptions {
  readonly layer: Layer.Layer<LanguageModel.LanguageModel, E>
}

export interface ServiceTarget<E> {
  /** `embedded`, or the service's base address. */
  readonly service: string
  readonly apiKey: Client.Options["apiKey"]
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
  readonly model: string | Model<E> | undefined
}

/** Fails before any request when the address, the key or the model cannot be used. */
export const layer = <E>(
  target: ServiceTarget<E>
): Layer.Layer<
  Client.Client,
  E | OptionError | Client.InvalidAddress | UndiciHttpClient.InvalidProxy,
  FileSystem.FileSystem
> => {
  const { dispatcher, model: given, service } = target
  if (service !== "embedded") {
    const words = text`it is the embedded service's; leave out ${option("model")}, or the address of the ${option("service")}`
    if (given !== undefined) return Layer.fail(new OptionError({ option: "model", ...problem(words) }))
    const { apiKey } = target
    return Client.layer({ baseUrl: service, apiKey }).pipe(
      Layer.provide([RequestGate.layer(), UndiciHttpClient.layer({ dispatcher })])
    )
  }
  if (given === undefined) return Embedded.layer()
  return typeof given === "string"
    ? Layer.provide(Embedded.layerEngine(), spelled(given, dispatcher))
    : Layer.provide(Embedded.layerEngine(), own(given))
}

const own = <E>({ layer, ...options }: Model<E>): Layer.Layer<Engine, E> =>
  Layer.provide(Embedded.engineWithModel(options), layer)

const spelled = (spelling: string, dispatcher: UndiciHttpClient.Options["dispatcher"]) =>
  Layer.unwrapEffect(Effect.map(model(spelling, dispatcher), own))

/** The model of a spelling, with an HTTP client of its own. */
export const model = (
  spelling: string,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Effect.Effect<Model<OptionError | UndiciHttpClient.InvalidProxy>, OptionError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const environment = yield* Secret.environment
    const { layer, ...read } = yield* ModelTarget.read(spelling, { contextTokens: undefined, environment })
    return { ...read, layer: Layer.provide(layer, UndiciHttpClient.layer({ dispatcher })) }
  })
