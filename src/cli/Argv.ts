/**
 * The words of a command line as the command line library takes them: `--flag=value` split, and what was not given filled in
 * from the environment and the config file.
 */
import * as Either from "effect/Either"
import type { Flag } from "./Flag.ts"
import { UsageError } from "./UsageError.ts"

/** What a flag is called and takes. */
export type Spelling = Pick<Flag<unknown>, "name" | "kind">

/** Settings from outside the command line, by flag name. */
export interface Settings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly file: { readonly path: string; readonly values: Readonly<Record<string, unknown>> } | null
}

/** The library's own flags, on every command. */
const builtIn: ReadonlyArray<Spelling> = [
  { name: "help", kind: "switch" },
  { name: "version", kind: "switch" },
  { name: "wizard", kind: "switch" },
  { name: "completions", kind: "value" }
]

/** The environment's name of a flag. */
export const variable = (flag: string): string => `DOCSLUICE_${flag.toUpperCase().replaceAll("-", "_")}`

/**
 * `words` are those behind the command's name. A word that begins with a dash and is no flag of the command is refused, so that a
 * misspelt flag never becomes a path; behind `--` everything is a path.
 */
export const complete = (
  words: ReadonlyArray<string>,
  flags: ReadonlyArray<Spelling>,
  settings: Settings
): Either.Either<ReadonlyArray<string>, UsageError> =>
  Either.gen(function* () {
    const known = new Map([...flags, ...builtIn].map((flag) => [flag.name, flag]))
    const { options, operands, given } = yield* separate(words, known)
    const filled = yield* Either.all(
      flags.filter((flag) => !given.has(flag.name)).map((flag) => fromSettings(flag, settings))
    )
    return [...options, ...filled.flat(), ...(operands.length > 0 ? ["--", ...operands] : [])]
  })

const separate = (words: ReadonlyArray<string>, known: ReadonlyMap<string, Spelling>) =>
  Either.gen(function* () {
    const options: Array<string> = []
    const operands: Array<string> = []
    const given = new Set<string>()
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? ""
      if (word === "--") {
        operands.push(...words.slice(at + 1))
        break
      }
      if (word === "-h") {
        options.push(word)
        continue
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
            problem: `unknown option ${unattached(word)}; a path that begins with a dash goes behind --`
          })
        )
      }
      given.add(name)
      if (flag.kind === "switch") {
        options.push(...(yield* toggled(name, attached ?? "true")))
        continue
      }
      const value = attached ?? words[++at]
      if (value === undefined) return yield* Either.left(new UsageError({ problem: `--${name} needs a value` }))
      options.push(`--${name}`, value)
    }
    return { options, operands, given }
  })

/** What stands behind the equals sign may be a password. */
const unattached = (word: string): string => splitOnce(word)[0]

const splitOnce = (word: string): readonly [string, string | undefined] => {
  const at = word.indexOf("=")
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

const toggled = (name: string, value: string): Either.Either<ReadonlyArray<string>, UsageError> =>
  value === "true"
    ? Either.right([`--${name}`])
    : value === "false"
      ? Either.right([])
      : Either.left(new UsageError({ problem: `--${name} takes no value, or true or false; got ${value}` }))

const fromSettings = (flag: Spelling, settings: Settings): Either.Either<ReadonlyArray<string>, UsageError> => {
  const fromEnvironment = settings.environment[variable(flag.name)]
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    return flag.kind === "switch"
      ? toggled(flag.name, fromEnvironment)
      : Either.right(
          (flag.kind === "list" ? fromEnvironment.split("\n") : [fromEnvironment]).flatMap((text) =>
            text === "" ? [] : [`--${flag.name}`, text]
          )
        )
  }
  const file = settings.file
  if (file === null || !Object.hasOwn(file.values, flag.name)) return Either.right([])
  return fromFile(flag, file.values[flag.name], file.path)
}

const fromFile = (flag: Spelling, value: unknown, path: string): Either.Either<ReadonlyArray<string>, UsageError> => {
  if (flag.kind === "switch") {
    return typeof value === "boolean"
      ? toggled(flag.name, String(value))
      : Either.left(new UsageError({ problem: `${path}: ${flag.name}: expected true or false` }))
  }
  const values: ReadonlyArray<unknown> = flag.kind === "list" && Array.isArray(value) ? value : [value]
  return Either.map(Either.all(values.map((item) => scalar(flag, item, path))), (texts) =>
    texts.flatMap((text) => [`--${flag.name}`, text])
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
