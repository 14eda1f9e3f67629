/** A secret on the command line: the value itself, or `@FILE`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Secrets from "../internal/target/secret.ts"
import { ofOption, type UsageError } from "./UsageError.ts"

/** Text of a flag: the content of the file after `@`, or the value itself. */
export const textOrFile = (flag: string, value: string): Effect.Effect<string, UsageError, FileSystem.FileSystem> =>
  Effect.mapError(Secrets.textOrFile(flag, value), ofOption)

/** Reads the secret of a flag. */
export const read = (
  flag: string,
  value: string
): Effect.Effect<Redacted.Redacted, UsageError, FileSystem.FileSystem> =>
  Effect.mapError(Secrets.read(flag, value), ofOption)
