/** Models of other libraries, taken as they are: embedding models of the AI SDK, and embeddings of LangChain. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/**
 * An embedding model of the AI SDK, of any provider: `openai.embedding("text-embedding-3-small")` for instance, by the specification of
 * version 2 or a later one.
 *
 * @since 0.1.0
 * @category models
 */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly provider: string
  /** Names the vectors, unless the options say another name. */
  readonly modelId: string
  /** Most texts of one request. */
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  /** False: one request at a time. */
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean
  readonly doEmbed: (options: {
    // The specification's own type, which is mutable.
    values: Array<string>
    abortSignal?: AbortSignal
  }) => PromiseLike<{ readonly embeddings: ReadonlyArray<ReadonlyArray<number>> }>
}

/**
 * Embeddings of LangChain.js, of any provider: chunks are embedded by `embedDocuments`, queries by `embedQuery`.
 *
 * @since 0.1.0
 * @category models
 */
export interface LangChainEmbeddings {
  readonly embedDocuments: (texts: Array<string>) => PromiseLike<ReadonlyArray<ReadonlyArray<number>>>
  readonly embedQuery: (text: string) => PromiseLike<ReadonlyArray<number>>
}

/**
 * Embeddings of LangChain.js that say their model, as those of most providers do: that names the vectors.
 *
 * @since 0.1.0
 * @category models
 */
export type NamedEmbeddings = LangChainEmbeddings & ({ readonly model: string } | { readonly modelName: string })

/** A model of another library. */
export type Foreign = AiSdkModel | LangChainEmbeddings

export const isAiSdk = (value: unknown): value is AiSdkModel =>
  Predicate.hasProperty(value, "doEmbed") && typeof value.doEmbed === "function"

const isLangChain = (value: unknown): value is LangChainEmbeddings =>
  Predicate.hasProperty(value, "embedDocuments") &&
  typeof value.embedDocuments === "function" &&
  Predicate.hasProperty(value, "embedQuery") &&
  typeof value.embedQuery === "function"

export const is = (value: unknown): value is Foreign => isAiSdk(value) || isLangChain(value)

const textIn = (value: object, name: string): string | undefined => {
  const text: unknown = Reflect.get(value, name)
  return typeof text === "string" && text.trim() !== "" ? text : undefined
}

/** The name that a model gives itself; undefined where it has none. */
export const nameOf = (model: Foreign): string | undefined =>
  isAiSdk(model) ? textIn(model, "modelId") : (textIn(model, "model") ?? textIn(model, "modelName"))

/** As `Embedder.EmbedTexts`. */
type EmbedTexts = (
  texts: ReadonlyArray<string>,
  signal: AbortSignal
) => PromiseLike<ReadonlyArray<ReadonlyArray<number>>>

export interface Opened {
  readonly documents: EmbedTexts
  /** Null: queries are embedded as documents are. */
  readonly queries: EmbedTexts | null
  /** Most texts of one request; undefined: not known. */
  readonly most: number | undefined
  /** True if requests may be in flight side by side. */
  readonly parallel: boolean
}

/** What a model says of itself; one that fails to say it has said nothing. */
const said = <A>(value: () => PromiseLike<A> | A): Effect.Effect<A | undefined> =>
  Effect.orElseSucceed(
    Effect.tryPromise(async () => value()),
    () => undefined
  )

const ofAiSdk = (model: AiSdkModel): Effect.Effect<Opened> =>
  Effect.gen(function* () {
    const most = yield* said(() => model.maxEmbeddingsPerCall)
    return {
      documents: async (texts, abortSignal) => (await model.doEmbed({ values: [...texts], abortSignal })).embeddings,
      queries: null,
      most,
      parallel: (yield* said(() => model.supportsParallelCalls)) ?? true
    }
  })

const ofLangChain = (model: LangChainEmbeddings): Opened => ({
  documents: (texts) => model.embedDocuments([...texts]),
  queries: (texts) => Promise.all(texts.map((text) => model.embedQuery(text))),
  most: undefined,
  parallel: true
})

export const open = (model: Foreign): Effect.Effect<Opened> =>
  isAiSdk(model) ? ofAiSdk(model) : Effect.succeed(ofLangChain(model))
