/** The parse service of a program: embedded, with or without a language model, or elsewhere. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RequestGate from "../../RequestGate.ts"
import * as Client from "../../service/Client.ts"
import type * as Embedded from "../../service/Embedded.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import { option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
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
  /** Of the embedded service. */
  readonly model?: string | Model<E> | undefined
  /** Languages in which the embedded service reads scans; default: those that are installed. */
  readonly ocrLanguages?: ReadonlyArray<string> | undefined
  /** Requests in flight to a service elsewhere; default: those of the run. */
  readonly concurrency?: number | "adaptive" | undefined
}

const notEmbedded = ({
  model,
  ocrLanguages
}: Pick<ServiceTarget<never>, "ocrLanguages"> & { readonly model?: unknown }) => {
  if (model !== undefined) {
    const words = text`it is the embedded service's; leave out ${option("model")}, or the address of the ${option("service")}`
    return new OptionError({ option: "model", ...problem(words) })
  }
  return ocrLanguages === undefined
    ? undefined
    : new OptionError({
        option: null,
        ...problem(text`${option("ocrLanguages")} is for the embedded service; leave it out`)
      })
}

/** Fails before any request when the address, the key, the model or a language cannot be used. */
export const layer = <E>(
  target: ServiceTarget<E>
): Layer.Layer<
  Client.Client,
  E | OptionError | Client.InvalidAddress | UndiciHttpClient.InvalidProxy,
  FileSystem.FileSystem
> => {
  const { apiKey, concurrency, dispatcher, service } = target
  if (service === "embedded") return embedded(target)
  const misplaced = notEmbedded(target)
  if (misplaced !== undefined) return Layer.fail(misplaced)
  return Client.layer({ baseUrl: service, apiKey }).pipe(
    Layer.provide([RequestGate.layer({ concurrency }), UndiciHttpClient.layer({ dispatcher })])
  )
}

/** The engine's modules are loaded with the layer. */
const embedded = <E>({ dispatcher, model, ocrLanguages }: ServiceTarget<E>) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../../service/Embedded.ts")),
      (Embedded) => {
        const own = ({ layer, ...options }: Model<E | OptionError | UndiciHttpClient.InvalidProxy>) =>
          Layer.provide(Embedded.layerEngine(), Layer.provide(Embedded.layerNativeWithModel(options), layer))
        const client =
          model === undefined
            ? Embedded.layer()
            : typeof model === "string"
              ? Layer.unwrapEffect(Effect.map(spelled(model, dispatcher), own))
              : own(model)
        return ocrLanguages === undefined ? client : Layer.provide(client, Embedded.layerOcrLanguages(ocrLanguages))
      }
    )
  )

/** The model of a spelling, with an HTTP client of its own. */
export const spelled = (
  spelling: string,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Effect.Effect<Model<OptionError | UndiciHttpClient.InvalidProxy>, OptionError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const environment = yield* Secret.environment
    const { layer, ...read } = yield* ModelTarget.read(spelling, { contextTokens: undefined, environment })
    return { ...read, layer: Layer.provide(layer, UndiciHttpClient.layer({ dispatcher })) }
  })
