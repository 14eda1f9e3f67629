/** A setting that may be secret: the value itself, or `@FILE`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { OptionError } from "../base/optionError.ts"

/** The setting that a text belongs to: an option, or a variable of the environment. */
type Setting = { readonly option: string } | { readonly variable: string }

const refused = (setting: Setting, problem: string): OptionError =>
  "option" in setting
    ? new OptionError({ option: setting.option, problem })
    : new OptionError({ option: null, problem: `${setting.variable}: ${problem}` })

const textOf = (setting: Setting, value: string): Effect.Effect<string, OptionError, FileSystem.FileSystem> =>
  value.startsWith("@")
    ? Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(value.slice(1))).pipe(
        Effect.mapError(() => refused(setting, `the file ${value.slice(1)} cannot be read`))
      )
    : Effect.succeed(value)

const secret = (
  setting: Setting,
  value: string
): Effect.Effect<Redacted.Redacted, OptionError, FileSystem.FileSystem> =>
  Effect.flatMap(textOf(setting, value), (text) => {
    const key = text.trim()
    return key === "" ? Effect.fail(refused(setting, "the key is empty")) : Effect.succeed(Redacted.make(key))
  })

/** Text of an option: the content of the file after `@`, or the value itself. */
export const textOrFile = (option: string, value: string): Effect.Effect<string, OptionError, FileSystem.FileSystem> =>
  textOf({ option }, value)

/** Reads the secret of an option. */
export const read = (
  option: string,
  value: string
): Effect.Effect<Redacted.Redacted, OptionError, FileSystem.FileSystem> => secret({ option }, value)

/** Environment variables that options read. */
export const variables = [
  "CHROMA_DATABASE",
  "CHROMA_TENANT",
  "CHROMA_TOKEN",
  "COHERE_API_KEY",
  "DOCSLUICE_EMBEDDER_API_KEY",
  "DOCSLUICE_MODEL_API_KEY",
  "DOCSLUICE_RERANK_API_KEY",
  "JINA_API_KEY",
  "LIBSQL_AUTH_TOKEN",
  "OPENAI_API_KEY",
  "OPENSEARCH_AUTHORIZATION",
  "QDRANT_API_KEY",
  "VOYAGE_API_KEY"
] as const

export type Variable = (typeof variables)[number]

/** Values of the variables, those of the process for instance. */
export type Environment = { readonly [V in Variable]?: string | undefined }

/** The variables as the program's `ConfigProvider` has them: without another one, those of the process. */
export const environment: Effect.Effect<Environment> = Effect.map(
  Effect.forEach(variables, (variable) =>
    Effect.map(Effect.option(Config.string(variable)), (value) => [variable, Option.getOrUndefined(value)] as const)
  ),
  (entries) => Object.fromEntries(entries)
)

/** True if the variable is set and not empty. */
export const isSet = (variable: Variable, environment: Environment): boolean =>
  (environment[variable] ?? "").trim() !== ""

/** Value of a variable; undefined when it is not set. */
export const fromEnvironment = (
  variable: Variable,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, OptionError, FileSystem.FileSystem> =>
  isSet(variable, environment) ? secret({ variable }, environment[variable] ?? "") : Effect.succeed(undefined)

/**
 * As {@link fromEnvironment}, for a value that is sent in a header. Checked here, since the HTTP client's error would repeat an invalid
 * value.
 */
export const headerFromEnvironment = (
  variable: Variable,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, OptionError, FileSystem.FileSystem> =>
  Effect.filterOrFail(
    fromEnvironment(variable, environment),
    (key) => key === undefined || /^[\x21-\x7e]+$/.test(Redacted.value(key)),
    () =>
      new OptionError({
        option: null,
        problem: `${variable} holds a character that is not allowed in a header; use visible ASCII only`
      })
  )
