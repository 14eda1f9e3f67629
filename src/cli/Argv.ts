/** Reads the words of a command line in one pass, and adds flags that were not given from the environment and the config file. */
import * as Either from "effect/Either"
import * as Suggestion from "../internal/base/suggestion.ts"
import type { Line, Spelling } from "./Flag.ts"
import * as Everywhere from "./flags/everywhere.ts"
import { UsageError } from "./UsageError.ts"

/** Name and kind of a flag. */
type Known = Pick<Spelling, "name" | "kind" | "secret">

type Texts = ReadonlyArray<string>

/** Values from outside the command line, by flag name. */
export interface Settings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly file: { readonly path: string; readonly values: Readonly<Record<string, unknown>> } | null
}

/** Environment variable of a flag. */
export const variable = (flag: string): string => `DOCSLUICE_${flag.toUpperCase().replaceAll("-", "_")}`

const refused = (problem: string) => Either.left(new UsageError({ problem }))

/**
 * Completes `words`, those after the command's name. Refuses words that would otherwise become paths: one that begins with a dash and is
 * not a flag of the command, a flag given twice that is not a `list`, and an operand that equals the value of a secret flag. Refuses
 * empty values. After `--` everything is an operand. No error repeats a value.
 */
export const complete = (
  words: ReadonlyArray<string>,
  flags: ReadonlyArray<Known>,
  settings: Settings
): Either.Either<Line, UsageError> =>
  Either.gen(function* () {
    const { operands, texts } = yield* separate(words, new Map(flags.map((flag) => [flag.name, flag])))
    for (const flag of flags.filter(({ name }) => !texts.has(name))) {
      const set = yield* fromSettings(flag, settings)
      if (set.length > 0) texts.set(flag.name, set)
    }
    // Usually an unset variable of a script: as a folder, an empty text would mean the working directory.
    const empty = flags.find(({ name }) => texts.get(name)?.some((text) => text.trim() === ""))
    if (empty !== undefined) return yield* refused(`--${empty.name}: the value is empty`)
    const stray = flags.find(
      ({ name, secret }) => secret === true && texts.get(name)?.some((text) => isKey(text) && operands.includes(text))
    )
    if (stray !== undefined) {
      return yield* refused(`the value of --${stray.name} is given as an argument too; give a key after its flag only`)
    }
    return { operands, texts }
  })

/** False for `none` and file names, which may be paths too. */
const isKey = (text: string): boolean => text !== "none" && !text.startsWith("@")

const separate = (words: ReadonlyArray<string>, known: ReadonlyMap<string, Known>) =>
  Either.gen(function* () {
    const texts = new Map<string, Texts>()
    const operands: Array<string> = []
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
      if (flag === undefined) return yield* unknown(word, [...known.keys()])
      const { kind } = flag
      const former = texts.get(name)
      if (former !== undefined && kind !== "list") {
        const meant = kind === "switch" ? "is meant once" : "takes one value"
        return yield* refused(`--${name} is given twice, and ${meant}; give it once`)
      }
      const text = attached ?? (kind === "switch" ? "true" : words[++at])
      if (text === undefined) return yield* refused(`--${name} needs a value`)
      texts.set(name, [...(former ?? []), kind === "switch" ? yield* toggled(name, text) : text])
    }
    return { operands, texts }
  })

/** The word is repeated up to its equals sign: the rest may be a password. */
const unknown = (word: string, known: ReadonlyArray<string>) => {
  const [spelled] = splitOnce(word)
  const candidates = [...known, ...Everywhere.asking.map(({ name }) => name)]
  const meant = Suggestion.ending(spelled.replace(/^--?/, ""), candidates, "--")
  return refused(`unknown option ${spelled}${meant || "; a path that begins with a dash goes after --"}`)
}

const splitOnce = (word: string): readonly [string, string | undefined] => {
  const at = word.indexOf("=")
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

const toggled = (name: string, text: string): Either.Either<string, UsageError> =>
  text === "true" || text === "false" ? Either.right(text) : refused(`--${name} takes no value, or true or false`)

const fromSettings = (flag: Known, { environment, file }: Settings): Either.Either<Texts, UsageError> => {
  const text = environment[variable(flag.name)] ?? ""
  if (text !== "") {
    if (flag.kind === "switch") return Either.map(toggled(flag.name, text), (one) => [one])
    return Either.right(flag.kind === "list" ? text.split("\n").filter((line) => line !== "") : [text])
  }
  return file === null || !Object.hasOwn(file.values, flag.name)
    ? Either.right([])
    : fromFile(flag, file.values[flag.name], file.path)
}

const fromFile = ({ kind, name }: Known, value: unknown, path: string): Either.Either<Texts, UsageError> => {
  if (kind === "switch") {
    return typeof value === "boolean"
      ? Either.right([String(value)])
      : refused(`${path}: ${name}: expected true or false`)
  }
  const texts = (kind === "list" && Array.isArray(value) ? value : [value]).map(scalar)
  return texts.every((text) => text !== undefined)
    ? Either.right(texts)
    : refused(`${path}: ${name}: expected ${kind === "list" ? "a text or a list of texts" : "a text or a number"}`)
}

/** The text of a value; undefined for a list or nothing. */
const scalar = (value: unknown): string | undefined => {
  if (typeof value === "object") return value === null || Array.isArray(value) ? undefined : JSON.stringify(value)
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined
}
