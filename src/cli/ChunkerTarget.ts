/** `--chunker` and the flags next to it: how documents are split, and what the metadata of every chunk holds. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Chunker } from "../Chunker.ts"
import * as Targets from "../internal/target/chunkerTarget.ts"
import type { RunRequest } from "./RunRequest.ts"
import { ofOption, type UsageError } from "./UsageError.ts"

export interface ChunkerTarget extends Omit<Targets.ChunkerTarget, "pageBoundaries"> {
  readonly pageBoundaries: Option.Option<"soft" | "hard">
}

/** Refuses an overlap that leaves a chunk no room for text of its own, and a least size above the greatest. */
export const make = (target: ChunkerTarget): Either.Either<Chunker, UsageError> =>
  Either.mapLeft(Targets.make({ ...target, pageBoundaries: Option.getOrUndefined(target.pageBoundaries) }), ofOption)

/** The chunker of a recorded run. */
export const again = (request: RunRequest): Either.Either<Chunker, UsageError> =>
  make({
    ...request,
    minTokens: request.minTokens ?? 0,
    pageBoundaries: Option.fromNullable(request.pageBoundaries),
    metadata: request.metadata ?? []
  })
