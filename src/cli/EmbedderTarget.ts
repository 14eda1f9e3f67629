/** `none`, `hash` or `openai:MODEL[@BASE]`, the value of `--embedder`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { describeSpace, type EmbeddingSpace } from "../ChunkSink.ts"
import * as Embedder from "../Embedder.ts"
import * as EmbeddingCache from "../EmbeddingCache.ts"
import type { EmbeddingError } from "../EmbeddingError.ts"
import type * as Address from "./Address.ts"
import * as Http from "./Http.ts"
import * as OpenAiTarget from "./OpenAiTarget.ts"
import type * as Secret from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

export type EmbedderTarget = { readonly _tag: "None" } | { readonly _tag: "Hash" } | OpenAiTarget.OpenAi

const flag: OpenAiTarget.Flag = {
  name: "embedder",
  expected: "none, hash or openai:MODEL[@BASE], for instance openai:text-embedding-3-small",
  kinds: ["none", "hash", "openai"],
  variable: "DOCSLUICE_EMBEDDER_API_KEY"
}

export const parse = (spelling: string): Either.Either<EmbedderTarget, UsageError> => {
  if (spelling === "none") return Either.right({ _tag: "None" })
  if (spelling === "hash") return Either.right({ _tag: "Hash" })
  return OpenAiTarget.parse(flag, spelling)
}

/** Environment variables of the process. */
export type Environment = Secret.Environment

/** The target in the form that the state may store. Credentials in a base address are never sent, so none has to be given again. */
export const keep = (target: EmbedderTarget, environment: Environment): Address.Kept => {
  if (target._tag !== "OpenAi") return { address: target._tag === "Hash" ? "hash" : "none", credential: false }
  return {
    address: OpenAiTarget.spelled(target),
    credential: OpenAiTarget.variableOf(flag, target, environment) !== null
  }
}

/** Fails if the run had a key that is not set now. */
export const again = (kept: Address.Kept, environment: Environment): Effect.Effect<void, UsageError> =>
  Effect.flatMap(parse(kept.address), (target) =>
    kept.credential && !keep(target, environment).credential
      ? new UsageError({ problem: `set ${flag.variable} again, the key of ${kept.address}, which is not kept` })
      : Effect.void
  )

/** Embedder that made a store's vectors: hashing, or a model of OpenAI's whose key is set; otherwise null. */
export const ofSpace = (
  space: EmbeddingSpace,
  environment: Environment
): Effect.Effect<EmbedderTarget | null, EmbeddingError> =>
  Effect.map(Embedder.hash.space, (hashed) => {
    if (hashed !== null && describeSpace(space) === describeSpace(hashed)) return { _tag: "Hash" }
    // The name of another model does not tell its server, and its texts must not go to OpenAI.
    if (!space.model.startsWith("text-embedding-")) return null
    const target: OpenAiTarget.OpenAi = { _tag: "OpenAi", model: space.model, baseUrl: undefined }
    return OpenAiTarget.variableOf(flag, target, environment) === null ? null : target
  })

/** Settings of an embedder outside its target. */
export interface Surroundings {
  readonly environment: Environment
  /** Directory of the embedding cache, usually `embeddings` in the state directory; null: in memory. */
  readonly cache: string | null
}

/** Fails when the address or the key cannot be used; sends nothing and leaves nothing open. */
export const check = (
  target: EmbedderTarget,
  environment: Environment
): Effect.Effect<void, UsageError | EmbeddingCache.EmbeddingCacheError, FileSystem.FileSystem> =>
  Effect.scoped(Effect.asVoid(Layer.build(layer(target, { environment, cache: null }))))

/** Embedder of the target; fails before any request when the address or the key cannot be used. */
export const layer = (
  target: EmbedderTarget,
  { cache, environment }: Surroundings
): Layer.Layer<Embedder.Embedder, UsageError | EmbeddingCache.EmbeddingCacheError, FileSystem.FileSystem> => {
  if (target._tag === "None") return Embedder.layerNone
  if (target._tag === "Hash") return Embedder.layerHash
  const { baseUrl, model } = target
  return Layer.unwrapEffect(
    Effect.map(OpenAiTarget.keyOf(flag, target, environment), (apiKey) =>
      Embedder.layerOpenAi({ model, baseUrl, apiKey }).pipe(
        Layer.mapError((error) => OpenAiTarget.usage(flag, OpenAiTarget.problems[error.reason])),
        Layer.provide([
          Http.layer,
          cache === null ? EmbeddingCache.layerMemory() : EmbeddingCache.layer({ directory: cache })
        ])
      )
    )
  )
}
