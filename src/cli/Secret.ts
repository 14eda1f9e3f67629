/** A secret on the command line: the value itself, or `@FILE`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "./UsageError.ts"

/** Text of a setting: the content of the file after `@`, or the value itself. `name` is the spelling for errors. */
const textOf = (name: string, value: string): Effect.Effect<string, UsageError, FileSystem.FileSystem> =>
  value.startsWith("@")
    ? Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(value.slice(1))).pipe(
        Effect.mapError(() => new UsageError({ problem: `${name}: the file ${value.slice(1)} cannot be read` }))
      )
    : Effect.succeed(value)

const secret = (name: string, value: string): Effect.Effect<Redacted.Redacted, UsageError, FileSystem.FileSystem> =>
  Effect.flatMap(textOf(name, value), (text) => {
    const key = text.trim()
    return key === ""
      ? Effect.fail(new UsageError({ problem: `${name}: the key is empty` }))
      : Effect.succeed(Redacted.make(key))
  })

/** Text of a flag: the content of the file after `@`, or the value itself. */
export const textOrFile = (flag: string, value: string): Effect.Effect<string, UsageError, FileSystem.FileSystem> =>
  textOf(`--${flag}`, value)

/** Reads the secret of a flag. */
export const read = (
  flag: string,
  value: string
): Effect.Effect<Redacted.Redacted, UsageError, FileSystem.FileSystem> => secret(`--${flag}`, value)

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** True if the variable is set and not empty. */
export const isSet = (variable: string, environment: Environment): boolean =>
  (environment[variable] ?? "").trim() !== ""

/** Value of a variable; undefined when it is not set. */
export const fromEnvironment = (
  variable: string,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, UsageError, FileSystem.FileSystem> =>
  isSet(variable, environment) ? secret(variable, environment[variable] ?? "") : Effect.succeed(undefined)

/**
 * As {@link fromEnvironment}, for a value that is sent in a header. Checked here, since the HTTP client's error would repeat an invalid
 * value.
 */
export const headerFromEnvironment = (
  variable: string,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, UsageError, FileSystem.FileSystem> =>
  Effect.filterOrFail(
    fromEnvironment(variable, environment),
    (key) => key === undefined || /^[\x21-\x7e]+$/.test(Redacted.value(key)),
    () =>
      new UsageError({
        problem: `${variable} holds a character that is not allowed in a header; use visible ASCII only`
      })
  )
