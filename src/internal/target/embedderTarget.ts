/** The spelling of an embedder: `none`, `hash` or `openai:MODEL[@BASE]`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { describeSpace, type EmbeddingSpace } from "../../ChunkSink.ts"
import * as Embedder from "../../Embedder.ts"
import * as EmbeddingCache from "../../EmbeddingCache.ts"
import type { EmbeddingError } from "../../EmbeddingError.ts"
import { OptionError } from "../../OptionError.ts"
import type * as Address from "./address.ts"
import * as Http from "./http.ts"
import * as OpenAiTarget from "./openAiTarget.ts"
import type * as Secret from "./secret.ts"

export type EmbedderTarget = { readonly _tag: "None" } | { readonly _tag: "Hash" } | OpenAiTarget.OpenAi

const option: OpenAiTarget.Option = {
  name: "embedder",
  expected: "none, hash or openai:MODEL[@BASE], for instance openai:text-embedding-3-small",
  kinds: ["none", "hash", "openai"],
  variable: "DOCSLUICE_EMBEDDER_API_KEY"
}

export const parse = (spelling: string): Either.Either<EmbedderTarget, OptionError> => {
  if (spelling === "none") return Either.right({ _tag: "None" })
  if (spelling === "hash") return Either.right({ _tag: "Hash" })
  return OpenAiTarget.parse(option, spelling)
}

/** Environment variables of the process. */
export type Environment = Secret.Environment

/** The target in the form that the state may store. Credentials in a base address are never sent, so none has to be given again. */
export const keep = (target: EmbedderTarget, environment: Environment): Address.Kept => {
  if (target._tag !== "OpenAi") return { address: target._tag === "Hash" ? "hash" : "none", credential: false }
  return {
    address: OpenAiTarget.spelled(target),
    credential: OpenAiTarget.variableOf(option, target, environment) !== null
  }
}

/** Fails if the run had a key that is not set now. */
export const again = (kept: Address.Kept, environment: Environment): Effect.Effect<void, OptionError> =>
  Effect.flatMap(parse(kept.address), (target) =>
    kept.credential && !keep(target, environment).credential
      ? new OptionError({
          option: null,
          problem: `set ${option.variable} again, the key of ${kept.address}, which is not kept`
        })
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
    return OpenAiTarget.variableOf(option, target, environment) === null ? null : target
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
): Effect.Effect<void, OptionError | EmbeddingCache.EmbeddingCacheError, FileSystem.FileSystem> =>
  Effect.scoped(Effect.asVoid(Layer.build(layer(target, { environment, cache: null }))))

/** Embedder of the target; fails before any request when the address or the key cannot be used. */
export const layer = (
  target: EmbedderTarget,
  { cache, environment }: Surroundings
): Layer.Layer<Embedder.Embedder, OptionError | EmbeddingCache.EmbeddingCacheError, FileSystem.FileSystem> => {
  if (target._tag !== "OpenAi") return offline(target)
  return Layer.provide(served(target, environment), [
    Http.layer,
    cache === null ? EmbeddingCache.layerMemory() : EmbeddingCache.layer({ directory: cache })
  ])
}

/** As {@link layer}, with the HTTP client and the cache of the context. */
export const layerOver = (
  target: EmbedderTarget,
  environment: Environment
): Layer.Layer<
  Embedder.Embedder,
  OptionError,
  EmbeddingCache.EmbeddingCache | FileSystem.FileSystem | HttpClient.HttpClient
> => (target._tag === "OpenAi" ? served(target, environment) : offline(target))

const offline = ({ _tag }: { readonly _tag: "None" | "Hash" }): Layer.Layer<Embedder.Embedder> =>
  _tag === "None" ? Embedder.layerNone : Embedder.layerHash

const served = (target: OpenAiTarget.OpenAi, environment: Environment) =>
  Layer.unwrapEffect(
    Effect.map(OpenAiTarget.keyOf(option, target, environment), (apiKey) =>
      Layer.mapError(Embedder.layerOpenAi({ model: target.model, baseUrl: target.baseUrl, apiKey }), (error) =>
        OpenAiTarget.refused(option, OpenAiTarget.problems[error.reason])
      )
    )
  )
