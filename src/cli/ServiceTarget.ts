/** `--service` and `--api-key`: the parse service. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { OptionError } from "../internal/base/optionError.ts"
import * as Secret from "../internal/target/secret.ts"
import * as Targets from "../internal/target/serviceTarget.ts"
import type { Client, InvalidAddress, Options } from "../service/Client.ts"
import type { InvalidProxy } from "../UndiciHttpClient.ts"
import { type Refused, UsageError } from "./UsageError.ts"

export interface ServiceTarget {
  readonly service: string
  readonly apiKey: Option.Option<string>
  /** Value of `--ocr-languages`, for the embedded service. */
  readonly ocrLanguages: Option.Option<ReadonlyArray<string>>
  /** Requests in flight. */
  readonly concurrency: number | "adaptive"
}

/** The error of a service that cannot be used, with its flag. */
export const refused = (error: InvalidAddress | InvalidProxy): UsageError =>
  new UsageError({ problem: error._tag === "InvalidProxy" ? error.message : `--service: ${error.message}` })

/**
 * Fails before any request when the address is malformed, or is not a loopback address and has no key, and when the packages of a language
 * are missing.
 */
export const layer = (target: ServiceTarget): Layer.Layer<Client, Refused, FileSystem.FileSystem> =>
  Layer.unwrapEffect(
    Effect.map(keyOf(target.apiKey), (apiKey) =>
      Layer.mapError(
        Targets.layer<never>({ ...target, apiKey, ocrLanguages: Option.getOrUndefined(target.ocrLanguages) }),
        (error) => (error._tag === "OptionError" ? error : refused(error))
      )
    )
  )

/** The key of `--api-key`; undefined without the flag. */
export const keyOf = (
  given: Option.Option<string>
): Effect.Effect<Options["apiKey"], OptionError, FileSystem.FileSystem> =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (value) => (value === "none" ? Effect.succeed("none" as const) : Secret.read("apiKey", value))
  })
