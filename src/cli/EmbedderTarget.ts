/** `none`, `hash`, `openai:MODEL[@BASE]`, `ollama:MODEL[@BASE]` or `transformers:MODEL`, with settings after a `?`: the value of `--embedder`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Embedder } from "../Embedder.ts"
import type { EmbeddingCacheError } from "../EmbeddingCache.ts"
import type * as Address from "../internal/target/address.ts"
import * as Targets from "../internal/target/embedderTarget.ts"
import type { Environment } from "../internal/target/secret.ts"
import { ofOption, type UsageError } from "./UsageError.ts"

export type EmbedderTarget = Targets.EmbedderTarget

export { keep, ofSpace } from "../internal/target/embedderTarget.ts"

export const parse = (spelling: string): Either.Either<EmbedderTarget, UsageError> =>
  Either.mapLeft(Targets.parse(spelling), ofOption)

/** Fails if the run had a key that is not set now. */
export const again = (kept: Address.Kept, environment: Environment): Effect.Effect<void, UsageError> =>
  Effect.mapError(Targets.again(kept, environment), ofOption)

/** Fails when the address or the key cannot be used; sends nothing and leaves nothing open. */
export const check = (
  target: EmbedderTarget,
  environment: Environment
): Effect.Effect<void, UsageError | EmbeddingCacheError, FileSystem.FileSystem> =>
  Effect.catchTag(Targets.check(target, environment), "OptionError", ofOption)

/** Embedder of the target; fails before any request when the address or the key cannot be used. */
export const layer = (
  target: EmbedderTarget,
  surroundings: Targets.Surroundings
): Layer.Layer<Embedder, UsageError | EmbeddingCacheError, FileSystem.FileSystem> =>
  Layer.mapError(Targets.layer(target, surroundings), (error) =>
    error._tag === "OptionError" ? ofOption(error) : error
  )
