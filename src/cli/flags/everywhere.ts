/** Flags that every command takes, at any place before `--`. */
import * as Either from "effect/Either"
import * as LogLevel from "effect/LogLevel"
import * as Flag from "../Flag.ts"
import type { Reader } from "../Reader.ts"

const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  all: LogLevel.All,
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  fatal: LogLevel.Fatal,
  none: LogLevel.None
}

const names = Object.keys(levels)

const level: Reader<LogLevel.LogLevel> = {
  form: "LEVEL",
  choices: names,
  read: (text) => {
    const name = text.toLowerCase()
    return Either.fromNullable(Object.hasOwn(levels, name) ? levels[name] : null, () => `one of ${names.join(", ")}`)
  }
}

export const logLevel = Flag.value(
  "log-level",
  "least level of messages: all, trace, debug, info, warning, error, fatal or none",
  level,
  { default: "info" }
)
export const noColor = Flag.toggle("no-color", "no colours, as with NO_COLOR in the environment")

/** Flags that may be set in the environment and the config file too. */
export const settable = [logLevel, noColor]

export const help = Flag.toggle("help", "a short page")
export const helpAll = Flag.toggle("help-all", "every flag")
export const version = Flag.toggle("version", "the version")

/** Flags that ask for a page, which is found before a command is read. */
export const asking = [help, helpAll, version]
