/**
 * The spelling of a reranker: `none`, `cohere:MODEL[@BASE]`, `jina:…`, `voyage:…`, or `tei:[MODEL]@BASE`, `llamacpp:…`, `vllm:…`.
 *
 * The key comes from the environment only: from `DOCSLUICE_RERANK_API_KEY` (the key, or `@FILE`), and for a provider's own address also from
 * the provider's variable, which is never sent to another host.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as EmbeddingCache from "../../EmbeddingCache.ts"
import * as Reranker from "../../Reranker.ts"
import { InvalidAddress } from "../../service/Client.ts"
import type * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import type { OptionError } from "../base/optionError.ts"
import { dialects, kinds } from "../reranking/dialects.ts"
import * as Http from "./http.ts"
import * as Provider from "./provider.ts"
import * as Secret from "./secret.ts"
import * as ServedTarget from "./servedTarget.ts"

/** A reranker on a server; `model` may be empty where a server has only one. */
export interface Served {
  readonly kind: Reranker.Kind
  readonly model: string
  /** Undefined: the provider's own address. */
  readonly baseUrl: string | undefined
}

const option: ServedTarget.Option = {
  name: "rerank",
  expected:
    "none, cohere:MODEL[@BASE], jina:MODEL[@BASE], voyage:MODEL[@BASE], tei:[MODEL]@BASE, llamacpp:[MODEL]@BASE or vllm:[MODEL]@BASE, for instance cohere:rerank-v3.5 or tei:@http://127.0.0.1:8080",
  kinds: ["none", ...kinds],
  providers: [],
  variable: "DOCSLUICE_RERANK_API_KEY"
}

/** Providers with a key of their own. */
const providers: Partial<Record<Reranker.Kind, Provider.Provider>> = {
  cohere: Provider.cohere,
  jina: Provider.jina,
  voyage: Provider.voyage
}

/** Null for `none`. */
export const parse = (spelling: string): Either.Either<Served | null, OptionError> => {
  if (spelling === "none") return Either.right(null)
  const kind = kinds.find((one) => spelling.startsWith(`${one}:`))
  if (kind === undefined) return Either.left(ServedTarget.invalid(option, spelling))
  const { baseUrl, model } = ServedTarget.modelAndBase(spelling.slice(kind.length + 1))
  const refused = (problem: string) => Either.left(ServedTarget.refused(option, problem))
  // Otherwise texts meant for a server of the user's would be sent to a provider.
  if (model.lastIndexOf("@") > 0 || (baseUrl !== undefined && !/^https?:/iu.test(baseUrl))) {
    return Either.left(ServedTarget.unusable(option, new InvalidAddress({ reason: "Scheme" })))
  }
  const { base } = dialects[kind]
  if (base === null && baseUrl === undefined) {
    return refused(`${kind} needs the address of its server: ${kind}:MODEL@http://127.0.0.1:8080, for instance`)
  }
  if (base !== null && model === "") return refused(`${kind} needs a model: ${kind}:MODEL`)
  return Either.right({ kind, model, baseUrl })
}

const keyOf = (
  { kind, ...target }: Served,
  environment: Secret.Environment
): Effect.Effect<Redacted.Redacted | undefined, OptionError, FileSystem.FileSystem> => {
  const provider = providers[kind]
  return provider === undefined
    ? Secret.fromEnvironment(option.variable, environment)
    : ServedTarget.keyOf(option, { ...target, provider }, environment)
}

/** Settings of a reranker outside its target. */
export interface Surroundings {
  readonly environment: Secret.Environment
  /** Where scores are kept; default: in memory. */
  readonly cache?: Layer.Layer<EmbeddingCache.EmbeddingCache, EmbeddingCache.EmbeddingCacheError> | undefined
  /** As of `UndiciHttpClient`. */
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
}

/** Opens the reranker of a target; fails before any request when the address or the key cannot be used. */
const open = (
  target: Served,
  { cache = EmbeddingCache.layerMemory(), dispatcher, environment }: Surroundings
): Effect.Effect<
  Reranker.Reranker.Service,
  OptionError | EmbeddingCache.EmbeddingCacheError,
  FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const apiKey = yield* keyOf(target, environment)
    const layer = Layer.mapError(Reranker.layer({ ...target, apiKey }), (error) => ServedTarget.unusable(option, error))
    const built = yield* Layer.build(Layer.provide(layer, [Http.given(dispatcher), cache]))
    return Context.get(built, Reranker.Reranker)
  })

/** The reranker of a spelling, or `none`. */
export const ofSpelling = (
  spelling: string,
  surroundings: Surroundings
): Effect.Effect<
  Reranker.Reranker.Service | "none",
  OptionError | EmbeddingCache.EmbeddingCacheError,
  FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const target = yield* parse(spelling)
    return target === null ? "none" : yield* open(target, surroundings)
  })

/** Fails when the spelling, its address or its key cannot be used; sends nothing and leaves nothing open. */
export const check = (
  spelling: string,
  environment: Secret.Environment
): Effect.Effect<void, OptionError | EmbeddingCache.EmbeddingCacheError, FileSystem.FileSystem> =>
  Effect.scoped(Effect.asVoid(ofSpelling(spelling, { environment })))
