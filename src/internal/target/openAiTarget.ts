/**
 * `openai:MODEL[@BASE]`, a model on a server that speaks OpenAI's protocol: an embedder or a language model.
 *
 * The key comes from the environment only, since the option `apiKey` is the parse service's: from a variable of the option's own (the key, or
 * `@FILE`), and for OpenAI's own address also from `OPENAI_API_KEY`, which is never sent to another host.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { OptionError } from "../base/optionError.ts"
import * as Suggestion from "../base/suggestion.ts"
import * as Address from "./address.ts"
import * as Secret from "./secret.ts"

export interface OpenAi {
  readonly _tag: "OpenAi"
  readonly model: string
  /** Undefined: OpenAI's own address. */
  readonly baseUrl: string | undefined
}

/** An option that takes such a value. */
export interface Option {
  readonly name: string
  /** All that it takes, with an example. */
  readonly expected: string
  /** The kinds that it takes, for the message on a misspelt one. */
  readonly kinds: ReadonlyArray<string>
  /** Variable of its key. */
  readonly variable: Secret.Variable
}

const openAis = "OPENAI_API_KEY"

/** Problem of an address or a key, by the reason that a client gives. */
export const problems = {
  Malformed: "what follows the @ is not an absolute address such as https://host/v1",
  Scheme: "the base address, after the @, begins with neither http:// nor https://",
  KeyMissing: "OpenAI needs a key",
  KeyMalformed: "the API key holds a character that is not allowed in a header; use visible ASCII only"
} as const

export const refused = ({ name }: Option, problem: string): OptionError => new OptionError({ option: name, problem })

/** Error that repeats only the kind: the rest may hold a password. */
const invalid = (option: Option, spelling: string): OptionError => {
  const got = spelling.includes(":") ? `${spelling.slice(0, spelling.indexOf(":"))}:…` : spelling
  const meant = Suggestion.ending(got.replace(/:….*/su, ""), option.kinds)
  return refused(option, `expected ${option.expected}, got ${JSON.stringify(got)}${meant}`)
}

/** Start of an address: the first `@` before a scheme. A model's name may hold an `@`, and so may an address. */
const base = /@(?=[a-z][a-z0-9+.-]*:\/\/)/i

export const parse = (option: Option, spelling: string): Either.Either<OpenAi, OptionError> => {
  if (!spelling.startsWith("openai:")) return Either.left(invalid(option, spelling))
  const target = spelling.slice("openai:".length)
  const at = target.search(base)
  const model = (at < 0 ? target : target.slice(0, at)).trim()
  const baseUrl = at < 0 ? undefined : target.slice(at + 1).trim()
  if (model === "") return Either.left(invalid(option, spelling))
  // Otherwise texts meant for a server of the user's would be sent to OpenAI.
  if (model.lastIndexOf("@") > 0 || (baseUrl !== undefined && !/^https?:/i.test(baseUrl))) {
    return Either.left(refused(option, problems.Scheme))
  }
  return Either.right({ _tag: "OpenAi", model, baseUrl })
}

const isOpenAis = ({ baseUrl }: OpenAi): boolean =>
  baseUrl === undefined || (URL.canParse(baseUrl) && new URL(baseUrl).origin === "https://api.openai.com")

/** Name of the variable that holds the key; null when none is set. */
export const variableOf = (option: Option, target: OpenAi, environment: Secret.Environment): Secret.Variable | null => {
  if (Secret.isSet(option.variable, environment)) return option.variable
  return isOpenAis(target) && Secret.isSet(openAis, environment) ? openAis : null
}

/** The key of the target; fails when OpenAI itself has none. */
export const keyOf = (
  option: Option,
  target: OpenAi,
  environment: Secret.Environment
): Effect.Effect<Redacted.Redacted | undefined, OptionError, FileSystem.FileSystem> => {
  const variable = variableOf(option, target, environment)
  if (variable !== null) return Secret.fromEnvironment(variable, environment)
  return isOpenAis(target)
    ? Effect.fail(refused(option, `${problems.KeyMissing}; set ${option.variable} or ${openAis}`))
    : Effect.succeed(undefined)
}

/** The target's spelling without credentials, which are never sent from a base address. */
export const spelled = ({ baseUrl, model }: OpenAi): string =>
  `openai:${model}${baseUrl === undefined ? "" : `@${Address.stripped(baseUrl).address}`}`
