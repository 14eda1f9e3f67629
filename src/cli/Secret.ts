/** A secret as the command line takes it: itself, or `@FILE`. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "./UsageError.ts"

/** The text behind a flag's value: what stands in the file after `@`, or the value itself. */
export const textOrFile = (flag: string, value: string): Effect.Effect<string, UsageError, FileSystem.FileSystem> =>
  value.startsWith("@")
    ? Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(value.slice(1))).pipe(
        Effect.mapError(() => new UsageError({ problem: `--${flag}: the file ${value.slice(1)} cannot be read` }))
      )
    : Effect.succeed(value)

export const read = (
  flag: string,
  value: string
): Effect.Effect<Redacted.Redacted, UsageError, FileSystem.FileSystem> =>
  Effect.flatMap(textOrFile(flag, value), (text) => {
    const key = text.trim()
    return key === ""
      ? Effect.fail(new UsageError({ problem: `--${flag}: the key is empty` }))
      : Effect.succeed(Redacted.make(key))
  })
