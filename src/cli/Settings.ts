/** Values for flags that the command line leaves open: environment variables and `docsluice.config.{json,yaml}`. */
import { existsSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { loaded } from "../internal/base/loaded.ts"
import * as Suggestion from "../internal/base/suggestion.ts"
import type { Settings } from "./Argv.ts"
import { UsageError } from "./UsageError.ts"

const names = ["docsluice.config.json", "docsluice.config.yaml"] as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const library = loaded(() => import("./ConfigText.ts"))

/** Reads the config file. `known` holds the names of all flags of all commands: another name in the file is an error. */
export const read = Effect.fnUntraced(function* (known: ReadonlySet<string>): Effect.fn.Return<Settings, UsageError> {
  const present = names.filter((name) => existsSync(name))
  const path = present[0]
  if (path === undefined) return { environment: process.env, file: null }
  if (present.length > 1) {
    return yield* new UsageError({ problem: `${present.join(" and ")} exist; keep one of them` })
  }
  const text = yield* library
  const values = yield* Effect.try({
    try: (): unknown => text.parse(readFileSync(path, "utf8")),
    catch: (cause) => new UsageError({ problem: `${path}: ${text.wrong(cause)}` })
  })
  if (!isRecord(values)) return yield* new UsageError({ problem: `${path}: expected an object` })
  const unknown = Object.keys(values).find((name) => !known.has(name))
  if (unknown !== undefined) {
    return yield* new UsageError({
      problem: `${path}: ${unknown} is not a flag of docsluice${Suggestion.ending(unknown, known)}`
    })
  }
  return { environment: process.env, file: { path, values } }
})
