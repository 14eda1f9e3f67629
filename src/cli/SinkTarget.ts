/** `KIND:TARGET`, the value of `--to`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Environment } from "../internal/target/secret.ts"
import type { Target } from "../internal/target/sinkKind.ts"
import * as Targets from "../internal/target/sinkTarget.ts"
import { ofOption, type UsageError } from "./UsageError.ts"

export type SinkTarget = Target

export { forms, names, searchable, spellingOf } from "../internal/target/sinkTarget.ts"

/** Parses a spelling. Only the kind is repeated in an error: the rest may hold a password. */
export const parse = (
  spelling: string,
  environment: Environment = process.env
): Effect.Effect<SinkTarget, UsageError, FileSystem.FileSystem> =>
  Effect.mapError(Targets.parse(spelling, environment), ofOption)
