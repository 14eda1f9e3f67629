/** Reads what the command line leaves open: environment variables and `docsluice.config.{json,yaml}`. */
import { existsSync, readFileSync } from "node:fs"
import * as Either from "effect/Either"
import { parse as parseYaml, YAMLParseError } from "yaml"
import { codeOf } from "../internal/discovery/localFile.ts"
import type { Settings } from "./Argv.ts"
import { UsageError } from "./UsageError.ts"

const names = ["docsluice.config.json", "docsluice.config.yaml"] as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The parser's own message repeats the lines around the fault, which may hold a key. */
const wrong = (cause: unknown): string => {
  if (!(cause instanceof YAMLParseError)) return `cannot be read (${codeOf(cause) ?? "not valid YAML"})`
  const line = cause.linePos === undefined ? "" : ` in line ${cause.linePos[0].line}`
  return cause.code === "DUPLICATE_KEY" ? `a flag is set twice${line}; keep one of them` : `not valid YAML${line}`
}

/** `known` are the names of all flags of all commands: another name in the file is a mistake. */
export const read = (known: ReadonlySet<string>): Either.Either<Settings, UsageError> => {
  const present = names.filter((name) => existsSync(name))
  const path = present[0]
  if (path === undefined) return Either.right({ environment: process.env, file: null })
  if (present.length > 1) {
    return Either.left(new UsageError({ problem: `there are ${present.join(" and ")}; keep one of them` }))
  }
  return Either.gen(function* () {
    const values = yield* Either.try({
      try: (): unknown => parseYaml(readFileSync(path, "utf8")),
      catch: (cause) => new UsageError({ problem: `${path}: ${wrong(cause)}` })
    })
    if (!isRecord(values)) return yield* Either.left(new UsageError({ problem: `${path}: expected an object` }))
    const unknown = Object.keys(values).find((name) => !known.has(name))
    if (unknown !== undefined) {
      return yield* Either.left(new UsageError({ problem: `${path}: ${unknown} is no flag of docsluice` }))
    }
    return { environment: process.env, file: { path, values } }
  })
}
