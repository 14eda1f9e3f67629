/** A secret as the command line takes it: itself, or `@FILE`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "./UsageError.ts"

/** The text behind a setting: what stands in the file after `@`, or the value itself. `name` is what the person wrote. */
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

/** The text behind a flag's value: what stands in the file after `@`, or the value itself. */
export const textOrFile = (flag: string, value: string): Effect.Effect<string, UsageError, FileSystem.FileSystem> =>
  textOf(`--${flag}`, value)

/** A flag's value. */
export const read = (
  flag: string,
  value: string
): Effect.Effect<Redacted.Redacted, UsageError, FileSystem.FileSystem> => secret(`--${flag}`, value)

/** Variables as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Whether the variable is set, and not to nothing. */
export const isSet = (variable: string, environment: Environment): boolean =>
  (environment[variable] ?? "").trim() !== ""

/** A variable's value; undefined where it is not set. */
export const fromEnvironment = (
  variable: string,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, UsageError, FileSystem.FileSystem> =>
  isSet(variable, environment) ? secret(variable, environment[variable] ?? "") : Effect.succeed(undefined)

/** The same, where it is to be sent in a header: what no header may carry would be repeated in the error of whoever sends it. */
export const headerFromEnvironment = (
  variable: string,
  environment: Environment
): Effect.Effect<Redacted.Redacted | undefined, UsageError, FileSystem.FileSystem> =>
  Effect.filterOrFail(
    fromEnvironment(variable, environment),
    (key) => key === undefined || /^[\x21-\x7e]+$/.test(Redacted.value(key)),
    () =>
      new UsageError({
        problem: `${variable} holds a character that no header may carry; only visible ASCII is allowed`
      })
  )
