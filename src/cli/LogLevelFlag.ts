/**
 * `--log-level`, accepted by every command at any place. The command line library has a flag of that name, and takes it for a path after
 * a command's first path.
 */
import * as Either from "effect/Either"
import * as LogLevel from "effect/LogLevel"
import * as Suggestion from "../internal/base/suggestion.ts"
import type { Settings } from "./Argv.ts"
import { UsageError } from "./UsageError.ts"

/** Levels by their names. */
export const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  all: LogLevel.All,
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  fatal: LogLevel.Fatal,
  none: LogLevel.None
}

export interface Taken {
  /** The words without the flag. */
  readonly words: ReadonlyArray<string>
  readonly level: LogLevel.LogLevel
}

/** Takes the flag out of the words before `--`. Fails when it is given twice; default the environment's value, then `info`. */
export const take = (
  words: ReadonlyArray<string>,
  environment: Settings["environment"]
): Either.Either<Taken, UsageError> => {
  const end = words.includes("--") ? words.indexOf("--") : words.length
  const rest: Array<string> = []
  const values: Array<string> = []
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? ""
    if (word === "--log-level") values.push(words[++at] ?? "")
    else if (word.startsWith("--log-level=")) values.push(word.slice("--log-level=".length))
    else rest.push(word)
  }
  if (values.length > 1) {
    return Either.left(new UsageError({ problem: "--log-level is given twice, and takes one value; give it once" }))
  }
  const given = values[0] ?? (environment["DOCSLUICE_LOG_LEVEL"] || "info")
  const level = Object.hasOwn(levels, given.toLowerCase()) ? levels[given.toLowerCase()] : undefined
  return level === undefined
    ? Either.left(
        new UsageError({
          problem: `--log-level: expected one of ${Object.keys(levels).join(", ")}, got ${JSON.stringify(given)}${Suggestion.ending(given, Object.keys(levels))}`
        })
      )
    : Either.right({ words: [...rest, ...words.slice(end)], level })
}
