import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Embedder from "../../Embedder.ts"
import { EmbeddingCache, type EmbeddingCacheError } from "../../EmbeddingCache.ts"
import type { Embedding } from "./means.ts"

/** A model of another library as the embedder of a corpus. */
export const embedding =
  (model: Embedder.AiSdkModel | Embedder.NamedEmbeddings): Embedding<EmbeddingCacheError> =>
  (vectors) =>
    Layer.unwrapEffect(Effect.map(EmbeddingCache, (cache) => Embedder.layerFrom(model, { cache }))).pipe(
      Layer.provide(vectors),
      Layer.build,
      Effect.map((context) => Context.get(context, Embedder.Embedder))
    )
