/** Values at the head of a text, between `---` lines (YAML) or `+++` lines (TOML). */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { parseDocument } from "yaml"
import type { MetadataValue } from "../../DocumentChunk.ts"

export interface FrontMatter {
  /** End of its last line, in UTF-16 code units. */
  readonly end: number
  readonly metadata: Readonly<Record<string, MetadataValue>>
  readonly warnings: ReadonlyArray<string>
}

/** Longest text of a value; every chunk of the document carries it. */
const longest = 2_000

/** A map, so that no name is special, as `__proto__` of an object is. */
type Flat = Map<string, MetadataValue>

const scalar = (value: unknown): string | number | boolean | null => {
  if (typeof value === "bigint") return String(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  return typeof value === "string" || typeof value === "boolean" ? value : null
}

const listOf = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.flatMap((value) => {
    if (value === null || value === undefined) return []
    return String(scalar(value) ?? JSON.stringify(value))
  })

/** Adds a value under its name; the members of an object get the name in front, lists become lists of texts. */
const add = (flat: Flat, name: string, value: unknown, left: Array<string>): void => {
  if (value === null || value === undefined) return
  if (!Array.isArray(value) && Predicate.isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) add(flat, `${name}.${key}`, inner, left)
    return
  }
  const plain = Array.isArray(value) ? listOf(value) : scalar(value)
  if (plain === null) return
  const length = typeof plain === "object" ? plain.join("").length : String(plain).length
  if (length > longest) left.push(name)
  else flat.set(name, plain)
}

/** Values by their names as flat metadata, with a warning about those that are too long. */
export const flatten = (values: Readonly<Record<string, unknown>>): Pick<FrontMatter, "metadata" | "warnings"> => {
  const metadata: Flat = new Map()
  const left: Array<string> = []
  for (const [name, value] of Object.entries(values)) add(metadata, name, value, left)
  return {
    metadata: Object.fromEntries(metadata),
    warnings: left.map((name) => `front matter: ${name} is longer than ${longest} characters and is left out`)
  }
}

type Values = Readonly<Record<string, unknown>>

/** `name: value` lines, of which YAML that is not valid mostly consists. */
const pairs = (body: string): Values =>
  Object.fromEntries(
    Array.from(body.matchAll(/^([\w-]+):[ \t]+(\S.*)$/gmu), ([, name = "", value = ""]) => [name, value.trimEnd()])
  )

/** Null where the lines are no mapping, and so no front matter. */
const yaml = (body: string): readonly [Values, ReadonlyArray<string>] | null => {
  const parsed = yamlValue(body)
  if (Either.isRight(parsed)) {
    const value = parsed.right
    if (value === null || value === undefined) return [{}, []]
    return Predicate.isRecord(value) && !Array.isArray(value) ? [value, []] : null
  }
  const found = pairs(body)
  return Object.keys(found).length === 0 ? null : [found, [`front matter: ${firstLine(parsed.left)}`]]
}

/** The value, or the problem. The parser throws for values that refer to each other too often, or are nested too deep. */
const yamlValue = (body: string): Either.Either<unknown, string> =>
  Either.flatMap(
    Either.try({
      try: () => parseDocument(body, { prettyErrors: false, logLevel: "silent" }),
      catch: String
    }),
    (document) => {
      const [problem] = document.errors
      if (problem !== undefined) return Either.left(problem.message)
      return Either.try({ try: (): unknown => document.toJS({ maxAliasCount: 100 }), catch: String })
    }
  )

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? ""

const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/u

/** A value of TOML on one line: a text, a number, a truth value, a date, or a list of these. */
const tomlValue = (text: string): unknown => {
  const [, double, single] = quoted.exec(text) ?? []
  if (double !== undefined) return double.replace(/\\(["\\])/gu, "$1").replaceAll("\\n", "\n")
  if (single !== undefined) return single
  if (text === "true" || text === "false") return text === "true"
  if (/^[+-]?\d[\d_]*(?:\.\d+)?$/u.test(text)) return Number(text.replaceAll("_", ""))
  const list = /^\[(.*)\]$/su.exec(text)?.[1]
  if (list === undefined) return text
  return Array.from(list.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[^,\s]+/gu), ([item]) => tomlValue(item))
}

/** Tables and values on one line; values of more lines are left out. */
const toml = (body: string): readonly [Values, ReadonlyArray<string>] => {
  const values: Record<string, unknown> = {}
  const left: Array<string> = []
  let table = ""
  for (const line of body.split(/\r\n|\r|\n/u)) {
    const text = line.trim()
    if (text === "" || text.startsWith("#")) continue
    const header = /^\[\[?([^\]]+)\]\]?$/u.exec(text)?.[1]
    if (header !== undefined) {
      table = `${header.trim()}.`
      continue
    }
    const [, name, value] = /^([\w.-]+|"[^"]+")\s*=\s*(\S.*)$/u.exec(text) ?? []
    if (name === undefined || value === undefined) left.push(text)
    else values[`${table}${name.replaceAll('"', "")}`] = tomlValue(value.replace(/\s+#[^"']*$/u, ""))
  }
  return [values, left.length === 0 ? [] : [`front matter: ${left.length} lines of TOML were not understood`]]
}

const opening = /^(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)/u

const readers = { "---": yaml, "+++": toml }

const isFence = (text: string | undefined): text is keyof typeof readers => text === "---" || text === "+++"

/**
 * The front matter that a text begins with; null when it begins otherwise, or when the lines between are no values: two thematic breaks.
 * Values of a broken one are read line by line, with a warning.
 */
export const frontMatter = (text: string): FrontMatter | null => {
  const [first, fence] = opening.exec(text) ?? []
  if (first === undefined || !isFence(fence)) return null
  const closing = fence === "---" ? /^(?:---|\.\.\.)[ \t]*$/gmu : /^\+\+\+[ \t]*$/gmu
  closing.lastIndex = first.length
  const close = closing.exec(text)
  if (close === null) return null
  const read = readers[fence](text.slice(first.length, close.index))
  if (read === null) return null
  const { metadata, warnings } = flatten(read[0])
  return { end: close.index + close[0].length, metadata, warnings: [...read[1], ...warnings] }
}
