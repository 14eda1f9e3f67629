/**
 * `openai:MODEL[@BASE]`, a model on a server that speaks OpenAI's protocol: the value of `--embedder` and `--model`.
 *
 * The key comes from the environment only, since `--api-key` is the parse service's: from a variable of the flag's own (the key, or
 * `@FILE`), and for OpenAI's own address also from `OPENAI_API_KEY`, which is never sent to another host.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import * as Suggestion from "../internal/base/suggestion.ts"
import * as Address from "./Address.ts"
import * as Secret from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

export interface OpenAi {
  readonly _tag: "OpenAi"
  readonly model: string
  /** Undefined: OpenAI's own address. */
  readonly baseUrl: string | undefined
}

/** A flag that takes such a value. */
export interface Flag {
  /** Name without dashes, for errors. */
  readonly name: string
  /** All that it takes, with an example. */
  readonly expected: string
  /** The kinds that it takes, for the message on a misspelt one. */
  readonly kinds: ReadonlyArray<string>
  /** Variable of its key. */
  readonly variable: string
}

const openAis = "OPENAI_API_KEY"

/** Problem of an address or a key, by the reason that a client gives. */
export const problems = {
  Malformed: "what follows the @ is not an absolute address such as https://host/v1",
  Scheme: "the base address, after the @, begins with neither http:// nor https://",
  KeyMissing: "OpenAI needs a key",
  KeyMalformed: "the API key holds a character that is not allowed in a header; use visible ASCII only"
} as const

export const usage = ({ name }: Flag, problem: string): UsageError =>
  new UsageError({ problem: `--${name}: ${problem}` })

/** Error that repeats only the kind: the rest may hold a password. */
const invalid = (flag: Flag, spelling: string): UsageError => {
  const got = spelling.includes(":") ? `${spelling.slice(0, spelling.indexOf(":"))}:…` : spelling
  const meant = Suggestion.ending(got.replace(/:….*/su, ""), flag.kinds)
  return usage(flag, `expected ${flag.expected}, got ${JSON.stringify(got)}${meant}`)
}

/** Start of an address: the first `@` before a scheme. A model's name may hold an `@`, and so may an address. */
const base = /@(?=[a-z][a-z0-9+.-]*:\/\/)/i

export const parse = (flag: Flag, spelling: string): Either.Either<OpenAi, UsageError> => {
  if (!spelling.startsWith("openai:")) return Either.left(invalid(flag, spelling))
  const target = spelling.slice("openai:".length)
  const at = target.search(base)
  const model = (at < 0 ? target : target.slice(0, at)).trim()
  const baseUrl = at < 0 ? undefined : target.slice(at + 1).trim()
  if (model === "") return Either.left(invalid(flag, spelling))
  // Otherwise texts meant for a server of the user's would be sent to OpenAI.
  if (model.lastIndexOf("@") > 0 || (baseUrl !== undefined && !/^https?:/i.test(baseUrl))) {
    return Either.left(usage(flag, problems.Scheme))
  }
  return Either.right({ _tag: "OpenAi", model, baseUrl })
}

const isOpenAis = ({ baseUrl }: OpenAi): boolean =>
  baseUrl === undefined || (URL.canParse(baseUrl) && new URL(baseUrl).origin === "https://api.openai.com")

/** Name of the variable that holds the key; null when none is set. */
export const variableOf = (flag: Flag, target: OpenAi, environment: Secret.Environment): string | null => {
  if (Secret.isSet(flag.variable, environment)) return flag.variable
  return isOpenAis(target) && Secret.isSet(openAis, environment) ? openAis : null
}

/** The key of the target; fails when OpenAI itself has none. */
export const keyOf = (
  flag: Flag,
  target: OpenAi,
  environment: Secret.Environment
): Effect.Effect<Redacted.Redacted | undefined, UsageError, FileSystem.FileSystem> => {
  const variable = variableOf(flag, target, environment)
  if (variable !== null) return Secret.fromEnvironment(variable, environment)
  return isOpenAis(target)
    ? Effect.fail(usage(flag, `${problems.KeyMissing}; set ${flag.variable} or ${openAis}`))
    : Effect.succeed(undefined)
}

/** The target's spelling without credentials, which are never sent from a base address. */
export const spelled = ({ baseUrl, model }: OpenAi): string =>
  `openai:${model}${baseUrl === undefined ? "" : `@${Address.stripped(baseUrl).address}`}`
