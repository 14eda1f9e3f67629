/** `--service` and `--api-key`: the parse service. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RequestGate from "../RequestGate.ts"
import { type Client, layer as clientLayer, type Options } from "../service/Client.ts"
import * as Http from "./Http.ts"
import * as Secret from "./Secret.ts"
import { ofOption, UsageError } from "./UsageError.ts"

export interface ServiceTarget {
  readonly service: string
  readonly apiKey: Option.Option<string>
  /** Value of `--ocr-languages`, for the embedded service. */
  readonly ocrLanguages: Option.Option<ReadonlyArray<string>>
  /** Requests in flight. */
  readonly concurrency: number | "adaptive"
}

/**
 * Fails before any request when the address is malformed, or is not a loopback address and has no key, and when the packages of a language
 * are missing.
 */
export const layer = (target: ServiceTarget): Layer.Layer<Client, UsageError, FileSystem.FileSystem> => {
  if (target.service === "embedded") return embedded(target)
  return Option.isSome(target.ocrLanguages)
    ? Layer.fail(new UsageError({ problem: "--ocr-languages is for the embedded service; leave it out" }))
    : remote(target)
}

/** The engine's modules are loaded with the layer. */
const embedded = ({ ocrLanguages }: ServiceTarget): Layer.Layer<Client, UsageError> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../service/Embedded.ts")),
      (Embedded) =>
        Option.match(ocrLanguages, {
          onNone: () => Embedded.layer(),
          onSome: (languages) =>
            Layer.provide(Embedded.layer(), Layer.mapError(Embedded.ocrLanguages(languages), ofOption))
        })
    )
  )

const remote = (target: ServiceTarget): Layer.Layer<Client, UsageError, FileSystem.FileSystem> =>
  Layer.unwrapEffect(
    Effect.map(keyOf(target.apiKey), (apiKey) =>
      clientLayer({ baseUrl: target.service, apiKey }).pipe(
        Layer.mapError((error) => new UsageError({ problem: `--service: ${error.message}` })),
        Layer.provide([RequestGate.layer({ concurrency: target.concurrency }), Http.layer])
      )
    )
  )

/** The key of `--api-key`; undefined without the flag. */
export const keyOf = (
  given: Option.Option<string>
): Effect.Effect<Options["apiKey"], UsageError, FileSystem.FileSystem> =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (value) => (value === "none" ? Effect.succeed("none" as const) : Secret.read("apiKey", value))
  })
