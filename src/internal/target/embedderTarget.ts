/**
 * The spelling of an embedder: `none`, `hash`, `openai:MODEL[@BASE]`, `cohere:MODEL[@BASE]`, `voyage:MODEL[@BASE]`, `ollama:MODEL[@BASE]` or
 * `transformers:MODEL`, with settings after a `?`.
 */
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
import * as Provider from "./provider.ts"
import type * as Secret from "./secret.ts"
import * as ServedTarget from "./servedTarget.ts"
import { embedderKinds, embedderWords } from "./spelling.ts"

/** A model with the settings of its spelling. */
type Configured<Model> = Model & { readonly settings: Settings.Settings }

/** Providers whose embedders have a spelling. */
type Tag = "OpenAi" | "Cohere" | "Voyage"

type Served = Configured<ServedTarget.Served<Tag> & { readonly _tag: "Served" }>

/** A model of Ollama, which needs no key. */
type Ollama = Configured<{ readonly _tag: "Ollama"; readonly model: string; readonly baseUrl: string }>

/** A model that runs in this process. */
type Transformers = Configured<{ readonly _tag: "Transformers"; readonly model: string }>

export type EmbedderTarget = { readonly _tag: "None" } | { readonly _tag: "Hash" } | Served | Ollama | Transformers

const option: ServedTarget.Option<Tag> = {
  name: "embedder",
  expected:
    "none, hash, openai:MODEL[@BASE], cohere:MODEL[@BASE], voyage:MODEL[@BASE], ollama:MODEL[@BASE] or transformers:MODEL, for instance openai:text-embedding-3-small?dimensions=512",
  kinds: [...embedderWords, ...embedderKinds],
  providers: [Provider.openAi, Provider.cohere, Provider.voyage],
  variable: "DOCSLUICE_EMBEDDER_API_KEY"
}

/** The words that a spelling is or begins with. */
export const words: ReadonlyArray<string> = [...embedderWords, ...embedderKinds.map((kind) => `${kind}:`)]

export const parse = (spelling: string): Either.Either<EmbedderTarget, OptionError> => {
  if (spelling === "none") return Either.right({ _tag: "None" })
  if (spelling === "hash") return Either.right({ _tag: "Hash" })
  return Either.flatMap(
    Either.mapLeft(Settings.split(spelling), (problem) => ServedTarget.refused(option, problem)),
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
  if (!spelling.startsWith("ollama:")) {
    return Either.map(ServedTarget.parse(option, spelling), (served) => ({ _tag: "Served", ...served }))
  }
  return Either.map(
    ServedTarget.parse(option, spelling.replace("ollama:", "openai:")),
    ({ baseUrl = ollama, model }) => ({ _tag: "Ollama", model, baseUrl })
  )
}

/** Environment variables of the process. */
export type Environment = Secret.Environment

/** The target in the form that the state may store. Credentials in a base address are never sent, so none has to be given again. */
export const keep = (target: EmbedderTarget, environment: Environment): Address.Kept => {
  if (target._tag === "None" || target._tag === "Hash") return { address: target._tag.toLowerCase(), credential: false }
  if (target._tag !== "Served") return { address: Settings.join(keyless(target), target.settings), credential: false }
  return {
    address: Settings.join(ServedTarget.spelled(target), target.settings),
    credential: ServedTarget.variableOf(option, target, environment) !== null
  }
}

const keyless = (target: Ollama | Transformers): string =>
  target._tag === "Transformers"
    ? `transformers:${target.model}`
    : ServedTarget.spelled({ ...target, provider: Provider.openAi }).replace("openai:", "ollama:")

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

/** How stamps name the models of a provider, and which of them give vectors of any length. */
interface Stamped {
  readonly provider: ServedTarget.Served<Tag>["provider"]
  /** What the stamp adds to the model's name. */
  readonly prefix: string
  readonly models: RegExp
  readonly anyLength: RegExp
}

/** The name of another model does not tell its server, and texts for that one must not go to a provider. */
const stamped: ReadonlyArray<Stamped> = [
  { provider: Provider.openAi, prefix: "", models: /^text-embedding-/u, anyLength: /^text-embedding-3-/u },
  { provider: Provider.cohere, prefix: "cohere:", models: /^embed-/u, anyLength: /^embed-v[4-9]/u },
  {
    provider: Provider.voyage,
    prefix: "voyage:",
    models: /^voyage-/u,
    anyLength: /^voyage-(?:[4-9]|3\.5|3-large|code-3)/u
  }
]

/** The model at its provider's own address that vectors of this space are of; null where that is not certain. */
export const providerOf = (space: EmbeddingSpace): Served | null => {
  for (const { anyLength, models, prefix, provider } of stamped) {
    const model = space.model.startsWith(prefix) ? space.model.slice(prefix.length) : ""
    if (!models.test(model)) continue
    const settings = anyLength.test(model) ? { dimensions: space.dimensions } : {}
    return { _tag: "Served", provider, model, baseUrl: undefined, settings, unnamed: true }
  }
  return null
}

/** Embedder that made a store's vectors: hashing, or a model of a provider whose own key is set; otherwise null. */
export const ofSpace = (
  space: EmbeddingSpace,
  environment: Environment
): Effect.Effect<EmbedderTarget | null, EmbeddingError> =>
  Effect.map(Embedder.hash.space, (hashed) => {
    if (hashed !== null && describeSpace(space) === describeSpace(hashed)) return { _tag: "Hash" }
    const target = providerOf(space)
    return target === null || ServedTarget.variableOf(option, target, environment) === null ? null : target
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
    ServedTarget.refused(option, error.message)
  )

const layers = {
  OpenAi: Embedder.layerOpenAi,
  Cohere: Embedder.layerCohere,
  Voyage: Embedder.layerVoyage
} as const satisfies Readonly<Record<Tag, unknown>>

const served = (target: Served | Ollama, environment: Environment) => {
  const { baseUrl, model, settings } = target
  const [tag, key] =
    target._tag === "Ollama"
      ? (["OpenAi", Effect.succeed(undefined)] as const)
      : ([target.provider.tag, ServedTarget.keyOf(option, target, environment)] as const)
  return Layer.unwrapEffect(
    Effect.map(key, (apiKey) =>
      Layer.mapError(layers[tag]({ model, baseUrl, apiKey, ...Settings.options(settings) }), (error) =>
        ServedTarget.unusable(option, error)
      )
    )
  )
}
