import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"

/** Takes a message, one line, and its fields. */
export type Log = (message: string, fields: Readonly<Record<string, unknown>>) => void

/**
 * Functions that take log messages, by level; `console` and the loggers of most packages fit. The messages of a level without a
 * function are dropped. A function that throws is ignored.
 */
export interface AsyncLogger {
  /** Each attempt of a request, among others. */
  readonly debug?: Log | undefined
  readonly info?: Log | undefined
  readonly warn?: Log | undefined
  readonly error?: Log | undefined
}

const levelOf = ({ ordinal }: LogLevel.LogLevel): keyof AsyncLogger => {
  if (ordinal >= LogLevel.Error.ordinal) return "error"
  if (ordinal >= LogLevel.Warning.ordinal) return "warn"
  return ordinal >= LogLevel.Info.ordinal ? "info" : "debug"
}

const textOf = (message: unknown): string => (Array.isArray(message) ? message : [message]).map(String).join(" ")

const given = (logger: AsyncLogger): Logger.Logger<unknown, void> =>
  Logger.make(({ annotations, cause, logLevel, message }) => {
    const level = levelOf(logLevel)
    const fields = Object.fromEntries(HashMap.entries(annotations))
    const because = Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause) }
    Either.try(() => logger[level]?.(textOf(message), { ...fields, ...because }))
  })

/** Warnings and errors as one line each on stderr, without control characters. */
const standardError = Logger.withConsoleError(
  Logger.make(({ annotations, cause, logLevel, message }) => {
    const fields = [...HashMap.entries(annotations)].map(([name, value]) => ` ${name}=${String(value)}`).join("")
    const because = Cause.isEmpty(cause) ? "" : `: ${Cause.pretty(cause)}`
    const line = `docsluice: ${logLevel.label.toLowerCase()}: ${textOf(message)}${fields}${because}`
    return line.replaceAll(/\p{Cc}+/gu, " ")
  })
)

/** Sends log messages to the logger, or without one warnings and errors to stderr; never to stdout. */
export const logging = (logger: AsyncLogger | undefined): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.replace(Logger.defaultLogger, logger === undefined ? standardError : given(logger)),
    Logger.minimumLogLevel(
      logger === undefined ? LogLevel.Warning : logger.debug === undefined ? LogLevel.Info : LogLevel.Debug
    )
  )

/** Runs an effect with the logger. */
export const logged =
  (logger: AsyncLogger | undefined) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provide(effect, logging(logger))
