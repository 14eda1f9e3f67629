/** A flag: its spelling, its kind, and the conversion of its text to a value. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Suggestion from "../internal/base/suggestion.ts"
import { invalid } from "./UsageError.ts"

export interface Flag<A> {
  /** Name without dashes, as in a config file; the environment variable is `DOCSLUICE_` and the name in capitals. */
  readonly name: string
  /** `switch` takes no value, `value` one, `list` one for each occurrence; only a `list` may be repeated. */
  readonly kind: "switch" | "value" | "list"
  /** True if its values are keys, unless they are `none` or name a file; default false. */
  readonly secret?: boolean | undefined
  /** Meaning and default, for the help page. */
  readonly help: string
  /** The words that are accepted, for help, completion and the message for another one; default any text. */
  readonly choices?: ReadonlyArray<string> | undefined
  readonly options: Options.Options<A>
}

/** Converts a text to a value, or describes what was expected. */
export interface Reader<A> {
  (text: string): Either.Either<A, string>
  /** The words that it accepts; default any text. */
  readonly choices?: ReadonlyArray<string> | undefined
}

/** An address in a message is without its user and password. */
const withoutUser = (text: string): string => text.replace(/\/\/[^/@\s]*@/u, "//…@")

const readWith =
  <A>(name: string, read: Reader<A>) =>
  (text: string) =>
    Either.match(read(text), {
      onLeft: (expected) =>
        Effect.fail(
          invalid(
            `--${name}: expected ${expected}, got ${JSON.stringify(withoutUser(text))}${Suggestion.ending(text, read.choices ?? [])}`
          )
        ),
      onRight: Effect.succeed
    })

/** A flag without a value; false unless given. */
export const toggle = (name: string, help: string): Flag<boolean> => ({
  name,
  kind: "switch",
  help,
  options: Options.boolean(name)
})

/** A flag with one value, which may be omitted. */
export const optional = <A>(name: string, help: string, read: Reader<A>): Flag<Option.Option<A>> => ({
  name,
  kind: "value",
  help,
  choices: read.choices,
  options: Options.text(name).pipe(
    Options.optional,
    Options.mapEffect(
      Option.match({
        onNone: () => Effect.succeed(Option.none<A>()),
        onSome: (text) => Effect.asSome(readWith(name, read)(text))
      })
    )
  )
})

/** A flag with one value and a default, both as text. */
export const value = <A>(name: string, help: string, fallback: string, read: Reader<A>): Flag<A> => ({
  name,
  kind: "value",
  help,
  choices: read.choices,
  options: Options.text(name).pipe(Options.withDefault(fallback), Options.mapEffect(readWith(name, read)))
})

/** A flag that may be repeated, with one value for each occurrence. */
export const list = (name: string, help: string): Flag<ReadonlyArray<string>> => ({
  name,
  kind: "list",
  help,
  options: Options.text(name).pipe(Options.repeated)
})

/** Marks a flag whose values are keys. */
export const secret = <A>(flag: Flag<A>): Flag<A> => ({ ...flag, secret: true })

/** The path of a folder, as against the address of a server. */
export const folder: Reader<string> = (text) =>
  /^[a-z][a-z0-9+.-]*:\/\//iu.test(text) ? Either.left("a folder") : Either.right(text)

/** Any text. Empty texts are refused before this. */
export const text: Reader<string> = Either.right

/** One part of a path. */
export const languages: Reader<ReadonlyArray<string>> = (text) =>
  /^[a-z_]+(\+[a-z_]+)*(,[a-z_]+(\+[a-z_]+)*)*$/i.test(text)
    ? Either.right(text.split(","))
    : Either.left("codes of languages such as eng,deu or eng+deu")

export const segment: Reader<string> = (text) =>
  text.trim() === "" || text === "." || text === ".." || /[/\\\p{Cc}]/u.test(text)
    ? Either.left("one part of a path, not empty, . or ..")
    : Either.right(text)

/** A whole number within bounds, both inclusive. */
export const integer =
  (min: number, max: number = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (input) => {
    const number = Number(input)
    return /^\d+$/.test(input) && number >= min && number <= max
      ? Either.right(number)
      : Either.left(
          max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`
        )
  }

/** A number from 0 to 1. */
export const share: Reader<number> = (input) =>
  /^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(input) && Number(input) <= 1
    ? Either.right(Number(input))
    : Either.left("a number from 0 to 1")

/** One of the given words. */
export const oneOf = <const A extends string>(...words: ReadonlyArray<A>): Reader<A> =>
  Object.assign(
    (input: string) =>
      Either.fromNullable(
        words.find((word) => word === input),
        () => `one of ${words.join(", ")}`
      ),
    { choices: words }
  )

/** Some of the given words, with commas between them. */
export const listOf =
  <const A extends string>(...words: ReadonlyArray<A>): Reader<ReadonlyArray<A>> =>
  (input) =>
    Either.mapLeft(
      Either.all(input.split(",").map((word) => oneOf(...words)(word.trim()))),
      () => `some of ${words.join(",")}`
    )

const units = { "": 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const

const isUnit = (unit: string): unit is keyof typeof units => Object.hasOwn(units, unit)

/** A size in bytes: `64MB`, `2GB`, `1000000`; KB, MB and GB are powers of 1024. */
export const size: Reader<number> = (input) => {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([A-Z]*)$/.exec(input.trim().toUpperCase()) ?? []
  return digits !== undefined && unit !== undefined && isUnit(unit) && Number(digits) > 0
    ? Either.right(Math.round(Number(digits) * units[unit]))
    : Either.left("a size such as 64MB")
}

const durations = { "": 1000, ms: 1, s: 1000, m: 60_000 } as const

const isDuration = (unit: string): unit is keyof typeof durations => Object.hasOwn(durations, unit)

/** A time in milliseconds: `30s`, `500ms`, `2m`; a bare number is seconds. */
export const duration: Reader<number> = (input) => {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(input.trim().toLowerCase()) ?? []
  return digits !== undefined && unit !== undefined && isDuration(unit)
    ? Either.right(Math.round(Number(digits) * durations[unit]))
    : Either.left("a time such as 30s")
}
