/**
 * `KIND:MODEL[@BASE]`, a model on a server that speaks the dialect of a provider: an embedder or a language model.
 *
 * The key comes from the environment only, since the option `apiKey` is the parse service's: from a variable of the option's own (the key, or
 * `@FILE`), and for the provider's own address also from the variable of that provider, which is never sent to another host.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import type { InvalidAddress } from "../../service/Client.ts"
import { OptionError } from "../base/optionError.ts"
import * as Suggestion from "../base/suggestion.ts"
import * as Address from "./address.ts"
import type { Provider } from "./provider.ts"
import * as Secret from "./secret.ts"

export interface Served<Tag extends string = string> {
  readonly provider: Provider<Tag>
  readonly model: string
  /** Undefined: the provider's own address. */
  readonly baseUrl: string | undefined
  /** True for a model that nobody named: the option's variable may hold the key of another server. */
  readonly unnamed?: true
}

/** An option that takes such a value. */
export interface Option<Tag extends string = string> {
  readonly name: string
  /** All that it takes, with an example. */
  readonly expected: string
  /** The kinds that it takes, for the message on a misspelt one. */
  readonly kinds: ReadonlyArray<string>
  /** Providers whose models it takes. */
  readonly providers: ReadonlyArray<Provider<Tag>>
  /** Variable of its key. */
  readonly variable: Secret.Variable
}

/** Problem of an address or a key, by the reason that a client gives. */
const problems = {
  Malformed: "what follows the @ is not an absolute address such as https://host/v1",
  Scheme: "the base address, after the @, begins with neither http:// nor https://",
  KeyMissing: "the server needs a key",
  KeyMalformed: "the API key holds a character that is not allowed in a header; use visible ASCII only"
} as const

export const refused = ({ name }: Option, problem: string): OptionError => new OptionError({ option: name, problem })

/** The error of an address or a key that a client cannot use. */
export const unusable = (option: Option, { reason }: InvalidAddress): OptionError => refused(option, problems[reason])

/** Error that repeats only the kind: the rest may hold a password. */
export const invalid = (option: Option, spelling: string): OptionError => {
  const got = spelling.includes(":") ? `${spelling.slice(0, spelling.indexOf(":"))}:…` : spelling
  const meant = Suggestion.ending(got.replace(/:….*/su, ""), option.kinds)
  return refused(option, `expected ${option.expected}, got ${JSON.stringify(got)}${meant}`)
}

/** Start of an address: the first `@` before a scheme. A model's name may hold an `@`, and so may an address. */
const base = /@(?=[a-z][a-z0-9+.-]*:\/\/)/i

/** The model and the base address of `MODEL[@BASE]`. */
export const modelAndBase = (target: string): Pick<Served, "baseUrl" | "model"> => {
  const at = target.search(base)
  return at < 0
    ? { model: target.trim(), baseUrl: undefined }
    : { model: target.slice(0, at).trim(), baseUrl: target.slice(at + 1).trim() }
}

export const parse = <Tag extends string>(
  option: Option<Tag>,
  spelling: string
): Either.Either<Served<Tag>, OptionError> => {
  const provider = option.providers.find(({ kind }) => spelling.startsWith(`${kind}:`))
  if (provider === undefined) return Either.left(invalid(option, spelling))
  const { baseUrl, model } = modelAndBase(spelling.slice(provider.kind.length + 1))
  if (model === "") return Either.left(invalid(option, spelling))
  // Otherwise texts meant for a server of the user's would be sent to the provider.
  if (model.lastIndexOf("@") > 0 || (baseUrl !== undefined && !/^https?:/i.test(baseUrl))) {
    return Either.left(refused(option, problems.Scheme))
  }
  return Either.right({ provider, model, baseUrl })
}

/** True if the provider itself is asked. */
const isAtHome = ({ baseUrl, provider }: Served): boolean =>
  baseUrl === undefined || (URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(provider.home.address).origin)

/** Name of the variable that holds the key; null when none is set. */
export const variableOf = (option: Option, target: Served, environment: Secret.Environment): Secret.Variable | null => {
  if (target.unnamed !== true && Secret.isSet(option.variable, environment)) return option.variable
  const { variable } = target.provider
  return isAtHome(target) && Secret.isSet(variable, environment) ? variable : null
}

/** The key of the target; fails when the provider itself has none. */
export const keyOf = (
  option: Option,
  target: Served,
  environment: Secret.Environment
): Effect.Effect<Redacted.Redacted | undefined, OptionError, FileSystem.FileSystem> => {
  const variable = variableOf(option, target, environment)
  if (variable !== null) return Secret.fromEnvironment(variable, environment)
  const { provider } = target
  return isAtHome(target)
    ? Effect.fail(refused(option, `${provider.name} needs a key; set ${option.variable} or ${provider.variable}`))
    : Effect.succeed(undefined)
}

/** The target's spelling without credentials, which are never sent from a base address. */
export const spelled = ({ baseUrl, model, provider }: Served): string =>
  `${provider.kind}:${model}${baseUrl === undefined ? "" : `@${Address.stripped(baseUrl).address}`}`
