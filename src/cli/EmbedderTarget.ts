/**
 * `none`, `hash` or `openai:MODEL[@BASE]`, as `--embedder` takes it.
 *
 * The key of a model comes from the environment only, since `--api-key` is the parse service's: `DOCSLUICE_EMBEDDER_API_KEY`
 * (the key, or `@FILE`), and for OpenAI's own address `OPENAI_API_KEY` too, which never goes to another host.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Embedder from "../Embedder.ts"
import * as EmbeddingCache from "../EmbeddingCache.ts"
import * as UndiciHttpClient from "../UndiciHttpClient.ts"
import * as Secret from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

export type EmbedderTarget =
  | { readonly _tag: "None" }
  | { readonly _tag: "Hash" }
  | {
      readonly _tag: "OpenAi"
      readonly model: string
      /** Undefined: OpenAI's own address. */
      readonly baseUrl: string | undefined
    }

const expected = "none, hash or openai:MODEL[@BASE], for instance openai:text-embedding-3-small"

const invalid = (spelling: string): UsageError =>
  new UsageError({ problem: `--embedder: expected ${expected}, got ${JSON.stringify(spelling)}` })

const usage = (problem: string): UsageError => new UsageError({ problem: `--embedder: ${problem}` })

const problems = {
  Malformed: "what follows the @ is not an absolute address such as https://host/v1",
  Scheme: "the base address, after the @, begins with neither http:// nor https://",
  KeyMissing: "OpenAI needs a key",
  KeyMalformed: "the API key holds a character that no header may carry; only visible ASCII is allowed"
} as const

/** An address begins after the first `@` that a scheme follows: a model's name may hold one, and so may an address. */
const base = /@(?=[a-z][a-z0-9+.-]*:\/\/)/i

export const parse = (spelling: string): Either.Either<EmbedderTarget, UsageError> => {
  if (spelling === "none") return Either.right({ _tag: "None" })
  if (spelling === "hash") return Either.right({ _tag: "Hash" })
  if (!spelling.startsWith("openai:")) return Either.left(invalid(spelling))
  const target = spelling.slice("openai:".length)
  const at = target.search(base)
  const model = (at < 0 ? target : target.slice(0, at)).trim()
  const baseUrl = at < 0 ? undefined : target.slice(at + 1).trim()
  // What follows an @ is not repeated: it may hold a password.
  if (model === "") return Either.left(invalid(at < 0 ? spelling : "openai:@…"))
  // Else what was meant as a server of one's own would be sent to OpenAI.
  if (model.lastIndexOf("@") > 0 || (baseUrl !== undefined && !/^https?:/i.test(baseUrl))) {
    return Either.left(usage(problems.Scheme))
  }
  return Either.right({ _tag: "OpenAi", model, baseUrl })
}

/** Variables as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

const own = "DOCSLUICE_EMBEDDER_API_KEY"
const openAis = "OPENAI_API_KEY"

const present = (value: string | undefined): value is string => value !== undefined && value.trim() !== ""

const keyOf = (
  target: Extract<EmbedderTarget, { readonly _tag: "OpenAi" }>,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, UsageError, FileSystem.FileSystem> => {
  const given = environment[own]
  if (present(given)) {
    // The reader names a flag; this is a variable.
    return Effect.mapError(
      Secret.read(own, given),
      (error) => new UsageError({ problem: error.problem.replace(`--${own}`, own) })
    )
  }
  const fallback = environment[openAis]
  if (target.baseUrl === undefined) {
    return present(fallback)
      ? Secret.read(openAis, fallback)
      : Effect.fail(usage(`${problems.KeyMissing}; set ${own} or ${openAis}`))
  }
  return Effect.succeed(undefined)
}

/** What an embedder needs to know beside its target. */
export interface Surroundings {
  readonly environment: Environment
  /** The cache's own directory, by custom `embeddings` in the state directory; null: in memory. */
  readonly cache: string | null
}

/** Fails before any request when the address or the key cannot be used. */
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
          UndiciHttpClient.layer(),
          cache === null ? EmbeddingCache.layerMemory() : EmbeddingCache.layer({ directory: cache })
        ])
      )
    )
  )
}
