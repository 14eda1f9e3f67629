/** The spelling of an embedder: `none`, `hash`, `openai:MODEL[@BASE]`, `ollama:MODEL[@BASE]` or `transformers:MODEL`, with settings after a `?`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { describeSpace, type EmbeddingSpace } from "../../ChunkSink.ts"
import * as Embedder from "../../Embedder.ts"
import * as EmbeddingCache from "../../EmbeddingCache.ts"
import type * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import { OptionError } from "../base/optionError.ts"
import type { EmbeddingError } from "../embedding/embeddingError.ts"
import * as Settings from "../embedding/settings.ts"
import type * as Address from "./address.ts"
import * as Http from "./http.ts"
import * as OpenAiTarget from "./openAiTarget.ts"
import type * as Secret from "./secret.ts"
import { embedderKinds, embedderWords } from "./spelling.ts"

/** A model with the settings of its spelling. */
type Configured<Model> = Model & { readonly settings: Settings.Settings }

type Served = Configured<OpenAiTarget.OpenAi>

/** A model of Ollama, which needs no key. */
type Ollama = Configured<{ readonly _tag: "Ollama"; readonly model: string; readonly baseUrl: string }>

/** A model that runs in this process. */
type Transformers = Configured<{ readonly _tag: "Transformers"; readonly model: string }>

export type EmbedderTarget = { readonly _tag: "None" } | { readonly _tag: "Hash" } | Served | Ollama | Transformers

const option: OpenAiTarget.Option = {
  name: "embedder",
  expected:
    "none, hash, openai:MODEL[@BASE], ollama:MODEL[@BASE] or transformers:MODEL, for instance openai:text-embedding-3-small?dimensions=512",
  kinds: [...embedderWords, ...embedderKinds],
  variable: "DOCSLUICE_EMBEDDER_API_KEY"
}

/** The words that a spelling is or begins with. */
export const words: ReadonlyArray<string> = [...embedderWords, ...embedderKinds.map((kind) => `${kind}:`)]

export const parse = (spelling: string): Either.Either<EmbedderTarget, OptionError> => {
  if (spelling === "none") return Either.right({ _tag: "None" })
  if (spelling === "hash") return Either.right({ _tag: "Hash" })
  return Either.flatMap(
    Either.mapLeft(Settings.split(spelling), (problem) => OpenAiTarget.refused(option, problem)),
    ({ rest, settings }) => Either.map(model(rest), (target) => ({ ...target, settings }))
  )
}

/** Ollama's own address, where it speaks OpenAI's protocol. */
const ollama = "http://127.0.0.1:11434/v1"

const model = (
  spelling: string
): Either.Either<Omit<Served, "settings"> | Omit<Ollama, "settings"> | Omit<Transformers, "settings">, OptionError> => {
  const local = /^transformers:\s*([^\s@]+)\s*$/u.exec(spelling)?.[1]
  if (local !== undefined) return Either.right({ _tag: "Transformers", model: local })
  if (!spelling.startsWith("ollama:")) return OpenAiTarget.parse(option, spelling)
  return Either.map(
    OpenAiTarget.parse(option, spelling.replace("ollama:", "openai:")),
    ({ baseUrl = ollama, model }) => ({ _tag: "Ollama", model, baseUrl })
  )
}

/** Environment variables of the process. */
export type Environment = Secret.Environment

/** The target in the form that the state may store. Credentials in a base address are never sent, so none has to be given again. */
export const keep = (target: EmbedderTarget, environment: Environment): Address.Kept => {
  if (target._tag === "None" || target._tag === "Hash") return { address: target._tag.toLowerCase(), credential: false }
  if (target._tag !== "OpenAi") return { address: Settings.join(keyless(target), target.settings), credential: false }
  return {
    address: Settings.join(OpenAiTarget.spelled(target), target.settings),
    credential: OpenAiTarget.variableOf(option, target, environment) !== null
  }
}

const keyless = (target: Ollama | Transformers): string =>
  target._tag === "Transformers"
    ? `transformers:${target.model}`
    : OpenAiTarget.spelled({ ...target, _tag: "OpenAi" }).replace("openai:", "ollama:")

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
    // Models of the third generation give vectors of any length.
    const settings = space.model.startsWith("text-embedding-3-") ? { dimensions: space.dimensions } : {}
    const target: Served = { _tag: "OpenAi", model: space.model, baseUrl: undefined, settings }
    return OpenAiTarget.variableOf(option, target, environment) === null ? null : target
  })

/** Settings of an embedder outside its target. */
export interface Surroundings {
  readonly environment: Environment
  /** Opened for a model only; default: in memory. */
  readonly cache?: Layer.Layer<EmbeddingCache.EmbeddingCache, EmbeddingCache.EmbeddingCacheError> | undefined
  /** As of `UndiciHttpClient`. */
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
}

/** Fails when the address or the key cannot be used; sends nothing and leaves nothing open. */
export const check = (
  target: EmbedderTarget,
  environment: Environment
): Effect.Effect<void, OptionError | EmbeddingCache.EmbeddingCacheError, FileSystem.FileSystem> =>
  Effect.scoped(Effect.asVoid(Layer.build(layer(target, { environment }))))

/** Embedder of the target; fails before any request when the address or the key cannot be used. */
export const layer = (
  target: EmbedderTarget,
  { cache = EmbeddingCache.layerMemory(), dispatcher, environment }: Surroundings
): Layer.Layer<Embedder.Embedder, OptionError | EmbeddingCache.EmbeddingCacheError, FileSystem.FileSystem> =>
  target._tag === "None" || target._tag === "Hash"
    ? offline(target)
    : Layer.provide(modelled(target, environment), [Http.given(dispatcher), cache])

const offline = ({ _tag }: { readonly _tag: "None" | "Hash" }): Layer.Layer<Embedder.Embedder> =>
  _tag === "None" ? Embedder.layerNone : Embedder.layerHash

const modelled = (target: Served | Ollama | Transformers, environment: Environment) =>
  target._tag === "Transformers" ? local(target) : served(target, environment)

const local = ({ model, settings }: Transformers) =>
  Layer.mapError(Embedder.layerTransformers({ model, ...Settings.options(settings) }), (error) =>
    OpenAiTarget.refused(option, error.message)
  )

const served = (target: Served | Ollama, environment: Environment) => {
  const { baseUrl, model, settings } = target
  const key = target._tag === "Ollama" ? Effect.succeed(undefined) : OpenAiTarget.keyOf(option, target, environment)
  return Layer.unwrapEffect(
    Effect.map(key, (apiKey) =>
      Layer.mapError(Embedder.layerOpenAi({ model, baseUrl, apiKey, ...Settings.options(settings) }), (error) =>
        OpenAiTarget.refused(option, OpenAiTarget.problems[error.reason])
      )
    )
  )
}
