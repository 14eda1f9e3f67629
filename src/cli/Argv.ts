/**
 * Prepares the words of a command line for the command line library: splits `--flag=value`, and adds flags that were not given from the
 * environment and the config file.
 */
import * as Either from "effect/Either"
import * as Suggestion from "../internal/base/suggestion.ts"
import type { Flag } from "./Flag.ts"
import { UsageError } from "./UsageError.ts"

/** Name and kind of a flag. */
export type Spelling = Pick<Flag<unknown>, "name" | "kind" | "secret">

/** Values from outside the command line, by flag name. */
export interface Settings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly file: { readonly path: string; readonly values: Readonly<Record<string, unknown>> } | null
}

/** Flags of every command that are taken before: for the message on a misspelt one. */
const everywhere = ["help", "help-all", "version", "log-level", "no-color"]

/** Environment variable of a flag. */
export const variable = (flag: string): string => `DOCSLUICE_${flag.toUpperCase().replaceAll("-", "_")}`

/** A flag with its value; null for a switch that is on. */
export interface Given {
  readonly name: string
  readonly value: string | null
}

/** A command line split into flags and operands. */
export interface Complete {
  readonly options: ReadonlyArray<Given>
  /** Paths, sources, or the words of a query. */
  readonly operands: ReadonlyArray<string>
}

/** The words in the library's form. */
export const wordsOf = ({ operands, options }: Complete): ReadonlyArray<string> => [
  ...options.flatMap(({ name, value }) => (value === null ? [`--${name}`] : [`--${name}`, value])),
  ...(operands.length > 0 ? ["--", ...operands] : [])
]

/**
 * Completes `words`, those after the command's name. Refuses words that would otherwise become paths: one that begins with a dash and is
 * not a flag of the command, a flag given twice that is not a `list`, and an operand that equals the value of a secret flag. Refuses
 * empty values. After `--` everything is an operand. No error repeats a value.
 */
export const complete = (
  words: ReadonlyArray<string>,
  flags: ReadonlyArray<Spelling>,
  settings: Settings
): Either.Either<Complete, UsageError> =>
  Either.gen(function* () {
    const known = new Map(flags.map((flag) => [flag.name, flag]))
    const { given, operands, options } = yield* separate(words, known)
    const filled = yield* Either.all(
      flags.filter((flag) => !given.has(flag.name)).map((flag) => fromSettings(flag, settings))
    )
    const all = [...options, ...filled.flat()]
    const empty = all.find(({ value }) => value?.trim() === "")
    // Usually an unset variable of a script: as a folder, an empty text would mean the working directory.
    if (empty !== undefined) {
      return yield* Either.left(new UsageError({ problem: `--${empty.name}: the value is empty` }))
    }
    const stray = all.find(
      ({ name, value }) => known.get(name)?.secret === true && isKey(value) && operands.includes(value)
    )
    if (stray !== undefined) {
      const problem = `the value of --${stray.name} is given as an argument too; give a key after its flag only`
      return yield* Either.left(new UsageError({ problem }))
    }
    return { options: all, operands }
  })

/** False for `none` and file names, which may be paths too. */
const isKey = (value: string | null): value is string => value !== null && value !== "none" && !value.startsWith("@")

const separate = (words: ReadonlyArray<string>, known: ReadonlyMap<string, Spelling>) =>
  Either.gen(function* () {
    const options: Array<Given> = []
    const operands: Array<string> = []
    const given = new Set<string>()
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? ""
      if (word === "--") {
        operands.push(...words.slice(at + 1))
        break
      }
      if (!word.startsWith("-") || word === "-") {
        operands.push(word)
        continue
      }
      const [name, attached] = splitOnce(word.replace(/^--?/, ""))
      const flag = word.startsWith("--") ? known.get(name) : undefined
      if (flag === undefined) {
        return yield* Either.left(
          new UsageError({
            problem: `unknown option ${unattached(word)}${Suggestion.ending(name, [...known.keys(), ...everywhere], "--") || "; a path that begins with a dash goes after --"}`
          })
        )
      }
      if (given.has(name) && flag.kind !== "list") return yield* repeated(flag)
      given.add(name)
      if (flag.kind === "switch") {
        options.push(...(yield* toggled(name, attached ?? "true")))
        continue
      }
      const value = attached ?? words[++at]
      if (value === undefined) return yield* Either.left(new UsageError({ problem: `--${name} needs a value` }))
      options.push({ name, value })
    }
    return { options, operands, given }
  })

const repeated = ({ kind, name }: Spelling) =>
  Either.left(
    new UsageError({
      problem: `--${name} is given twice, and ${kind === "switch" ? "is meant once" : "takes one value"}; give it once`
    })
  )

/** The word up to its equals sign: the rest may be a password. */
const unattached = (word: string): string => splitOnce(word)[0]

const splitOnce = (word: string): readonly [string, string | undefined] => {
  const at = word.indexOf("=")
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

const toggled = (name: string, value: string): Either.Either<ReadonlyArray<Given>, UsageError> =>
  value === "true"
    ? Either.right([{ name, value: null }])
    : value === "false"
      ? Either.right([])
      : Either.left(new UsageError({ problem: `--${name} takes no value, or true or false` }))

const fromSettings = (flag: Spelling, settings: Settings): Either.Either<ReadonlyArray<Given>, UsageError> => {
  const fromEnvironment = settings.environment[variable(flag.name)]
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    return flag.kind === "switch"
      ? toggled(flag.name, fromEnvironment)
      : Either.right(
          (flag.kind === "list" ? fromEnvironment.split("\n") : [fromEnvironment]).flatMap((value) =>
            value === "" ? [] : [{ name: flag.name, value }]
          )
        )
  }
  const file = settings.file
  if (file === null || !Object.hasOwn(file.values, flag.name)) return Either.right([])
  return fromFile(flag, file.values[flag.name], file.path)
}

const fromFile = (flag: Spelling, value: unknown, path: string): Either.Either<ReadonlyArray<Given>, UsageError> => {
  if (flag.kind === "switch") {
    return typeof value === "boolean"
      ? toggled(flag.name, String(value))
      : Either.left(new UsageError({ problem: `${path}: ${flag.name}: expected true or false` }))
  }
  const values: ReadonlyArray<unknown> = flag.kind === "list" && Array.isArray(value) ? value : [value]
  return Either.map(Either.all(values.map((item) => scalar(flag, item, path))), (texts) =>
    texts.map((value) => ({ name: flag.name, value }))
  )
}

const scalar = (flag: Spelling, value: unknown, path: string): Either.Either<string, UsageError> => {
  switch (typeof value) {
    case "string":
      return Either.right(value)
    case "number":
    case "boolean":
      return Either.right(String(value))
    case "object":
      if (value !== null && !Array.isArray(value)) return Either.right(JSON.stringify(value))
  }
  return Either.left(
    new UsageError({
      problem: `${path}: ${flag.name}: expected ${flag.kind === "list" ? "a text or a list of texts" : "a text or a number"}`
    })
  )
}
