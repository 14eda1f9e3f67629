import type * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Embedder from "../../Embedder.ts"
import * as EmbeddingCache from "../../EmbeddingCache.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import * as ForeignEmbedder from "../corpus/foreignEmbedder.ts"
import type { Embedding } from "../corpus/means.ts"
import * as Foreign from "../embedding/foreign.ts"
import type * as OpenAiEmbeddings from "../embedding/openAiModel.ts"
import * as EmbedderTarget from "../target/embedderTarget.ts"
import * as Secret from "../target/secret.ts"
import type { EmbedderSpelling } from "../target/spelling.ts"

/** An embedder in a program without Effect. */
export type AsyncEmbedder =
  | EmbedderSpelling
  | OwnModel
  | ServedModel
  | Embedder.AiSdkModel
  | Embedder.NamedEmbeddings
  | Layer.Layer<Embedder.Embedder, unknown>

/** A model that is a function of the user's, or of another library. */
export interface OwnModel extends Embedder.Options {
  /** One vector for each text, in their order; see `Embedder.EmbedTexts` for what a rejection means. */
  readonly embed: Embedder.EmbedTexts | Embedder.AiSdkModel | Embedder.LangChainEmbeddings
}

/** A model served over OpenAI's protocol. */
export interface ServedModel
  extends Embedder.Options, Omit<OpenAiEmbeddings.Options, "model" | "dimensions" | "apiKey"> {
  /** Required for OpenAI itself only. */
  readonly apiKey?: string | undefined
}

/** A spelling as it is, and any other embedder as what opens it, over the vectors that were paid for. */
export const embedding = (
  given: AsyncEmbedder | undefined,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): string | Embedding<unknown> | undefined =>
  given === undefined || typeof given === "string"
    ? given
    : Foreign.is(given)
      ? ForeignEmbedder.embedding(given)
      : (vectors) =>
          Effect.map(
            Layer.build("model" in given ? Layer.provide(made(given, dispatcher), vectors) : given),
            (context) => Context.get(context, Embedder.Embedder)
          )

/** The embedder with vectors in memory. */
export const embedder = (
  given: AsyncEmbedder,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Effect.Effect<Embedder.Embedder.Service | undefined, unknown, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const own = embedding(given, dispatcher)
    if (typeof own === "function") return yield* own(EmbeddingCache.layerMemory())
    const target = yield* EmbedderTarget.parse(own ?? "none")
    if (target._tag === "None") return undefined
    const environment = yield* Secret.environment
    const services = yield* Layer.build(EmbedderTarget.layer(target, { environment, dispatcher }))
    return Context.get(services, Embedder.Embedder)
  })

const made = (
  given: OwnModel | ServedModel,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Layer.Layer<Embedder.Embedder, unknown, EmbeddingCache.EmbeddingCache> => {
  if ("embed" in given) {
    const { embed, model, ...options } = given
    return Layer.unwrapEffect(
      Effect.map(EmbeddingCache.EmbeddingCache, (cache) =>
        typeof embed === "function"
          ? Embedder.layerFunction(model, embed, { ...options, cache })
          : Embedder.layerFrom(embed, { ...options, model, cache })
      )
    )
  }
  const { apiKey, ...options } = given
  return Embedder.layerOpenAi({
    ...options,
    apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey)
  }).pipe(Layer.provide(UndiciHttpClient.layer({ dispatcher })))
}
