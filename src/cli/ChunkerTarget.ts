/** `--chunker`, `--max-tokens` and `--overlap`: how documents are split. */
import * as Either from "effect/Either"
import type { Chunker } from "../Chunker.ts"
import * as Targets from "../internal/target/chunkerTarget.ts"
import { ofOption, type UsageError } from "./UsageError.ts"

/** Refuses an overlap that leaves a chunk no room for text of its own. */
export const make = (target: Targets.ChunkerTarget): Either.Either<Chunker, UsageError> =>
  Either.mapLeft(Targets.make(target), ofOption)
