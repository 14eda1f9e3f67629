import type * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Embedder from "../../Embedder.ts"
import * as EmbeddingCache from "../../EmbeddingCache.ts"
import type * as OpenAiEmbeddings from "../../OpenAiEmbeddings.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import * as Open from "../corpus/open.ts"
import type { EmbedderSpelling } from "../target/spelling.ts"

/** An embedder in a program without Effect. */
export type AsyncEmbedder = EmbedderSpelling | OwnModel | ServedModel | Layer.Layer<Embedder.Embedder, unknown>

/** A model that is a function of the user's. */
export interface OwnModel extends Embedder.Options {
  /** One vector for each text, in their order; see `Embedder.EmbedTexts` for what a rejection means. */
  readonly embed: Embedder.EmbedTexts
}

/** A model served over OpenAI's protocol. */
export interface ServedModel
  extends Embedder.Options, Omit<OpenAiEmbeddings.Options, "model" | "dimensions" | "apiKey"> {
  /** Required for OpenAI itself only. */
  readonly apiKey?: string | undefined
}

/** Vectors that cost something are kept in the cache of whoever asks, and in memory where there is none. */
export const embedder = (
  given: AsyncEmbedder,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Effect.Effect<Embedder.Embedder.Service | undefined, unknown, FileSystem.FileSystem | Scope.Scope> => {
  if (typeof given === "string") {
    return Effect.flatMap(Layer.build(cache), (context) => Effect.provide(Open.embedder(given, dispatcher), context))
  }
  return Effect.map(Layer.build("model" in given ? made(given, dispatcher) : given), (context) =>
    Context.get(context, Embedder.Embedder)
  )
}

const cache = Layer.effect(
  EmbeddingCache.EmbeddingCache,
  Effect.flatMap(
    Effect.serviceOption(EmbeddingCache.EmbeddingCache),
    Option.match({ onNone: EmbeddingCache.makeMemory, onSome: Effect.succeed })
  )
)

const made = (
  given: OwnModel | ServedModel,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Layer.Layer<Embedder.Embedder, unknown> => {
  if ("embed" in given) {
    const { embed, model, ...options } = given
    return Layer.unwrapEffect(
      Effect.map(EmbeddingCache.EmbeddingCache, (cache) => Embedder.fromFunction(model, embed, { ...options, cache }))
    ).pipe(Layer.provide(cache))
  }
  const { apiKey, ...options } = given
  return Embedder.layerOpenAi({
    ...options,
    apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey)
  }).pipe(Layer.provide([UndiciHttpClient.layer({ dispatcher }), cache]))
}
