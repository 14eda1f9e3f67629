/** A flag: its spelling, its kind, and the values that its texts become. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Suggestion from "../internal/base/suggestion.ts"
import type { Reader } from "./Reader.ts"
import { UsageError } from "./UsageError.ts"

/** The names of the flags that were given, each with its texts, and the words that are no flags. */
export interface Line {
  /** The text of a switch is `true` or `false`. */
  readonly texts: ReadonlyMap<string, ReadonlyArray<string>>
  /** Paths, sources, or the words of a query. */
  readonly operands: ReadonlyArray<string>
}

interface Details {
  /** True for a flag of the short help page of a command that has many flags. */
  readonly common?: boolean | undefined
  /** True if its values are keys, unless they are `none` or name a file. */
  readonly secret?: boolean | undefined
}

/** The description of a flag, without its value. */
export interface Spelling extends Details {
  /** Name without dashes, as in a config file; the environment variable is `DOCSLUICE_` and the name in capitals. */
  readonly name: string
  /** `switch` takes no value, `value` one, `list` one for each occurrence; only a `list` may be repeated. */
  readonly kind: "switch" | "value" | "list"
  /** Meaning and default, for the help page. */
  readonly help: string
  /** Form of its value on help pages; empty for a switch. */
  readonly form: string
  /** As text; undefined where nothing stands for a value that is not given. */
  readonly default?: string | undefined
  /** Words of its value that a shell completes; undefined for any text. */
  readonly words?: ReadonlyArray<string> | undefined
}

export interface Flag<out A> extends Spelling {
  /** Its value on a command line; without a text the default. */
  readonly of: (line: Line) => Either.Either<A, UsageError>
}

/** An address in a message is without its user and password. */
const withoutUser = (text: string): string => text.replace(/\/\/[^/@\s]*@/u, "//…@")

/** The value of a text; `subject`, such as `--mode: `, begins the message of a text that is refused. */
export const read = <A>(subject: string, reader: Reader<A>, text: string): Either.Either<A, UsageError> =>
  Either.mapLeft(
    reader.read(text),
    (expected) =>
      new UsageError({
        problem: `${subject}expected ${expected}, got ${JSON.stringify(withoutUser(text))}${Suggestion.ending(text, reader.choices ?? [])}`
      })
  )

const spelling = (name: string, help: string, reader: Reader<unknown>, details: Details) => ({
  ...details,
  name,
  help,
  form: reader.form,
  words: reader.choices ?? reader.words
})

/** A flag without a value; false unless given. */
export const toggle = (name: string, help: string, details: Details = {}): Flag<boolean> => ({
  ...details,
  name,
  kind: "switch",
  help,
  form: "",
  of: ({ texts }) => Either.right(texts.get(name)?.[0] === "true")
})

/** A flag with one value, which may be omitted. */
export const optional = <A>(
  name: string,
  help: string,
  reader: Reader<A>,
  details: Details = {}
): Flag<Option.Option<A>> => ({
  ...spelling(name, help, reader, details),
  kind: "value",
  of: ({ texts }) => {
    const [text] = texts.get(name) ?? []
    return text === undefined ? Either.right(Option.none()) : Either.map(read(`--${name}: `, reader, text), Option.some)
  }
})

/** A flag with one value, and a default that stands for it where nothing else does. */
export const preset = <A>(
  name: string,
  help: string,
  reader: Reader<A>,
  details: Details & { readonly default: string }
): Flag<Option.Option<A>> => optional(name, `${help} (default: ${details.default})`, reader, details)

/** A flag with one value and a default. */
export const value = <A>(
  name: string,
  help: string,
  reader: Reader<A>,
  details: Details & { readonly default: string }
): Flag<A> => ({
  ...spelling(name, `${help} (default: ${details.default})`, reader, details),
  kind: "value",
  of: ({ texts }) => read(`--${name}: `, reader, texts.get(name)?.[0] ?? details.default)
})

/** A flag that may be repeated, with one value for each occurrence. */
export const list = (
  name: string,
  help: string,
  reader: Reader<string>,
  details: Details = {}
): Flag<ReadonlyArray<string>> => ({
  ...spelling(name, help, reader, details),
  kind: "list",
  of: ({ texts }) => Either.right(texts.get(name) ?? [])
})

/** The flag as it is typed, with the form of its value; `…` where it may be repeated. */
export const typed = ({ form, kind, name }: Spelling): string =>
  `--${name}${kind === "switch" ? "" : ` ${form}`}${kind === "list" ? "…" : ""}`
