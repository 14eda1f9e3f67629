/**
 * `none`, `hash` or `openai:MODEL[@BASE]`, the value of `--embedder`.
 *
 * The key of a model comes from the environment only, since `--api-key` is the parse service's: from `DOCSLUICE_EMBEDDER_API_KEY` (the
 * key, or `@FILE`), and for OpenAI's own address also from `OPENAI_API_KEY`, which is never sent to another host.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { describeSpace, type EmbeddingSpace } from "../ChunkSink.ts"
import * as Embedder from "../Embedder.ts"
import * as EmbeddingCache from "../EmbeddingCache.ts"
import type { EmbeddingError } from "../EmbeddingError.ts"
import * as Address from "./Address.ts"
import * as Http from "./Http.ts"
import * as Secret from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

export type EmbedderTarget = { readonly _tag: "None" } | { readonly _tag: "Hash" } | OpenAi

export interface OpenAi {
  readonly _tag: "OpenAi"
  readonly model: string
  /** Undefined: OpenAI's own address. */
  readonly baseUrl: string | undefined
}

const expected = "none, hash or openai:MODEL[@BASE], for instance openai:text-embedding-3-small"

/** Error that repeats only the kind: the rest may hold a password. */
const invalid = (spelling: string): UsageError => {
  const got = spelling.includes(":") ? `${spelling.slice(0, spelling.indexOf(":"))}:…` : spelling
  return new UsageError({ problem: `--embedder: expected ${expected}, got ${JSON.stringify(got)}` })
}

const usage = (problem: string): UsageError => new UsageError({ problem: `--embedder: ${problem}` })

const problems = {
  Malformed: "what follows the @ is not an absolute address such as https://host/v1",
  Scheme: "the base address, after the @, begins with neither http:// nor https://",
  KeyMissing: "OpenAI needs a key",
  KeyMalformed: "the API key holds a character that is not allowed in a header; use visible ASCII only"
} as const

/** Start of an address: the first `@` before a scheme. A model's name may hold an `@`, and so may an address. */
const base = /@(?=[a-z][a-z0-9+.-]*:\/\/)/i

export const parse = (spelling: string): Either.Either<EmbedderTarget, UsageError> => {
  if (spelling === "none") return Either.right({ _tag: "None" })
  if (spelling === "hash") return Either.right({ _tag: "Hash" })
  if (!spelling.startsWith("openai:")) return Either.left(invalid(spelling))
  const target = spelling.slice("openai:".length)
  const at = target.search(base)
  const model = (at < 0 ? target : target.slice(0, at)).trim()
  const baseUrl = at < 0 ? undefined : target.slice(at + 1).trim()
  if (model === "") return Either.left(invalid(spelling))
  // Otherwise texts meant for a server of the user's would be sent to OpenAI.
  if (model.lastIndexOf("@") > 0 || (baseUrl !== undefined && !/^https?:/i.test(baseUrl))) {
    return Either.left(usage(problems.Scheme))
  }
  return Either.right({ _tag: "OpenAi", model, baseUrl })
}

/** Environment variables of the process. */
export type Environment = Secret.Environment

const own = "DOCSLUICE_EMBEDDER_API_KEY"
const openAis = "OPENAI_API_KEY"

const isOpenAis = ({ baseUrl }: OpenAi): boolean =>
  baseUrl === undefined || (URL.canParse(baseUrl) && new URL(baseUrl).origin === "https://api.openai.com")

/** Name of the variable that holds the key; null when none is set. */
const variableOf = (target: OpenAi, environment: Environment): string | null => {
  if (Secret.isSet(own, environment)) return own
  return isOpenAis(target) && Secret.isSet(openAis, environment) ? openAis : null
}

const keyOf = (
  target: OpenAi,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, UsageError, FileSystem.FileSystem> => {
  const variable = variableOf(target, environment)
  if (variable !== null) return Secret.fromEnvironment(variable, environment)
  return isOpenAis(target)
    ? Effect.fail(usage(`${problems.KeyMissing}; set ${own} or ${openAis}`))
    : Effect.succeed(undefined)
}

/** The target in the form that the state may store. Credentials in a base address are never sent, so none has to be given again. */
export const keep = (target: EmbedderTarget, environment: Environment): Address.Kept => {
  if (target._tag !== "OpenAi") return { address: target._tag === "Hash" ? "hash" : "none", credential: false }
  const base = target.baseUrl === undefined ? "" : `@${Address.stripped(target.baseUrl).address}`
  return { address: `openai:${target.model}${base}`, credential: variableOf(target, environment) !== null }
}

/** Fails if the run had a key that is not set now. */
export const again = (kept: Address.Kept, environment: Environment): Effect.Effect<void, UsageError> =>
  Effect.flatMap(parse(kept.address), (target) =>
    kept.credential && !keep(target, environment).credential
      ? new UsageError({ problem: `set ${own} again, the key of ${kept.address}, which is not kept` })
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
    const target: EmbedderTarget = { _tag: "OpenAi", model: space.model, baseUrl: undefined }
    return variableOf(target, environment) === null ? null : target
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
    Effect.map(keyOf(target, environment), (apiKey) =>
      Embedder.layerOpenAi({ model, baseUrl, apiKey }).pipe(
        Layer.mapError((error) => usage(problems[error.reason])),
        Layer.provide([
          Http.layer,
          cache === null ? EmbeddingCache.layerMemory() : EmbeddingCache.layer({ directory: cache })
        ])
      )
    )
  )
}
